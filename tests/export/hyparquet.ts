/** A Parquet file's own words, by hyparquet. */
import { readFileSync } from 'node:fs';
import { parquetMetadata } from 'hyparquet';
import type { FileMetaData } from 'hyparquet';

export function parquetWords(path: string): FileMetaData {
  const bytes = readFileSync(path);
  return parquetMetadata(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
