/**
 * The output of a program, in files of limited size: the newest in `NAME.log`, the previous part in
 * `NAME.log.1`; older output is dropped.
 */
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const ROTATED_BYTES = 5 * 1024 * 1024;

export class OutputFile {
  readonly path: string;
  readonly #limit: number;
  #bytes: number;

  /** Throws the file system's error. */
  constructor(path: string, limit: number = ROTATED_BYTES) {
    this.path = path;
    this.#limit = limit;
    mkdirSync(dirname(path), { recursive: true });
    this.#bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    // The file exists even if the program prints nothing, because the runner names it.
    this.write(new Uint8Array());
  }

  /** A full disk loses output, but does not stop the program. */
  write(chunk: Uint8Array): void {
    try {
      if (this.#bytes > 0 && this.#bytes + chunk.length > this.#limit) {
        renameSync(this.path, `${this.path}.1`);
        this.#bytes = 0;
      }
      appendFileSync(this.path, chunk);
      this.#bytes += chunk.length;
    } catch {
      this.#bytes = 0;
    }
  }
}
