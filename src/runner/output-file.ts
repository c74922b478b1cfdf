/** What a program prints, in files of limited size: the newest in `NAME.log`, what came before in `NAME.log.1`; older output is dropped. */
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const ROTATED_BYTES = 5 * 1024 * 1024;

export class OutputFile {
  readonly path: string;
  readonly #limit: number;
  #bytes: number;

  /** Throws what the file system refuses. */
  constructor(path: string, limit: number = ROTATED_BYTES) {
    this.path = path;
    this.#limit = limit;
    mkdirSync(dirname(path), { recursive: true });
    this.#bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    // Also of a program that prints nothing there is a file, where the runner says.
    this.write(new Uint8Array());
  }

  /** A disk that is full costs output, not the program. */
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
