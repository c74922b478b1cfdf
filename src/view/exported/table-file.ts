/**
 * A table of a folder of tables, read from its Parquet file. Files may come from anyone: a file that is too
 * large, is not Parquet, or has other columns is refused with its name.
 */
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { StorageError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { lookUp } from '../../base/look-up.js';
import { readRegular } from '../../scenario/regular-file.js';

/** A row whose cells are read by type. Each method throws StorageError for another type or a missing cell. */
export interface TableRow {
  text(column: string): string;
  textOrNull(column: string): string | null;
  integer(column: string): number;
  integerOrNull(column: string): number | null;
  boolean(column: string): boolean;
  bytes(column: string): Uint8Array;
}

/** The rows of a table in the file's order. Rejects with StorageError. */
export async function readTable(folder: string, table: string): Promise<readonly TableRow[]> {
  const name = `${table}.parquet`;
  const path = join(folder, name);
  let rows: readonly Readonly<Record<string, unknown>>[];
  try {
    const bytes = readRegular(path, LIMITS.tableBytes);
    const file = bytes.slice().buffer;
    rows = await parquetReadObjects({ file, utf8: false });
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it is not a Parquet file';
    throw new StorageError(`${path} can't be read: ${reason}`, [], { cause: error });
  }
  return rows.map((cells, i) => rowOf(cells, `${name}, row ${i + 1}`));
}

function rowOf(cells: Readonly<Record<string, unknown>>, position: string): TableRow {
  const invalidCell = (column: string, expected: string): StorageError =>
    new StorageError(`${position}: ${column} is not ${expected}`, [
      'use tables that orchestrate export --format tables wrote',
    ]);
  const textOrNull = (column: string): string | null => {
    const value = lookUp(cells, column);
    if (value === null || typeof value === 'string') return value;
    throw invalidCell(column, 'text');
  };
  const integerOrNull = (column: string): number | null => {
    const value = lookUp(cells, column);
    if (value === null) return null;
    const number = typeof value === 'bigint' ? Number(value) : value;
    if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
    throw invalidCell(column, 'a whole number');
  };
  const requirePresent = <T>(value: T | null, column: string, expected: string): T => {
    if (value === null) throw invalidCell(column, expected);
    return value;
  };
  return {
    textOrNull,
    integerOrNull,
    text: (column) => requirePresent(textOrNull(column), column, 'text'),
    integer: (column) => requirePresent(integerOrNull(column), column, 'a whole number'),
    boolean: (column) => {
      const value = lookUp(cells, column);
      if (typeof value === 'boolean') return value;
      throw invalidCell(column, 'true or false');
    },
    bytes: (column) => {
      const value = lookUp(cells, column);
      if (value instanceof Uint8Array) return value;
      throw invalidCell(column, 'bytes');
    },
  };
}
