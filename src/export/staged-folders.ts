/**
 * Folders of pictures that get their final name once all in them is whole. Names for each picture alone would cost a third of writing it, and
 * ten times that where the file system is busy. Until then a folder is called `.part`, and a note beside it tells which picture is being
 * written: whoever goes on after a kill takes every other one as it lies there. In: names below the export's folder; out: paths, and files.
 */
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../log/folder.js';

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
/** A link that lies there is never followed. */
export const WRITE_ANEW = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;

/** Lists pictures that may be half, up to an empty line; what a longer list left stands behind it. */
const NOTE = 'picture.part';

/** What a file or folder is called until it is whole. */
export function partOf(path: string): string {
  return `${path}.part`;
}

export class StagedFolders {
  readonly #root: string;
  /** Where the files of each lie, by name. */
  readonly #paths = new Map<string, string>();
  readonly #made = new Set<string>();
  /** What killed exports were writing and nobody has written since. */
  readonly #broken: Set<string>;
  #note: number | null = null;

  /** `isFresh` where nothing is there yet. Throws the file system's own errors, as all of it does. */
  constructor(root: string, isFresh: boolean) {
    this.#root = root;
    this.#broken = new Set(isFresh ? [] : noted(join(root, NOTE)));
  }

  /** From here on what is written below the folder waits for `settle`. One that has its final name already stays as it is. */
  stage(folder: string): void {
    const path = join(this.#root, folder);
    if (!existsSync(path)) this.#paths.set(folder, partOf(path));
  }

  /** Where a file of a folder that waits lies; null for any other. */
  pathOf(name: string): string | null {
    const end = name.lastIndexOf('/');
    const folder = this.#paths.get(name.slice(0, Math.max(0, end)));
    return folder === undefined ? null : folder + name.slice(end);
  }

  /** Whether it may be half. */
  isBroken(name: string): boolean {
    return this.#broken.has(name);
  }

  /** `path` is what `pathOf` gave. */
  write(name: string, path: string, bytes: Uint8Array): void {
    this.#makeFolder(path.slice(0, path.lastIndexOf('/')));
    this.#tell(name);
    writeAnew(path, bytes);
    this.#broken.delete(name);
  }

  /** Gives the folder its final name; nothing where it has it. */
  settle(folder: string): void {
    const path = this.#paths.get(folder);
    if (path === undefined) return;
    if (existsSync(path)) renameSync(path, join(this.#root, folder));
    this.#paths.delete(folder);
    if (this.#paths.size === 0) this.dropNote();
  }

  /** Nothing is being written any more. */
  dropNote(): void {
    if (this.#note !== null) closeSync(this.#note);
    this.#note = null;
    if (this.#broken.size === 0) rmSync(join(this.#root, NOTE), { force: true });
  }

  #makeFolder(path: string): void {
    if (this.#made.has(path)) return;
    makeFolder(path);
    this.#made.add(path);
  }

  /** In place of what the note said: emptied first, a kill in between would lose what is half. */
  #tell(name: string): void {
    this.#note ??= openSync(join(this.#root, NOTE), O_WRONLY | O_CREAT | O_NOFOLLOW);
    writeSync(this.#note, `${[name, ...this.#broken].join('\n')}\n\n`, 0);
  }
}

function noted(path: string): readonly string[] {
  const [list = ''] = existsSync(path) ? readFileSync(path, 'utf8').split('\n\n', 1) : [];
  return list.split('\n').filter((name) => name !== '');
}

/** The whole file, or none. */
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
