/**
 * The tilesets that runs were drawn with, as stored in the log. Runs of one file mostly share theirs, so the
 * last one that was read is cached.
 */
import type Database from 'better-sqlite3';
import type { BlobReader } from './blobs.js';
import type { RunRow } from './read-columns.js';
import type { RunRecord } from '../trajectory/records.js';

type LoggedTileset = RunRecord['tileset'];

interface TilesetImage {
  name: string;
  /** A blob's number. */
  content: number;
}

export class TilesetReader {
  readonly #blobs: BlobReader;
  readonly #images: Database.Statement<[number], TilesetImage>;
  #last: { key: string; tileset: LoggedTileset } | null = null;

  constructor(db: Database.Database, blobs: BlobReader) {
    this.#blobs = blobs;
    this.#images = db.prepare('SELECT name, content FROM tileset_images WHERE run = ? ORDER BY name');
  }

  of({ run, tileset: manifestBlob }: RunRow): LoggedTileset {
    const images = this.#images.all(run);
    const key = JSON.stringify([manifestBlob, images]);
    if (this.#last?.key === key) return this.#last.tileset;
    const entries = images.map(({ name, content }) => [name, this.#blobs.bytes(content)]);
    const tileset = { manifest: this.#blobs.text(manifestBlob), images: Object.fromEntries(entries) };
    this.#last = { key, tileset };
    return tileset;
  }
}
