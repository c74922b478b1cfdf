/**
 * Ground-truth labels of a picture, made from the logged scene that it was drawn from. The scene already has
 * fog applied, and things on unknown tiles aren't drawn, so labels reveal nothing that the agent could not
 * see or remember.
 */
import { recordsIn } from '../base/json.js';
import type { Json } from '../base/json.js';
import { at } from '../base/assert.js';
import { compareText } from '../base/ids.js';
import { isShownAt, UNKNOWN, VISIBLE } from '../environment/scene.js';
import type { Scene, Visibility } from '../environment/scene.js';
import type { Point } from '../environment/space.js';
import { distance } from '../environment/space.js';
import type { Observation } from '../environment/observation.js';
import { pngSize } from '../render/png.js';
import type { ImageSize } from './pictures.js';
import type { PlacedOne, PlacedInFrame, TilePart } from './places.js';
import { visibleParts } from './places.js';
import type { ExportSample } from './sample.js';

/** `[x, y, width, height]` in pixels of the exported picture, from its top left corner. */
export type LabelBox = readonly [number, number, number, number];

export interface ThingLabel {
  id: string;
  name: string;
  /** The tile that it is drawn with, such as `item/key-brass`. */
  class: string;
  /** Counted from the top left tile of the picture. */
  column: number;
  row: number;
  /** Null if there is no picture, or the thing is not drawn in it. */
  box: LabelBox | null;
  /** Manhattan distance in tiles; null if the agent is not on the map. */
  distance: number | null;
  /** Tiles to the east and to the south of the agent; null if the agent is not on the map. */
  offset: readonly [number, number] | null;
  /** Whether the agent sees it now; otherwise it only remembers it. */
  inSight: boolean;
  /** Whether something else is drawn over a part of it. */
  covered: boolean;
  /** Whether it can't be recognised, because others on its tile took all the space. */
  occluded: boolean;
  /** Whether it is the agent that the picture is for. */
  self: boolean;
  /** Whether the agent may name it; otherwise it doesn't know yet what is drawn there. */
  named: boolean;
  /** For a door `open`, `closed` or `locked`, as seen or remembered; null for other things. */
  state: string | null;
}

export interface FrameLabels {
  columns: number;
  rows: number;
  /** World coordinates of the top left tile. */
  origin: Point;
  /** In pixels: the corner of the top left tile, and the size of a tile; null if there is no picture. */
  pixels: { left: number; top: number; tile: ImageSize } | null;
  /** The names that `tiles` refers to. */
  classes: readonly string[];
  /** Row by row: the index in `classes`, -1 if the tile is unknown. */
  tiles: readonly (readonly number[])[];
  /** Row by row: 0 unknown, 1 remembered, 2 visible. */
  visibility: readonly (readonly Visibility[])[];
  /** In the order in which they are drawn, doors first. */
  things: readonly ThingLabel[];
}

/** Null if the world has no map. `size` is the size of the exported picture, null without one. */
export function labelsOf(sample: ExportSample, size: ImageSize | null): FrameLabels | null {
  const observation = sample.observation();
  const { scene } = observation;
  if (scene === null) return null;
  const pixels = size === null ? null : tilePixels(sample, scene, size);
  const { width: columns, height: rows, origin, legend: classes } = scene;
  return {
    columns,
    rows,
    origin,
    pixels,
    classes,
    tiles: inRows(
      scene,
      scene.ground.map((look, cell) => (scene.visibility[cell] === UNKNOWN ? -1 : look)),
    ),
    visibility: inRows(scene, scene.visibility),
    things: thingLabels(observation, scene, { pixels, version: sample.frameSettings.version }),
  };
}

function inRows<T>({ width, height }: Scene, cells: readonly T[]): readonly (readonly T[])[] {
  const rows: (readonly T[])[] = [];
  for (let row = 0; row < height; row++) rows.push(cells.slice(row * width, (row + 1) * width));
  return rows;
}

/**
 * Null if the picture does not match the scene drawn with the run's settings: then its tile layout is
 * unknown.
 */
function tilePixels(
  { pictures, frameSettings }: ExportSample,
  scene: Scene,
  size: ImageSize,
): FrameLabels['pixels'] {
  const sent = pictures().at(-1);
  if (sent === undefined) return null;
  const margin = frameSettings.ruler ? 1 : 0;
  const [across, down] = [scene.width + margin, scene.height + margin];
  const { width, height } = pngSize(sent.png);
  if (width !== across * frameSettings.tilePixels || height !== down * frameSettings.tilePixels) return null;
  const tile = { width: size.width / across, height: size.height / down };
  return { left: margin * tile.width, top: margin * tile.height, tile };
}

interface LabelledThing extends PlacedOne {
  name: string;
  sprite: string;
  state: string | null;
}

function thingLabels(
  { agent, nouns, facts }: Observation,
  scene: Scene,
  { pixels, version }: { pixels: FrameLabels['pixels']; version: number },
): readonly ThingLabel[] {
  const named = new Set(nouns.map(({ id }) => id));
  const self = scene.things.find(({ id }) => id === agent) ?? null;
  const sorted = scene.things.toSorted((a, b) => a.layer - b.layer);
  const things = sorted.map(({ id, name, sprite, x, y }): LabelledThing => ({
    id,
    name,
    sprite,
    x,
    y,
    state: null,
    isDoor: false,
  }));
  const drawn = [...doorsOf(scene, facts), ...things].filter((one) => isShownAt(scene, one));
  const label = ({ part, covered, occluded }: PlacedInFrame, one: LabelledThing): ThingLabel => ({
    id: one.id,
    name: one.name,
    class: one.sprite,
    column: one.x,
    row: one.y,
    box: boxOf(one, part, pixels),
    distance: self === null ? null : distance(self, one),
    offset: self === null ? null : [one.x - self.x, one.y - self.y],
    inSight: scene.visibility[one.y * scene.width + one.x] === VISIBLE,
    covered,
    occluded,
    self: one.id === agent,
    named: one.id === agent || named.has(one.id),
    state: one.state,
  });
  return visibleParts(scene, version, drawn).map((seen, i) => label(seen, at(drawn, i)));
}

function boxOf({ x, y }: Point, part: TilePart, pixels: FrameLabels['pixels']): LabelBox | null {
  if (pixels === null || part === null) return null;
  const { left, top, tile } = pixels;
  const half = { width: tile.width / 2, height: tile.height / 2 };
  return [
    left + x * tile.width + part.left * half.width,
    top + y * tile.height + part.top * half.height,
    part.halves * half.width,
    part.halves * half.height,
  ];
}

/**
 * Doors are part of the ground. Their places, seen or remembered, come from the facts of any world that lists
 * doors.
 */
function doorsOf(scene: Scene, facts: Readonly<Record<string, Json>>): readonly LabelledThing[] {
  const remembered = recordsIn(facts['remembered']).filter(({ kind }) => kind === 'door');
  const doors = [...recordsIn(facts['doors']), ...remembered].flatMap((door): readonly LabelledThing[] => {
    const { id, name, x, y } = door;
    if (typeof id !== 'string' || typeof name !== 'string') return [];
    if (typeof x !== 'number' || typeof y !== 'number') return [];
    const position = { x: x - scene.origin.x, y: y - scene.origin.y };
    const sprite = isShownAt(scene, position)
      ? scene.legend[scene.ground[position.y * scene.width + position.x] ?? -1]
      : undefined;
    const state = door['state'] ?? door['lid'];
    if (sprite === undefined) return [];
    return [{ id, name, sprite, ...position, state: typeof state === 'string' ? state : null, isDoor: true }];
  });
  return doors.toSorted((a, b) => a.y - b.y || a.x - b.x || compareText(a.id, b.id));
}
