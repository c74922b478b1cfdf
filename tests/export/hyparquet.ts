/** Parquet files by hyparquet: their own words, and the rows of a split. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { FileMetaData } from 'hyparquet';

export function parquetWords(path: string): FileMetaData {
  return parquetMetadata(bufferOf(path));
}

/** Of an export's folder, shard by shard. Whole numbers are numbers; the pictures' bytes are a Uint8Array. */
export async function parquetRows(
  folder: string,
  split = 'train',
): Promise<readonly Record<string, unknown>[]> {
  const data = join(folder, 'data');
  const names = readdirSync(data).filter((name) => name.startsWith(`${split}-`));
  const rows: Record<string, unknown>[] = [];
  for (const name of names.toSorted())
    rows.push(...(await parquetReadObjects({ file: bufferOf(join(data, name)), utf8: false })));
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, plain(cell)])),
  );
}

function plain(cell: unknown): unknown {
  return typeof cell === 'bigint' ? Number(cell) : cell;
}

function bufferOf(path: string): ArrayBuffer {
  const bytes = readFileSync(path);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
}
