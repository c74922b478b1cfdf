/**
 * Where an export writes: a folder in which a file gets its final name only once it is complete, or, for
 * `--dry-run`, a counter of bytes. Files that an interrupted export finished are kept and not written again.
 * Pictures get their names together, folder by folder, because renaming each would take a third as long as
 * writing it, and ten times that on a busy file system; a resumed export keeps each complete picture.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { makeFolder } from '../log/folder.js';
import {
  partOf,
  UnfinishedFile,
  withStorageErrors,
  writeAtomically,
  writeUnfinished,
} from '../log/write-atomically.js';

// Whether a picture's file is complete, judged by its bytes: a PNG ends with a fixed empty chunk, a WebP
// begins with its length. A killed export leaves only the beginning of the file that it was writing.

/** An existing pipe is not waited for. */
const READ_AT_ONCE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** How every PNG ends: the length, name and checksum of its last chunk. */
const PNG_END = Buffer.from('0000000049454e44ae426082', 'hex');
/** A WebP file begins with `RIFF`, its length without these 8 bytes, and `WEBP`. */
const RIFF_BYTES = 8;
const HEAD_BYTES = 12;

/** Null if there is no file, or it is not a complete PNG or WebP. Throws the file system's own errors. */
function completePictureBytes(path: string): number | null {
  const file = openExisting(path);
  if (file === null) return null;
  try {
    const stats = fstatSync(file);
    const { size } = stats;
    return stats.isFile() && size >= HEAD_BYTES && isComplete(file, size) ? size : null;
  } finally {
    closeSync(file);
  }
}

function isComplete(file: number, size: number): boolean {
  const [head, end] = [bytesAt(file, 0), bytesAt(file, size - HEAD_BYTES)];
  const isWebp = head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', RIFF_BYTES) === 'WEBP';
  return isWebp ? head.readUInt32LE(4) === size - RIFF_BYTES : end.equals(PNG_END);
}

function bytesAt(file: number, position: number): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES);
  readSync(file, bytes, 0, HEAD_BYTES, position);
  return bytes;
}

/** Null if there is no file, or a link, which is never followed. */
function openExisting(path: string): number | null {
  try {
    return openSync(path, READ_AT_ONCE);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ELOOP') return null;
    throw error;
  }
}

/** A written file. */
export interface WrittenFile {
  name: string;
  bytes: number;
  /** 64 hexadecimal digits. */
  sha256: string;
}

/** A file that is written in order. */
export interface TargetFile {
  write(bytes: Uint8Array | string): void;
  /** Gives the file its final name. */
  keep(): WrittenFile;
}

export interface ExportTarget {
  /** The file that already has its final name; null if there is none. */
  finished(name: string): WrittenFile | null;
  /**
   * Only the size of such a picture; null if there is none, or if its folder has no final name yet and the
   * picture is incomplete.
   */
  finishedBytes(name: string): number | null;
  open(name: string): TargetFile;
  /** Writes a whole file whose hash is not needed; returns its size in bytes. */
  put(name: string, bytes: Uint8Array): number;
  /** Begins a folder that gets its final name with `settle`, once everything in it is complete. */
  stage(folder: string): void;
  settle(folder: string): void;
  /** Removes what is incomplete. */
  discard(): void;
}

const BLOCK_BYTES = 1 << 18;
/** For each UTF-16 unit of a text. */
const UTF8_BYTES_MAX = 3;

/** A folder; throws StorageError if it can't be written to. */
export class FolderTarget implements ExportTarget {
  readonly path: string;
  readonly #isFresh: boolean;
  /** The folders that exist. */
  readonly #made = new Set<string>();
  /** The folders that wait for their final name: each folder's path until then, by its name. */
  readonly #staged = new Map<string, string>();
  readonly #open = new Set<FolderFile>();

  /** `isFresh` if nothing exists yet, so that no check is needed. */
  constructor(path: string, { isFresh }: { isFresh: boolean }) {
    this.path = path;
    this.#isFresh = isFresh;
  }

  finished(name: string): WrittenFile | null {
    const { path } = this.#placeOf(name);
    if (this.#isFresh || !existsSync(path)) return null;
    return withStorageErrors(path, () => {
      const bytes = readFileSync(path);
      return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    });
  }

  finishedBytes(name: string): number | null {
    if (this.#isFresh) return null;
    const { path, isStaged } = this.#placeOf(name);
    if (isStaged) return withStorageErrors(path, () => completePictureBytes(path));
    return statSync(path, { throwIfNoEntry: false })?.size ?? null;
  }

  open(name: string): TargetFile {
    const { path } = this.#placeOf(name);
    return withStorageErrors(path, () => {
      this.#makeFolder(dirname(path));
      const file = new FolderFile(path, name, () => this.#open.delete(file));
      this.#open.add(file);
      return file;
    });
  }

  put(name: string, bytes: Uint8Array): number {
    const { path, isStaged } = this.#placeOf(name);
    withStorageErrors(path, () => {
      this.#makeFolder(dirname(path));
      if (isStaged) writeUnfinished(path, bytes);
      else writeAtomically(path, bytes);
    });
    return bytes.length;
  }

  /** A folder that already has its final name stays as it is. */
  stage(folder: string): void {
    const path = join(this.path, folder);
    if (!existsSync(path)) this.#staged.set(folder, partOf(path));
  }

  settle(folder: string): void {
    const part = this.#staged.get(folder);
    this.#staged.delete(folder);
    const path = join(this.path, folder);
    if (part !== undefined && existsSync(part)) withStorageErrors(path, () => renameSync(part, path));
  }

  discard(): void {
    for (const file of this.#open) file.discard();
    this.#open.clear();
  }

  #placeOf(name: string): { path: string; isStaged: boolean } {
    const folder = this.#staged.get(posix.dirname(name));
    if (folder === undefined) return { path: join(this.path, name), isStaged: false };
    return { path: join(folder, posix.basename(name)), isStaged: true };
  }

  #makeFolder(path: string): void {
    if (this.#made.has(path)) return;
    makeFolder(path);
    this.#made.add(path);
  }
}

class FolderFile implements TargetFile {
  readonly #path: string;
  readonly #name: string;
  readonly #onKept: () => void;
  readonly #file: UnfinishedFile;
  readonly #hash = createHash('sha256');
  /** Its first `#waiting` bytes are not written to the file yet. */
  #block = Buffer.alloc(0);
  #waiting = 0;
  #bytes = 0;

  constructor(path: string, name: string, onKept: () => void) {
    this.#path = path;
    this.#name = name;
    this.#onKept = onKept;
    this.#file = new UnfinishedFile(path);
  }

  write(bytes: Uint8Array | string): void {
    const maxBytes = typeof bytes === 'string' ? bytes.length * UTF8_BYTES_MAX : bytes.length;
    if (maxBytes > BLOCK_BYTES - this.#waiting) this.#flush();
    if (maxBytes > BLOCK_BYTES) {
      this.#append(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
      return;
    }
    if (this.#block.length === 0) this.#block = Buffer.allocUnsafe(BLOCK_BYTES);
    if (typeof bytes === 'string') this.#waiting += this.#block.write(bytes, this.#waiting);
    else {
      this.#block.set(bytes, this.#waiting);
      this.#waiting += bytes.length;
    }
  }

  keep(): WrittenFile {
    this.#flush();
    withStorageErrors(this.#path, () => this.#file.keep());
    this.#onKept();
    return { name: this.#name, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  discard(): void {
    this.#file.discard();
  }

  #flush(): void {
    this.#append(this.#block.subarray(0, this.#waiting));
    this.#waiting = 0;
  }

  #append(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#hash.update(bytes);
    withStorageErrors(this.#path, () => this.#file.write(bytes));
  }
}

/** Writes nothing, and reports how much it would have written. */
export class CountingTarget implements ExportTarget {
  finished(): null {
    return null;
  }

  finishedBytes(): null {
    return null;
  }

  open(name: string): TargetFile {
    let bytes = 0;
    return {
      write: (chunk) => void (bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length),
      keep: () => ({ name, bytes, sha256: '' }),
    };
  }

  put(_name: string, bytes: Uint8Array): number {
    return bytes.length;
  }

  stage(): void {}

  settle(): void {}

  discard(): void {}
}

/** Writes a file at once. */
export function writeWhole(target: ExportTarget, name: string, bytes: Uint8Array | string): WrittenFile {
  const file = target.open(name);
  file.write(bytes);
  return file.keep();
}
