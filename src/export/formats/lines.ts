/**
 * What formats of text files share: one file per split, written line by line or as one list, and pictures as
 * separate files.
 */
import type { DataFile, FormatContext, SplitWriter } from '../format.js';
import type { ExportRow } from '../row.js';
import type { TargetFile } from '../target.js';

interface TextFile {
  name: (split: string) => string;
  /** The text before, between and after the values of a list; null for one value per line. */
  list: readonly [string, string, string] | null;
  /** One row as a JSON value. `images` are the files of its pictures, in order. */
  value: (row: ExportRow, images: readonly string[]) => object;
}

export const LIST = ['[\n', ',\n', '\n]\n'] as const;

/** A writer of one text file whose rows are all complete. */
export function textWriter({ split, target, images }: FormatContext, spec: TextFile): SplitWriter {
  const name = spec.name(split);
  const finished = target.finished(name);
  const file: TargetFile | null = finished === null ? target.open(name) : null;
  let rows = 0;
  const [opening, between, closing] = spec.list ?? ['', '\n', '\n'];
  return {
    add: async (row) => {
      const names = await images.names(row.sample);
      rows += 1;
      if (file === null) return;
      file.write(rows === 1 ? opening : between);
      file.write(JSON.stringify(spec.value(row, names)));
    },
    end: async () => {
      if (rows > 0) file?.write(closing);
      const written = finished ?? file?.keep();
      return written === undefined ? [] : ([{ ...written, rows }] satisfies DataFile[]);
    },
  };
}
