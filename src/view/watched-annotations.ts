/**
 * The marks of a log while its page is served. They are read again whenever their file has changed, because
 * `mark` in a terminal or another page may write it.
 */
import { statSync } from 'node:fs';
import { marksPath, readMarks } from '../log/annotations.js';
import type { AnnotationReader } from '../log/annotations.js';

export class WatchedMarks {
  readonly #log: string;
  #version: string | null = null;
  #marks: AnnotationReader | null = null;

  constructor(log: string) {
    this.#log = log;
  }

  /** Throws StorageError if they can't be read. */
  now(): AnnotationReader {
    // Taken before reading, so that a change in between is noticed the next time.
    const version = this.#fileVersion();
    if (this.#marks === null || version !== this.#version) this.#marks = readMarks(this.#log);
    this.#version = version;
    return this.#marks;
  }

  #fileVersion(): string {
    const stat = statSync(marksPath(this.#log), { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? '' : [stat.ino, stat.size, stat.mtimeNs].join(' ');
  }
}
