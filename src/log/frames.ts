/**
 * Frames: each sent picture, stored once under the hash of its pixels, with the bytes of its PNG in its own
 * row. Requests refer to it by the row's number, so a picture that is sent again costs a few bytes. Frames
 * are read back exactly as sent: the row has the PNG's SHA-256, and the bytes are hashed again when read.
 */
import type Database from 'better-sqlite3';
import type { LoggedFrame } from '../trajectory/records.js';
import { sha256 } from '../base/canonical.js';
import { assert, known } from '../base/assert.js';
import { LIMITS } from '../base/limits.js';
import type { CheckMode } from './blobs.js';
import { damaged } from './damaged.js';

/** How every PNG begins: its signature, then the header's length and name. */
const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
/** The position of the size in a PNG's header. */
const PNG_WIDTH_AT = 16;
const PNG_HEIGHT_AT = 20;

/** The number of stored frames that the writer remembers: agents often don't move, or come back. */
const REMEMBERED_FRAMES_MAX = 4096;

export class FrameWriter {
  readonly #add: Database.Statement<[string, string, number, number, Uint8Array]>;
  readonly #find: Database.Statement<[string], number>;
  /** By frame hash. */
  readonly #numbers = new Map<string, number>();

  constructor(db: Database.Database) {
    this.#add = db.prepare(
      `INSERT INTO frames (hash, sha256, width, height, png) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (hash) DO NOTHING`,
    );
    this.#find = db.prepare<[string], number>('SELECT frame FROM frames WHERE hash = ?').pluck();
  }

  /** Stores the picture if it is new; returns its number. */
  store(hash: string, png: Uint8Array): number {
    const stored = this.#numbers.get(hash);
    if (stored !== undefined) return stored;
    const size = sizeOf(png);
    assert(size !== null, 'a frame is a PNG');
    const { changes, lastInsertRowid } = this.#add.run(hash, sha256(png), size.width, size.height, png);
    return this.#remember(hash, changes === 1 ? Number(lastInsertRowid) : this.#find.get(hash));
  }

  /** The number of a stored picture. */
  number(hash: string): number {
    return this.#numbers.get(hash) ?? this.#remember(hash, this.#find.get(hash));
  }

  #remember(hash: string, found: number | undefined): number {
    const number = known(found, `frame ${hash} in the log`);
    if (this.#numbers.size >= REMEMBERED_FRAMES_MAX) this.#numbers.clear();
    this.#numbers.set(hash, number);
    return number;
  }
}

/** The data in a PNG's header; null if the bytes don't begin like a PNG. */
function sizeOf(png: Uint8Array): { width: number; height: number } | null {
  const file = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (file.length < PNG_HEIGHT_AT + 4 || !file.subarray(0, PNG_START.length).equals(PNG_START)) return null;
  return { width: file.readUInt32BE(PNG_WIDTH_AT), height: file.readUInt32BE(PNG_HEIGHT_AT) };
}

/** The largest frame that is drawn has a ruler along its edge. */
const SIDE_MAX = LIMITS.logFrameSidePixels;

function isSideLength(pixels: unknown): boolean {
  return Number.isSafeInteger(pixels) && Number(pixels) >= 1 && Number(pixels) <= SIDE_MAX;
}

/** Without column names, as for `BlobRow`. */
type FrameRow = readonly [hash: string, sha256: string, width: number, height: number, png: unknown];

/** The number of pictures that are cached after reading: runs of one scenario begin with the same ones. */
const CACHED_PNG_BYTES_MAX = 8_000_000;

/** The hash and the PNG of a message's picture. */
interface StoredImage {
  hash: string;
  png: Uint8Array;
}

/** Reads frames back, each checked against its hash. `path` is for messages. */
export class FrameReader {
  readonly #path: string;
  readonly #checking: CheckMode;
  readonly #number: Database.Statement<[string], number>;
  readonly #frame: Database.Statement<[number], FrameRow>;
  readonly #hash: Database.Statement<[number], string>;
  /** Recently read frames, by number. */
  readonly #hashes = new Map<number, string>();
  readonly #pictures = new Map<number, StoredImage>();
  #pngBytes = 0;

  constructor(db: Database.Database, path: string, checking: CheckMode = 'checked') {
    this.#path = path;
    this.#checking = checking;
    this.#number = db.prepare<[string], number>('SELECT frame FROM frames WHERE hash = ?').pluck();
    this.#hash = db.prepare<[number], string>('SELECT hash FROM frames WHERE frame = ?').pluck();
    this.#frame = db
      .prepare<[number], FrameRow>('SELECT hash, sha256, width, height, png FROM frames WHERE frame = ?')
      .raw();
  }

  /** Null if no picture with this hash was sent. */
  frame(hash: string): LoggedFrame | null {
    const number = this.#number.get(hash);
    const row = number === undefined ? undefined : this.#frame.get(number);
    return row === undefined ? null : this.#verified(row);
  }

  /** A message's picture by its number. */
  numbered(number: number): StoredImage {
    const cached = this.#pictures.get(number);
    if (cached !== undefined) return cached;
    const row = this.#frame.get(number);
    if (row === undefined) throw damaged(this.#path, `frame ${number} is missing`);
    const { png } = this.#verified(row);
    const [hash] = row;
    if (this.#hashes.size >= REMEMBERED_FRAMES_MAX) this.#hashes.clear();
    this.#hashes.set(number, hash);
    return this.#cache(number, { png, hash });
  }

  #cache(number: number, picture: StoredImage): StoredImage {
    this.#pngBytes += picture.png.length;
    if (this.#pngBytes > CACHED_PNG_BYTES_MAX) {
      this.#pictures.clear();
      this.#pngBytes = picture.png.length;
    }
    this.#pictures.set(number, picture);
    return picture;
  }

  /** The hash of a picture by its number. */
  hash(number: number): string {
    const hash = this.#hashes.get(number) ?? this.#hash.get(number);
    if (hash === undefined) throw damaged(this.#path, `frame ${number} is missing`);
    return hash;
  }

  #verified([hash, stored, width, height, png]: FrameRow): LoggedFrame {
    if (!Buffer.isBuffer(png)) throw damaged(this.#path, `frame ${hash} was altered (hash mismatch)`);
    // Checked before anything decompresses it, because a small file may claim any size.
    if (!isSideLength(width) || !isSideLength(height))
      throw damaged(this.#path, `frame ${hash} is larger than ${SIDE_MAX}×${SIDE_MAX} pixels`);
    if (this.#checking === 'unchecked') return { png, width, height };
    if (sha256(png) !== stored) throw damaged(this.#path, `frame ${hash} was altered (hash mismatch)`);
    const size = sizeOf(png);
    if (size?.width !== width || size.height !== height)
      throw damaged(this.#path, `frame ${hash} is not a PNG of ${width}×${height} pixels`);
    return { png, width, height };
  }
}
