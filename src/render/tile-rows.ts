/**
 * Rows of tiles as finished bits, kept: whoever walks on sees most rows of a frame again, somewhere else in the next one, and a run's frames are many of
 * few rows. A row's bits depend on its own tiles and on those of the rows above that it may copy from, on nothing else; so they are
 * found by the numbers of just these tiles. What is kept starts afresh when it is full.
 */
import type { BitString } from './bits.js';

/** A row of tiles. */
export interface TileRow {
  readonly bits: BitString;
  /** For Adler-32, over the row's bytes and less than its modulus: their sum, … */
  readonly sum: number;
  /** … and that of each byte times its distance from the end of the row. */
  readonly sumFromEnd: number;
}

/** Writes a row of a frame, by the place of its first tile. */
type RowCoder = (first: number) => TileRow;

interface RowOptions<K, T> {
  /** Tiles of a row. */
  readonly columns: number;
  /** How many rows above its own a row's bits may depend on. */
  readonly above: number;
  /** Called once for each tile, as long as it is kept. */
  readonly code: (tile: K) => T;
  /** Tiles that are told apart, at most 65,536; a frame may have as many. */
  readonly tilesMax?: number;
  /** Words of 32 bits in all rows that are kept, and in the keys that they are found by. */
  readonly wordsMax?: number;
}

const TILES_MAX = 0x1_0000;
const WORDS_MAX = 2 ** 20;

interface Numbered<T> {
  readonly coded: T;
  readonly number: number;
}

export class KeptRows<K extends object, T> {
  readonly #options: RowOptions<K, T>;
  #tiles = new WeakMap<K, Numbered<T>>();
  #count = 0;
  readonly #rows = new Map<string, TileRow>();
  #words = 0;

  constructor(options: RowOptions<K, T>) {
    this.#options = options;
  }

  /** Row by row; `coder` is asked for where a row is new, with the tiles of the whole frame. */
  rowsOf(
    cells: readonly K[],
    coder: (tiles: readonly T[], numbers: Uint16Array) => RowCoder,
  ): readonly TileRow[] {
    const { columns, above } = this.#options;
    this.#makeRoom(cells.length);
    const numbers = new Uint16Array(cells.length);
    const tiles: T[] = [];
    let [last, found]: [K | null, Numbered<T> | null] = [null, null];
    for (const cell of cells) {
      // Much of a frame is the same tile as to its left: what is unknown, water, a floor.
      if (cell !== last || found === null) found = this.#numbered(cell);
      last = cell;
      numbers[tiles.push(found.coded) - 1] = found.number;
    }
    const bytes = Buffer.from(numbers.buffer);
    let code: RowCoder | null = null;
    const rows: TileRow[] = [];
    for (let first = 0; first < cells.length; first += columns) {
      const from = Math.max(0, first - above * columns);
      const key = bytes.toString('utf16le', 2 * from, 2 * (first + columns));
      let row = this.#rows.get(key);
      if (row === undefined) {
        code ??= coder(tiles, numbers);
        row = code(first);
        this.#rows.set(key, row);
        this.#words += row.bits.words.length + key.length / 2;
      }
      rows.push(row);
    }
    return rows;
  }

  /** Numbers are given anew only between two frames. */
  #makeRoom(tiles: number): void {
    const { tilesMax = TILES_MAX, wordsMax = WORDS_MAX } = this.#options;
    if (this.#count + tiles <= tilesMax && this.#words <= wordsMax) return;
    this.#tiles = new WeakMap();
    this.#count = 0;
    this.#rows.clear();
    this.#words = 0;
  }

  #numbered(tile: K): Numbered<T> {
    const known = this.#tiles.get(tile);
    if (known !== undefined) return known;
    const made = { coded: this.#options.code(tile), number: this.#count++ };
    this.#tiles.set(tile, made);
    return made;
  }
}
