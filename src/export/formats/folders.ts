/**
 * `imagefolder`: one folder per split, with the picture that each reply answered and a `metadata.jsonl`, as
 * `load_dataset("imagefolder")` reads it. `frames`: the pictures alone, with names that sort in the order of
 * the runs.
 */
import { COLUMN_FEATURES, textColumn } from '../features.js';
import { columnsOf, neverNull } from '../columns.js';
import type { ExportFormat, FormatContext } from '../format.js';
import type { SampleImage } from '../prompt-turn.js';
import { answerText } from './openai.js';

export const imagefolder: ExportFormat = {
  name: 'imagefolder',
  about: 'pictures with metadata.jsonl, as load_dataset("imagefolder") reads them; one per row',
  needsPicture: true,
  features: [
    { name: 'image', dtype: 'image' },
    textColumn('prompt'),
    textColumn('answer'),
    ...COLUMN_FEATURES,
  ],
  dataFiles: (split) => `${split}/**`,
  open: (context) => {
    const { split, target } = context;
    target.stage(split);
    const name = `${split}/metadata.jsonl`;
    const finished = target.finished(name);
    const file = finished === null ? target.open(name) : null;
    let rows = 0;
    return {
      add: async ({ sample }) => {
        const picture = sample.pictures().at(-1);
        if (picture === undefined) return;
        const fileName = await writtenName(context, sample.key, picture);
        rows += 1;
        if (file === null) return;
        const metadata = {
          file_name: fileName,
          prompt: sample
            .prompt()
            .messages.map(({ text }) => text)
            .join('\n\n'),
          answer: answerText(sample.target),
          ...columnsOf(sample, neverNull),
        };
        file.write(`${JSON.stringify(metadata)}\n`);
      },
      end: async () => {
        const written = finished ?? file?.keep();
        target.settle(split);
        return written === undefined ? [] : [{ ...written, rows }];
      },
    };
  },
};

export const frames: ExportFormat = {
  name: 'frames',
  about: 'the pictures that agents were sent, each once, and nothing else',
  needsPicture: true,
  unit: 'picture',
  // Otherwise the hub's reader would use the name of the folder, which is the split's, as a label of the
  // pictures.
  readerSettings: { drop_labels: true },
  dataFiles: (split) => `${split}/**`,
  open: (context) => {
    const { split, target } = context;
    target.stage(split);
    return {
      add: async ({ sample }) => {
        const picture = sample.pictures().at(-1);
        if (picture !== undefined) await writtenName(context, sample.key, picture);
      },
      end: async () => {
        target.settle(split);
        return [];
      },
    };
  },
};

/** The name of the picture's file in the folder of the split; writes the file if it does not exist yet. */
async function writtenName(
  { split, target, images, encoder }: FormatContext,
  key: string,
  picture: SampleImage,
): Promise<string> {
  const name = `${key}.${encoder.extension}`;
  const path = `${split}/${name}`;
  images.count(target.finishedBytes(path) ?? target.put(path, await encoder.bytes(picture)));
  return name;
}
