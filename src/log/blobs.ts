/**
 * Blobs: whatever is long or repeats, stored once under the SHA-256 of its bytes. Texts that people ask for in SQL lie as
 * they are; observations, states and memories are JSON for programs and are deflated, to about a third. What is read
 * back is hashed again, so that a damaged page is an error and never another picture.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type Database from 'better-sqlite3';
import { sha256 } from '../base/canonical.js';
import { LIMITS } from '../base/limits.js';
import { assert } from '../base/assert.js';
import type { Message, MessagePart } from '../model/chat.js';
import type { Content, MessageReference } from './content.js';
import { contentOfJson, contentOfText } from './content.js';
import { damaged } from './failures.js';

/** Level 1 saves nearly what the others do, in the least time (docs/LOG.md). */
const DEFLATE_LEVEL = 1;
/** Where a PNG's header says its size. */
const PNG_WIDTH_AT = 16;
const PNG_HEIGHT_AT = 20;

export class BlobWriter {
  readonly #has: Database.Statement<[string], number>;
  readonly #add: Database.Statement<[string, string, number, string | Uint8Array]>;
  readonly #hasFrame: Database.Statement<[string], number>;
  readonly #addFrame: Database.Statement<[string, string, number, number]>;

  constructor(db: Database.Database) {
    this.#has = db.prepare<[string], number>('SELECT 1 FROM blobs WHERE hash = ?').pluck();
    this.#add = db.prepare('INSERT INTO blobs (hash, encoding, bytes, content) VALUES (?, ?, ?, ?)');
    this.#hasFrame = db.prepare<[string], number>('SELECT 1 FROM frames WHERE hash = ?').pluck();
    this.#addFrame = db.prepare('INSERT INTO frames (hash, png, width, height) VALUES (?, ?, ?, ?)');
  }

  /** A text as it is; gives its hash. */
  text(text: string): string {
    const content = contentOfText(text);
    if (this.#isNew(content.hash)) this.#store(content.hash, 'plain', text, Buffer.byteLength(text));
    return content.hash;
  }

  /** Canonical JSON: safe integers only; gives its hash. */
  json(value: unknown): string {
    return this.#deflated(contentOfJson(value));
  }

  /** JSON of a controller's own making, which may hold any number; gives its hash. */
  looseJson(value: unknown): string {
    return this.#deflated(contentOfText(JSON.stringify(value)));
  }

  bytes(bytes: Uint8Array): string {
    const hash = sha256(bytes);
    if (this.#isNew(hash)) this.#store(hash, 'plain', bytes, bytes.length);
    return hash;
  }

  /** The texts and the frame of a message. */
  message(message: Message): void {
    for (const part of message.parts) {
      if (part.kind === 'text') this.text(part.text);
      else this.#frame(part.frameHash, part.png);
    }
  }

  #frame(hash: string, png: Uint8Array): void {
    if (this.#hasFrame.get(hash) !== undefined) return;
    assert(png.length > PNG_HEIGHT_AT + 4, 'a frame is a PNG');
    const header = new DataView(png.buffer, png.byteOffset, png.byteLength);
    this.#addFrame.run(
      hash,
      this.bytes(png),
      header.getUint32(PNG_WIDTH_AT),
      header.getUint32(PNG_HEIGHT_AT),
    );
  }

  #deflated(content: Content): string {
    if (!this.#isNew(content.hash)) return content.hash;
    const bytes = Buffer.from(content.text);
    this.#store(content.hash, 'deflate', deflateRawSync(bytes, { level: DEFLATE_LEVEL }), bytes.length);
    return content.hash;
  }

  #isNew(hash: string): boolean {
    return this.#has.get(hash) === undefined;
  }

  #store(hash: string, encoding: 'plain' | 'deflate', content: string | Uint8Array, bytes: number): void {
    assertBlobFits(bytes);
    this.#add.run(hash, encoding, bytes, content);
  }
}

export function assertBlobFits(bytes: number): void {
  assert(bytes <= LIMITS.logBlobBytes, `a blob of ${bytes} bytes`);
}

interface BlobRow {
  readonly encoding: string;
  readonly bytes: number;
  readonly content: string | Buffer | number | null;
}

export interface FrameRow {
  readonly png: string;
  readonly width: number;
  readonly height: number;
}

/** Reads blobs back, each checked against its hash. `path` is for messages. */
export class BlobReader {
  readonly #path: string;
  readonly #blob: Database.Statement<[string], BlobRow>;
  readonly #frame: Database.Statement<[string], FrameRow>;

  constructor(db: Database.Database, path: string) {
    this.#path = path;
    this.#blob = db.prepare('SELECT encoding, bytes, content FROM blobs WHERE hash = ?');
    this.#frame = db.prepare('SELECT png, width, height FROM frames WHERE hash = ?');
  }

  bytes(hash: string): Buffer {
    const row = this.#blob.get(hash);
    const bytes = row === undefined ? null : this.#decode(row, hash);
    if (bytes === null || sha256(bytes) !== hash)
      throw damaged(this.#path, `blob ${hash} is not what it was`);
    return bytes;
  }

  text(hash: string): string {
    return this.bytes(hash).toString('utf8');
  }

  json<T>(hash: string): T {
    return parseJson<T>(this.text(hash), this.#path, `blob ${hash}`);
  }

  /** Null where no picture of that hash was sent. */
  frame(hash: string): FrameRow | null {
    return this.#frame.get(hash) ?? null;
  }

  /** A part of a message, from its reference. */
  part(reference: MessageReference['parts'][number]): MessagePart {
    if ('text' in reference) return { kind: 'text', text: this.text(reference.text) };
    const frame = this.frame(reference.frame);
    if (frame === null) throw damaged(this.#path, `frame ${reference.frame} is missing`);
    return { kind: 'image', frameHash: reference.frame, png: this.bytes(frame.png) };
  }

  #decode(row: BlobRow, hash: string): Buffer {
    if (typeof row.content === 'string') return Buffer.from(row.content);
    if (!Buffer.isBuffer(row.content)) throw damaged(this.#path, `blob ${hash} is not what it was`);
    if (row.encoding === 'plain') return row.content;
    try {
      // The row's own word bounds the work: a stranger's few bytes can't unfold to fill the memory.
      return inflateRawSync(row.content, { maxOutputLength: inflatedMax(row.bytes) });
    } catch {
      throw damaged(this.#path, `blob ${hash} can't be unpacked`);
    }
  }
}

/** How far a stored blob may unfold, by what its row says. */
export function inflatedMax(bytes: number): number {
  return Math.max(1, Math.min(bytes, LIMITS.logBlobBytes));
}

/** JSON from a column; a damaged one is a StorageError in words. */
export function parseJson<T>(text: string, path: string, what: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw damaged(path, `${what} is not JSON`);
  }
}
