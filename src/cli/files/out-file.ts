/** A file that a command makes: it never overwrites one of the user's by accident. */
import { existsSync } from 'node:fs';
import { UsageError } from '../../base/errors.js';
import { withStorageErrors, writeAtomically } from '../../log/write-atomically.js';

/** Throws UsageError if the file exists and `force` was not given. */
export function requireFree(path: string, { force }: { force: boolean }): void {
  if (existsSync(path) && !force)
    throw new UsageError(`${path} already exists`, [
      'use --force to overwrite it, or another name with --out to keep it',
    ]);
}

/** Writes a whole file. Throws StorageError if it can't be written; then nothing of it is left. */
export function writeOut(path: string, bytes: Uint8Array): void {
  withStorageErrors(path, () => writeAtomically(path, bytes));
}
