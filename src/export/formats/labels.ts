/**
 * `labels`: one line per frame with everything known of it, tile by tile and thing by thing. A frame is an
 * agent's view at a step; equal ones are written once.
 */
import {
  integerColumn,
  listColumn,
  MOMENT_FEATURES,
  recordColumn,
  textColumn,
  booleanColumn,
} from '../features.js';
import type { ExportFormat } from '../format.js';
import { labelsOf } from '../labels.js';
import type { FrameLabels, ThingLabel } from '../labels.js';
import type { PictureEncoder } from '../pictures.js';
import type { ExportSample } from '../sample.js';
import { textWriter } from './lines.js';

export const labels: ExportFormat = {
  name: 'labels',
  about: 'the contents of each picture: tiles, their visibility, things with boxes; labels.jsonl',
  needsPicture: false,
  needsScene: true,
  unit: 'moment',
  features: [
    textColumn('id'),
    textColumn('image'),
    integerColumn('width'),
    integerColumn('height'),
    ...MOMENT_FEATURES,
    recordColumn('grid', [
      integerColumn('columns'),
      integerColumn('rows'),
      listColumn('origin', 'int64'),
      listColumn('offset', 'float64'),
      listColumn('tile', 'float64'),
    ]),
    integerColumn('occluded'),
    listColumn('classes', 'string'),
    listColumn('tiles', { list: 'int64' }),
    listColumn('visibility', { list: 'int64' }),
    listColumn('things', [
      ...['id', 'name', 'class'].map(textColumn),
      ...['column', 'row'].map(integerColumn),
      listColumn('box', 'float64'),
      integerColumn('distance'),
      listColumn('offset', 'int64'),
      ...['covered', 'occluded', 'self', 'named'].map(booleanColumn),
      textColumn('state'),
      booleanColumn('in_sight'),
    ]),
  ],
  dataFiles: (split) => `${split}/labels.jsonl`,
  open: (context) =>
    textWriter(context, {
      name: (split) => `${split}/labels.jsonl`,
      list: null,
      value: ({ sample }, images) => labelRow(sample, images.at(-1) ?? null, context.encoder),
    }),
};

function labelRow(sample: ExportSample, image: string | null, encoder: PictureEncoder): object {
  const picture = sample.pictures().at(-1);
  const size = picture === undefined ? null : encoder.size(picture);
  const frameLabels = labelsOf(sample, size);
  return Object.assign(
    { id: sample.key, image },
    size ?? { width: null, height: null },
    momentColumns(sample),
    frameLabels === null ? null : frameColumns(frameLabels),
  );
}

/** The columns that say which moment it is. */
export function momentColumns({
  runId,
  scenario,
  seed,
  environment,
  agent,
  step,
  turn,
}: ExportSample): object {
  return { run: runId, scenario, seed, environment, agent, step, turn };
}

function thingColumns(thing: ThingLabel): object {
  const { id, name, column, row, box, distance, offset, covered, occluded, self, named, state } = thing;
  const { class: drawnAs, inSight } = thing;
  return {
    id,
    name,
    class: drawnAs,
    column,
    row,
    box,
    distance,
    offset,
    covered,
    occluded,
    self,
    named,
    state,
    in_sight: inSight,
  };
}

function frameColumns({
  columns,
  rows,
  origin,
  pixels,
  things,
  classes,
  tiles,
  visibility,
}: FrameLabels): object {
  const grid = {
    columns,
    rows,
    origin: [origin.x, origin.y],
    offset: pixels === null ? null : [pixels.left, pixels.top],
    tile: pixels === null ? null : [pixels.tile.width, pixels.tile.height],
  };
  const occluded = things.filter((thing) => thing.occluded).length;
  return { grid, occluded, classes, tiles, visibility, things: things.map(thingColumns) };
}
