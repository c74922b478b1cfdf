/**
 * Checks that the file that is being written still exists and has not shrunk: another program may truncate,
 * replace or remove it, and SQLite would not notice and continue to write. It checks only names and sizes,
 * because opening and closing the file would release SQLite's locks on it.
 */
import { realpathSync, statSync } from 'node:fs';
import { StorageError } from '../base/errors.js';

interface FileState {
  file: string;
  bytes: number;
}

export class FileGuard {
  readonly #path: string;
  /** The WAL is next to the real file, wherever links to it are. */
  readonly #walPath: string;
  /** The size to which SQLite may shorten its WAL by itself. */
  readonly #walBytesKept: number;
  #main: FileState | null;
  #wal: FileState | null;

  constructor(path: string, walBytesKept: number) {
    this.#path = path;
    this.#walBytesKept = walBytesKept;
    this.#main = readFileState(path);
    this.#walPath = `${realpathSync(path)}-wal`;
    this.#wal = readFileState(this.#walPath);
  }

  /**
   * Called before each transaction, and after each commit. Throws if a file was replaced, or is shorter than
   * before.
   */
  check(): void {
    this.#main = this.#checkGrowth(this.#path, this.#main, Infinity);
    this.#wal = this.#checkGrowth(this.#walPath, this.#wal, this.#walBytesKept);
  }

  /** Called once everything is in the one file. */
  checkAlone(): void {
    this.#main = this.#checkGrowth(this.#path, this.#main, Infinity);
  }

  #checkGrowth(path: string, previous: FileState | null, bytesKept: number): FileState | null {
    const now = readFileState(path);
    const isSame =
      now?.file === previous?.file && (now?.bytes ?? 0) >= Math.min(previous?.bytes ?? 0, bytesKept);
    if (isSame) return now;
    throw new StorageError(
      `the log ${this.#path} was cut off, replaced or removed by another program while it was written`,
      ['its contents may be lost: run `orchestrate verify` to see what is left'],
    );
  }
}

function readFileState(path: string): FileState | null {
  const status = statSync(path, { throwIfNoEntry: false });
  return status === undefined ? null : { file: `${status.dev}/${status.ino}`, bytes: status.size };
}
