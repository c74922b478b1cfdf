/** Data sets opened by other programs than the one that wrote them: Python's readers (readers.py) and DuckDB. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import type { DuckDBValue } from '@duckdb/node-api';
import { readersPython } from '../../scripts/lib/python-readers.mjs';

/** Null where `node scripts/python-readers.mjs` was not run. */
export const PYTHON = readersPython();
const PROGRAM = fileURLToPath(new URL('readers.py', import.meta.url));

/** A row as a reader found it. */
export interface FoundRow {
  /** Places where a picture is meant to stand. */
  marks: number;
  /** Hashes of the pictures' RGB pixels. */
  images: readonly string[];
  answer: string;
}

export async function readByPython(format: string, folder: string): Promise<readonly FoundRow[]> {
  const { stdout } = await promisify(execFile)(PYTHON ?? '', [PROGRAM, format, folder], {
    maxBuffer: 1 << 28,
  });
  return JSON.parse(stdout) as readonly FoundRow[];
}

/** What a query gives, row by row. */
export async function duck(sql: string): Promise<readonly Readonly<Record<string, DuckDBValue>>[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjects();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
