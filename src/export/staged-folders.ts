/**
 * Folders of pictures that get their final name once all their pictures are complete. Renaming each picture
 * would take a third as long as writing it, and ten times that if the file system is busy. Until then the
 * folder's name ends in `.part`; a resumed export keeps each complete picture. In: names below the export's
 * folder; out: paths, and files.
 */
import { closeSync, constants, existsSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../log/folder.js';

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants;
/** An existing link is never followed, and an existing pipe never waited for. */
export const WRITE_ANEW = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK;

/** The name of a file or folder until it is complete. */
export function partOf(path: string): string {
  return `${path}.part`;
}

export class StagedFolders {
  readonly #root: string;
  /** The path at which the files of each folder are written, by the folder's name. */
  readonly #paths = new Map<string, string>();
  readonly #made = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  /**
   * What is written below the folder from now on waits for `settle`. A folder that already has its final name
   * stays as it is. Like all methods, it throws the file system's own errors.
   */
  stage(folder: string): void {
    const path = join(this.#root, folder);
    if (!existsSync(path)) this.#paths.set(folder, partOf(path));
  }

  /** The path of a file in a pending folder; null for any other. */
  pathOf(name: string): string | null {
    const end = name.lastIndexOf('/');
    const folder = this.#paths.get(name.slice(0, Math.max(0, end)));
    return folder === undefined ? null : folder + name.slice(end);
  }

  /** `path` is a result of `pathOf`. */
  write(path: string, bytes: Uint8Array): void {
    this.#makeFolder(path.slice(0, path.lastIndexOf('/')));
    writeAnew(path, bytes);
  }

  /** Gives the folder its final name, unless it has it already. */
  settle(folder: string): void {
    const path = this.#paths.get(folder);
    if (path === undefined) return;
    if (existsSync(path)) renameSync(path, join(this.#root, folder));
    this.#paths.delete(folder);
  }

  #makeFolder(path: string): void {
    if (this.#made.has(path)) return;
    makeFolder(path);
    this.#made.add(path);
  }
}

/** Writes the whole file; if that fails, removes it and throws. */
export function writeAnew(path: string, bytes: Uint8Array): void {
  const file = openSync(path, WRITE_ANEW);
  try {
    writeAll(file, bytes);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

export function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done);
}
