/**
 * A file that a command makes. It is written next to its final place and moved there once it is complete, so
 * an interruption or a full disk leaves nothing, and no file of the user's is overwritten by accident.
 */
import { closeSync, existsSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { known } from '../../base/assert.js';
import { StorageError, UsageError } from '../../base/errors.js';
import { systemWords } from '../../base/system-words.js';

/** Throws UsageError if the file exists and `force` was not given. */
export function requireFree(path: string, { force }: { readonly force: boolean }): void {
  if (existsSync(path) && !force)
    throw new UsageError(`${path} already exists`, [
      'use --force to overwrite it, or another name with --out to keep it',
    ]);
}

export class OutFile {
  readonly #path: string;
  readonly #partPath: string;
  /** Null once it is closed. */
  #file: number | null = null;

  /** Throws StorageError if nothing can be written there. */
  constructor(path: string) {
    this.#path = path;
    this.#partPath = `${path}.part`;
    try {
      // An existing link is replaced, never followed.
      rmSync(this.#partPath, { force: true });
      this.#file = openSync(this.#partPath, 'wx');
    } catch (error) {
      throw unwritable(path, error);
    }
  }

  /** The temporary path to which the file is written until it is complete. */
  get partPath(): string {
    return this.#partPath;
  }

  write(bytes: Uint8Array): void {
    this.#guarded(() => writeWhole(known(this.#file, 'an open file'), bytes, null));
  }

  /** Replaces what was written before. */
  patch(offset: number, bytes: Uint8Array): void {
    this.#guarded(() => writeWhole(known(this.#file, 'an open file'), bytes, offset));
  }

  commit(): void {
    this.#guarded(() => {
      this.#close();
      renameSync(this.#partPath, this.#path);
    });
  }

  /** Leaves nothing; a failure has already done so. */
  discard(): void {
    this.#close();
    rmSync(this.#partPath, { force: true });
  }

  #close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  /** After a failure, nothing is left. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.discard();
      throw unwritable(this.#path, error);
    }
  }
}

function unwritable(path: string, error: unknown): StorageError {
  return new StorageError(`${path} can't be written: ${systemWords(error)}`, [
    'choose another path with --out',
  ]);
}

/** Writes a whole file. Throws StorageError if it can't be written; then nothing of it is left. */
export function writeOut(path: string, bytes: Uint8Array): void {
  const file = new OutFile(path);
  file.write(bytes);
  file.commit();
}

function writeWhole(file: number, bytes: Uint8Array, at: number | null): void {
  let written = 0;
  while (written < bytes.length)
    written += writeSync(file, bytes, written, bytes.length - written, at === null ? null : at + written);
}
