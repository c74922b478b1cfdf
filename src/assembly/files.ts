/** Reads files that the user names on the command line, and those of the package. */
import { readFileSync } from 'node:fs';
import { UsageError } from '../base/errors.js';
import { systemWords } from '../base/system-words.js';

export function readText(path: string): string {
  return new TextDecoder().decode(readBytes(path));
}

/** Throws UsageError, in the user's terms, if the file can't be read. */
export function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`${path} can't be read: ${systemWords(error)}`, hintFor(error));
  }
}

function hintFor(error: unknown): readonly string[] {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
    ? ['check the path; it is relative to the current folder']
    : [];
}
