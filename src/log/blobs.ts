/**
 * Blobs: long or repeated content (texts, observations, states), stored once and referred to by number.
 * Numbers follow the order of arrival, so a commit appends to the end of the file instead of touching a page
 * per hash. The writer remembers the numbers of recent content. Content is hashed again when it is read, so a
 * damaged page is an error and never yields another text. Texts that people query in SQL are stored plain;
 * JSON for programs is deflated.
 */
import { isAscii } from 'node:buffer';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type Database from 'better-sqlite3';
import { sha256 } from '../base/canonical.js';
import { LIMITS } from '../base/limits.js';
import { assert } from '../base/assert.js';
import { wellFormedJson } from '../base/text.js';
import type { ByteContent, HashedText } from '../trajectory/content.js';
import { damaged } from './damaged.js';

/**
 * Level 1 saves nearly as much as the others, in the least time. A window and an output chunk no larger than
 * an observation need little memory, whose allocation would cost more than the compression
 * (docs/reference/log.md).
 */
const DEFLATE = { level: 1, windowBits: 13, memLevel: 6, chunkSize: 8192 } as const;
/** The number of contents that the writer remembers: enough for the past of every agent, many times over. */
const REMEMBERED_BLOBS_MAX = 65_536;

/**
 * The number of hashes that a reader caches: a turn's texts are referenced again in the history of the next.
 */
const CACHED_HASHES_MAX = 2 * LIMITS.agents;

type Encoding = 'plain' | 'deflate';

export class BlobWriter {
  readonly #add: Database.Statement<[string, Encoding, number, string | Uint8Array]>;
  /** By SHA-256, the least recently used first. */
  readonly #numbers = new Map<string, number>();

  constructor(db: Database.Database) {
    this.#add = db.prepare('INSERT INTO blobs (sha256, encoding, bytes, content) VALUES (?, ?, ?, ?)');
    const newest = db.prepare<[number], { sha256: string; blob: number }>(
      'SELECT sha256, blob FROM blobs ORDER BY blob DESC LIMIT ?',
    );
    for (const row of newest.all(REMEMBERED_BLOBS_MAX).toReversed()) this.#numbers.set(row.sha256, row.blob);
  }

  /** Stores a text for people unchanged; returns its number. */
  plain({ hash, text }: HashedText): number {
    return this.#known(hash) ?? this.#store(hash, 'plain', text, Buffer.byteLength(text));
  }

  /** Stores JSON for programs; returns its number. */
  deflated({ hash, bytes }: ByteContent): number {
    const known = this.#known(hash);
    if (known !== undefined) return known;
    return this.#store(hash, 'deflate', deflateRawSync(bytes, DEFLATE), bytes.length);
  }

  /** Stores bytes unchanged; returns their number. */
  bytes(bytes: Uint8Array): number {
    const hash = sha256(bytes);
    return this.#known(hash) ?? this.#store(hash, 'plain', bytes, bytes.length);
  }

  #known(hash: string): number | undefined {
    const blob = this.#numbers.get(hash);
    if (blob !== undefined) {
      this.#numbers.delete(hash);
      this.#numbers.set(hash, blob);
    }
    return blob;
  }

  #store(hash: string, encoding: Encoding, content: string | Uint8Array, bytes: number): number {
    assertBlobFits(bytes);
    const blob = Number(this.#add.run(hash, encoding, bytes, content).lastInsertRowid);
    this.#numbers.set(hash, blob);
    for (const oldest of this.#numbers.keys()) {
      if (this.#numbers.size <= REMEMBERED_BLOBS_MAX) break;
      this.#numbers.delete(oldest);
    }
    return blob;
  }
}

export function assertBlobFits(bytes: number): void {
  assert(bytes <= LIMITS.logBlobBytes, `a blob of ${bytes} bytes`);
}

/** Without column names, because named rows take twice as long. */
type BlobRow = readonly [
  sha256: string,
  encoding: string,
  bytes: number,
  content: string | Buffer | number | null,
];

/** Whether content is compared with its stored hash when it is read. */
export type CheckMode = 'checked' | 'unchecked';

/** Reads blobs back, each checked against its hash. `path` is for messages. */
export class BlobReader {
  readonly #path: string;
  readonly #checking: CheckMode;
  readonly #blob: Database.Statement<[number], BlobRow>;
  readonly #hash: Database.Statement<[number], string>;
  /** Recently requested content, by number. */
  readonly #hashes = new Map<number, string>();

  constructor(db: Database.Database, path: string, checking: CheckMode = 'checked') {
    this.#path = path;
    this.#checking = checking;
    this.#blob = db
      .prepare<[number], BlobRow>('SELECT sha256, encoding, bytes, content FROM blobs WHERE blob = ?')
      .raw();
    this.#hash = db.prepare<[number], string>('SELECT sha256 FROM blobs WHERE blob = ?').pluck();
  }

  /** As it is stored; the content itself is not read. */
  hash(blob: number): string {
    const known = this.#hashes.get(blob);
    if (known !== undefined) return known;
    const hash = this.#hash.get(blob);
    if (hash === undefined) throw damaged(this.#path, `blob ${blob} is missing`);
    if (this.#hashes.size >= CACHED_HASHES_MAX) this.#hashes.clear();
    this.#hashes.set(blob, hash);
    return hash;
  }

  bytes(blob: number): Buffer {
    return this.#read(blob).bytes;
  }

  content(blob: number): HashedText {
    const row = this.#blob.get(blob);
    const text = row?.[3];
    // Stored text is hashed directly, without conversion to bytes and back.
    if (row !== undefined && typeof text === 'string')
      return this.#verified(row, { hash: sha256(text), text }, blob);
    const { bytes, hash } = this.#read(blob, row);
    // Most text is ASCII, which is decoded in a third of the time.
    return { hash, text: bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8') };
  }

  text(blob: number): string {
    return this.content(blob).text;
  }

  json<T>(blob: number): T {
    return parseJson<T>(this.text(blob), this.#path, `blob ${blob}`);
  }

  #read(blob: number, row = this.#blob.get(blob)): { bytes: Buffer; hash: string } {
    const bytes = row === undefined ? null : this.#decode(row, blob);
    if (row === undefined || bytes === null)
      throw damaged(this.#path, `blob ${blob} was altered (hash mismatch)`);
    return this.#verified(row, { bytes, hash: sha256(bytes) }, blob);
  }

  #verified<T extends { hash: string }>(row: BlobRow, read: T, blob: number): T {
    if (this.#checking === 'unchecked' || read.hash === row[0]) return read;
    throw damaged(this.#path, `blob ${blob} was altered (hash mismatch)`);
  }

  #decode([, encoding, size, content]: BlobRow, blob: number): Buffer | null {
    if (typeof content === 'string') return Buffer.from(content);
    if (!Buffer.isBuffer(content)) return null;
    if (encoding === 'plain') return content;
    try {
      // The size in the row bounds the work, so a few untrusted bytes can't fill the memory when
      // decompressed.
      return inflateRawSync(content, { maxOutputLength: inflatedMax(size) });
    } catch {
      throw damaged(this.#path, `blob ${blob} can't be unpacked`);
    }
  }
}

/** The maximum decompressed size of a stored blob, according to its row. */
export function inflatedMax(bytes: number): number {
  return Math.max(1, Math.min(bytes, LIMITS.logBlobBytes));
}

/** JSON from a column; damaged JSON is a StorageError with a message. */
export function parseJson<T>(text: unknown, path: string, label: string): T {
  if (typeof text !== 'string') throw damaged(path, `${label} is not text`);
  if (wellFormedJson(text) !== text) throw damaged(path, `${label} contains half of a surrogate pair`);
  try {
    return JSON.parse(text) as T;
  } catch {
    throw damaged(path, `${label} is not JSON`);
  }
}
