/**
 * `coco`: boxes of things in the form that object detectors read: one `annotations.json` per split, with the
 * same category numbers in all of them. Annotations are written as they come; one line per picture waits in
 * memory, because the pictures are listed after them.
 */
import {
  integerColumn,
  listColumn,
  MOMENT_FEATURES,
  numberColumn,
  recordColumn,
  textColumn,
  booleanColumn,
} from '../features.js';
import type { DataFile, ExportFormat, FormatContext, NameNumbers, SplitWriter } from '../format.js';
import { labelsOf } from '../labels.js';
import type { LabelBox, ThingLabel } from '../labels.js';
import { momentColumns } from './labels.js';

export const coco: ExportFormat = {
  name: 'coco',
  about: 'boxes of things as COCO annotations, pictures as files',
  needsPicture: true,
  needsScene: true,
  unit: 'moment',
  dataFiles: (split) => `${split}/annotations.json`,
  members: ['images', 'annotations'],
  features: {
    images: [
      integerColumn('id'),
      textColumn('file_name'),
      integerColumn('width'),
      integerColumn('height'),
      ...MOMENT_FEATURES,
      integerColumn('license'),
      integerColumn('occluded'),
    ],
    annotations: [
      ...['id', 'image_id', 'category_id'].map(integerColumn),
      listColumn('bbox', 'float64'),
      numberColumn('area'),
      integerColumn('iscrowd'),
      listColumn('segmentation', { list: 'float64' }),
      recordColumn('attributes', [
        textColumn('id'),
        textColumn('name'),
        integerColumn('distance'),
        ...['in_sight', 'covered', 'occluded', 'self', 'named'].map(booleanColumn),
        textColumn('state'),
      ]),
    ],
  },
  open: annotationsWriter,
};

const INFO = { description: 'Things in pictures shown to agents', version: '1.0' };

function annotationsWriter({
  split,
  target,
  images,
  numbers,
  licences,
  encoder,
}: FormatContext): SplitWriter {
  const name = `${split}/annotations.json`;
  const finished = target.finished(name);
  const file = finished === null ? target.open(name) : null;
  const pictures: string[] = [];
  // If pictures come from several tilesets, the card lists the licence of each.
  const license = licences.length === 1 ? { license: 1 } : {};
  let annotations = 0;
  file?.write(`{"info": ${JSON.stringify(INFO)},\n"annotations": [`);
  return {
    add: async ({ sample }) => {
      const [image = ''] = (await images.names(sample)).slice(-1);
      const picture = sample.pictures().at(-1);
      const size = picture === undefined ? null : encoder.size(picture);
      const id = pictures.length + 1;
      const things = labelsOf(sample, size)?.things ?? [];
      const occluded = things.filter((thing) => thing.occluded).length;
      const entry = Object.assign(
        { id },
        { file_name: image },
        size ?? { width: 0, height: 0 },
        momentColumns(sample),
        license,
        { occluded },
      );
      pictures.push(JSON.stringify(entry));
      for (const thing of things) {
        // The tile layout of a picture is not always known; if it is unknown, there are no boxes.
        if (thing.box === null) continue;
        annotations += 1;
        const category = numbers.get(thing.class) ?? numbers.size + 1;
        numbers.set(thing.class, category);
        const ids = { id: annotations, image_id: id, category_id: category };
        const record = Object.assign(ids, annotation(thing, thing.box));
        file?.write(`${annotations === 1 ? '\n' : ',\n'}${JSON.stringify(record)}`);
      }
    },
    end: async () => {
      const licenceList = { licenses: licences.map((text, i) => ({ id: i + 1, name: text, url: '' })) };
      const members = [`"images": [\n${pictures.join(',\n')}\n]`, `"categories": ${categories(numbers)}`];
      file?.write(`\n],\n${members.join(',\n')},\n${JSON.stringify(licenceList).slice(1)}\n`);
      const written = finished ?? file?.keep();
      return written === undefined ? [] : ([{ ...written, rows: pictures.length }] satisfies DataFile[]);
    },
  };
}

function annotation(thing: ThingLabel, [x, y, width, height]: LabelBox): object {
  const { id, name, distance, inSight, covered, occluded, self, named, state } = thing;
  return {
    bbox: [x, y, width, height],
    area: width * height,
    iscrowd: 0,
    segmentation: [[x, y, x + width, y, x + width, y + height, x, y + height]],
    attributes: { id, name, distance, in_sight: inSight, covered, occluded, self, named, state },
  };
}

function categories(numbers: NameNumbers): string {
  const list = [...numbers].map(([name, id]) => ({
    id,
    name,
    supercategory: name.split('/')[0] ?? name,
  }));
  return `[\n${list.map((one) => JSON.stringify(one)).join(',\n')}\n]`;
}
