/**
 * `imagefolder`: one folder per split, with the picture that each reply answered and a `metadata.jsonl`, as
 * `load_dataset("imagefolder")` reads it. `frames`: the pictures alone, with names that sort in the order of
 * the runs.
 */
import { COLUMN_FEATURES, textColumn } from '../features.js';
import { columnsOf, neverNull } from '../columns.js';
import type { ExportFormat, ExportRow } from '../format.js';
import type { RowPicture } from '../pictures.js';
import type { ExportTarget } from '../target.js';
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
  open: ({ split, target, images, options }) => {
    target.stage(split);
    const name = `${split}/metadata.jsonl`;
    const finished = target.finished(name);
    const file = finished === null ? target.open(name) : null;
    let rows = 0;
    return {
      add: async (row) => {
        const picture = newest(row);
        if (picture === undefined) return;
        const fileName = `${row.sample.key}.${options.extension}`;
        images.count(await writeIfMissing(target, `${split}/${fileName}`, picture));
        rows += 1;
        if (file === null) return;
        const { sample } = row;
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
  open: ({ split, target, images, options }) => {
    target.stage(split);
    return {
      add: async (row) => {
        const picture = newest(row);
        if (picture === undefined) return;
        images.count(
          await writeIfMissing(target, `${split}/${row.sample.key}.${options.extension}`, picture),
        );
      },
      end: async () => {
        target.settle(split);
        return [];
      },
    };
  },
};

/** The picture that was answered; earlier ones come before it. */
function newest({ pictures }: ExportRow): RowPicture | undefined {
  return pictures.at(-1);
}

/** The size of the picture's file, which is written if it does not exist yet. */
async function writeIfMissing(target: ExportTarget, name: string, picture: RowPicture): Promise<number> {
  return target.finishedBytes(name) ?? target.put(name, await picture.bytes());
}
