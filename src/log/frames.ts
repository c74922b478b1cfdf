/**
 * Frames: each picture that was sent, once under the hash of its pixels, with the bytes of its PNG in its own row. They come
 * back exactly as they were sent: the row holds the PNG's SHA-256, and what is read is hashed again.
 */
import type Database from 'better-sqlite3';
import type { LoggedFrame } from './records.js';
import { sha256 } from '../base/canonical.js';
import { assert } from '../base/assert.js';
import type { Checking } from './blobs.js';
import { damaged } from './failures.js';

/** How every PNG begins: its signature, then the header's length and name. */
const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
/** Where a PNG's header says its size. */
const PNG_WIDTH_AT = 16;
const PNG_HEIGHT_AT = 20;

/** Frames that the writer knows to be there: agents stand still, or come back. */
const FRAMES_REMEMBERED = 4096;

export class FrameWriter {
  readonly #add: Database.Statement<[string, string, number, number, Uint8Array]>;
  readonly #kept = new Set<string>();

  constructor(db: Database.Database) {
    this.#add = db.prepare(
      `INSERT INTO frames (hash, sha256, width, height, png) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (hash) DO NOTHING`,
    );
  }

  /** Stores the picture where it is new. */
  keep(hash: string, png: Uint8Array): void {
    if (this.#kept.has(hash)) return;
    const size = sizeOf(png);
    assert(size !== null, 'a frame is a PNG');
    this.#add.run(hash, sha256(png), size.width, size.height, png);
    if (this.#kept.size >= FRAMES_REMEMBERED) this.#kept.clear();
    this.#kept.add(hash);
  }
}

/** What a PNG's header says; null where the bytes begin like no PNG. */
function sizeOf(png: Uint8Array): { readonly width: number; readonly height: number } | null {
  const file = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (file.length < PNG_HEIGHT_AT + 4 || !file.subarray(0, PNG_START.length).equals(PNG_START)) return null;
  return { width: file.readUInt32BE(PNG_WIDTH_AT), height: file.readUInt32BE(PNG_HEIGHT_AT) };
}

/** Reads frames back, each checked against its hash. `path` is for messages. */
export class FrameReader {
  readonly #path: string;
  readonly #checking: Checking;
  readonly #frame: Database.Statement<[string], LoggedFrame & { readonly sha256: string }>;

  constructor(db: Database.Database, path: string, checking: Checking = 'checked') {
    this.#path = path;
    this.#checking = checking;
    this.#frame = db.prepare('SELECT sha256, width, height, png FROM frames WHERE hash = ?');
  }

  /** Null where no picture of that hash was sent. */
  frame(hash: string): LoggedFrame | null {
    const row = this.#frame.get(hash);
    if (row === undefined) return null;
    const { png, width, height } = row;
    if (!Buffer.isBuffer(png)) throw damaged(this.#path, `frame ${hash} is not what it was`);
    if (this.#checking === 'unchecked') return { png, width, height };
    if (sha256(png) !== row.sha256) throw damaged(this.#path, `frame ${hash} is not what it was`);
    const size = sizeOf(png);
    if (size?.width !== width || size.height !== height)
      throw damaged(this.#path, `frame ${hash} is no PNG of ${width}×${height} pixels`);
    return { png, width, height };
  }

  /** The PNG of a message's part. */
  png(hash: string): Uint8Array {
    const frame = this.frame(hash);
    if (frame === null) throw damaged(this.#path, `frame ${hash} is missing`);
    return frame.png;
  }
}
