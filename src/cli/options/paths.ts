/** Paths as the user types them, relative to the folder in which the program was started. */
import { readFileSync, statSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { StorageError, UsageError } from '../../base/errors.js';
import { systemWords } from '../../base/system-words.js';
import { makeFolder } from '../../log/folder.js';
import type { Io } from '../terminal/io.js';

export function fromCwd(io: Io, path: string): string {
  return resolve(io.cwd, path);
}

/** A store that is a bucket of S3. */
export function isBucket(path: string): boolean {
  return path.startsWith('s3://');
}

/** A file that an option names. Throws UsageError if it can't be read. */
export function readBytes(path: string, io: Io): Buffer {
  try {
    return readFileSync(fromCwd(io, path));
  } catch (error) {
    throw new UsageError(`${path} can't be read: ${systemWords(error)}`);
  }
}

/**
 * The file that `--out` means, as it was typed: if `--out` is a folder, or ends like one, the file `name` in
 * it. A missing folder is created. Throws StorageError if it can't be.
 */
export function fileFor(out: string, name: string, io: Io): string {
  const path = fromCwd(io, out);
  const endsAsFolder = out.endsWith('/') || out.endsWith(sep);
  if (!endsAsFolder && !isFolder(path)) return out;
  try {
    makeFolder(path);
  } catch (error) {
    throw new StorageError(`the folder ${out} can't be created: ${systemWords(error)}`, [
      'choose another path with --out',
    ]);
  }
  return join(out, name);
}

/** A path that can't be inspected counts as a file: the later write reports the reason. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** A log's name without its extension; files made from the log are named after it. */
export function logName(address: string): string {
  return basename(address.replace(/#.*$/, '')).replace(/\.sqlite$/, '');
}
