/**
 * One split in several files with the same number of rows: `data/train-00000.parquet`,
 * `data/train-00001.parquet` … A file that an interrupted export finished is skipped with its rows, so their
 * pictures are not made again.
 */
import type { DataFile, FormatContext, SplitWriter } from './format.js';
import type { ExportRow } from './row.js';
import type { ExportTarget, WrittenFile } from './target.js';

export interface Shard {
  add(row: ExportRow): Promise<void>;
  keep(): Promise<WrittenFile>;
}

export interface ShardSpec {
  name: (split: string, number: string) => string;
  open: (target: ExportTarget, name: string) => Shard;
}

export function shardWriter({ split, target, shardRows }: FormatContext, spec: ShardSpec): SplitWriter {
  const files: DataFile[] = [];
  let shard: Shard | null = null;
  let rows = 0;
  const begin = (): Shard => {
    const name = spec.name(split, String(files.length).padStart(5, '0'));
    const finished = target.finished(name);
    return finished === null ? spec.open(target, name) : { add: async () => {}, keep: async () => finished };
  };
  const end = async (): Promise<void> => {
    if (shard !== null) files.push({ ...(await shard.keep()), rows });
    shard = null;
    rows = 0;
  };
  return {
    add: async (row) => {
      if (rows >= shardRows) await end();
      shard ??= begin();
      await shard.add(row);
      rows += 1;
    },
    end: async () => {
      await end();
      return files;
    },
  };
}
