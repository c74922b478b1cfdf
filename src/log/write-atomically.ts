/**
 * Files that are found complete or not at all: each is written as `NAME.part` next to its place and renamed
 * once it is complete. After a failure nothing is left; a killed process leaves the `.part`, and the next one
 * that writes the same file replaces it. So is anything else that has this name: a link is never followed,
 * and a pipe never waited for.
 */
import { closeSync, openSync, readdirSync, renameSync, rmSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { known } from '../base/assert.js';
import { StorageError } from '../base/errors.js';
import { systemWords } from '../base/system-words.js';

const ENDING = '.part';

/** The name of a file or folder until it is complete. */
export function partOf(path: string): string {
  return `${path}${ENDING}`;
}

/** Throws the file system's own errors; then nothing of the file is left. */
export function writeAtomically(path: string, content: Uint8Array | string, mode?: number): void {
  const file = new UnfinishedFile(path, mode);
  file.write(typeof content === 'string' ? Buffer.from(content) : content);
  file.keep();
}

/** A file that is written in pieces. Like `writeAtomically`, all methods leave nothing if they throw. */
export class UnfinishedFile {
  /** Where it lies until it is kept. */
  readonly partPath: string;
  readonly #path: string;
  /** Null once it is closed. */
  #file: number | null;

  constructor(path: string, mode?: number) {
    this.#path = path;
    this.partPath = partOf(path);
    this.#file = createFile(this.partPath, mode);
  }

  /** With an offset, over what was written there. */
  write(bytes: Uint8Array, offset: number | null = null): void {
    this.#orDiscard(() => writeAll(known(this.#file, 'an open file'), bytes, offset));
  }

  keep(): void {
    this.#orDiscard(() => {
      this.#close();
      renameSync(this.partPath, this.#path);
    });
  }

  discard(): void {
    this.#close();
    rmSync(this.partPath, { force: true });
  }

  #close(): void {
    const file = this.#file;
    this.#file = null;
    if (file !== null) closeSync(file);
  }

  #orDiscard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.discard();
      throw error;
    }
  }
}

/** Writes a file that counts only once its folder is complete. */
export function writeUnfinished(path: string, bytes: Uint8Array): void {
  const file = createFile(path);
  try {
    writeAll(file, bytes, null);
  } finally {
    closeSync(file);
  }
}

/** Removes unfinished files with such names that a killed process left and that nothing would replace. */
export function removeUnfinished(folder: string, name: RegExp): void {
  for (const part of readdirSync(folder))
    if (part.endsWith(ENDING) && name.test(part.slice(0, -ENDING.length)))
      rmSync(join(folder, part), { force: true });
}

/** Throws StorageError instead of the file system's own errors. */
export function withStorageErrors<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw storageError(path, error);
  }
}

/** The file system's own error as one for people; any other error as it is. */
export function storageError(path: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  return new StorageError(`${path} can't be written: ${systemWords(error)}`, [
    'choose another path with --out',
  ]);
}

function createFile(path: string, mode?: number): number {
  try {
    return openSync(path, 'wx', mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    unlinkSync(path);
    return openSync(path, 'wx', mode);
  }
}

function writeAll(file: number, bytes: Uint8Array, offset: number | null): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(file, bytes, done, bytes.length - done, offset === null ? null : offset + done);
}
