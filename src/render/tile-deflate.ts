/**
 * A frame of tiles as a zlib stream, without its pixels ever being made. Deflate takes symbols that stand for literal bytes and for copies of bytes
 * further up in the file, in Huffman codes; a tileset has one fixed table of those, made from its own tiles, and each tile's rows are
 * kept as finished bits (`tile-code.ts`). So a frame is: the block's header; for each row of tiles a plan (which runs of tiles are
 * copies of runs to the left or up to 32 KB above, which are told by their own bits), and the plan's bits once for each row of art;
 * between those, two copies that repeat the row above, as often as the scale wants. All rows have PNG filter 0.
 * A row of tiles comes to the same bits wherever the rows that its copies can reach are the same: they are kept as well (`tile-rows.ts`).
 * The check sum is added up from sums of each tile, as it is linear in the bytes.
 */
import { at } from '../base/assert.js';
import { bitString, BitWriter, type BitString } from './bits.js';
import type { Pixels } from './composites.js';
import { COPY_MAX, COPY_MIN, DISTANCE_MAX, type DeflateCodes } from './deflate-codes.js';
import { codeTile, type CodedTile, type TileShape } from './tile-code.js';
import { KeptRows, type TileRow } from './tile-rows.js';

export interface TileDeflater {
  /**
   * `cells`: the tiles row by row. The same object always stands for the same pixels. Gives the whole stream, in memory that the next one is
   * written into.
   */
  deflate(cells: readonly Pixels[]): Uint8Array;
}

/** The bytes of a tile at the art's resolution. */
export type TileBytes = (tile: Pixels) => Uint8Array;

/** Works for frames of one width only, `columns` tiles. */
export function tileDeflater(
  shape: TileShape,
  columns: number,
  codes: DeflateCodes,
  bytesOf: TileBytes,
): TileDeflater {
  const page = pageOf(shape, columns, codes);
  const kept = new KeptRows<Pixels, CodedTile>({
    columns,
    above: rowsInReach(page),
    code: (pixels) => codeTile(bytesOf(pixels), shape, codes),
  });
  const [out, row] = [new BitWriter(), new BitWriter()];
  return {
    deflate: (cells) => {
      const rows = kept.rowsOf(cells, (tiles, numbers) => {
        const runs = runFinder(page, numbers);
        return (first) => codeRow(row, page, tiles, planOf(page, tiles, first, runs));
      });
      out.clear();
      out.appendString(page.start);
      for (const { bits } of rows) out.appendString(bits);
      codes.end(out);
      out.endByte();
      for (const byte of adler(rows, page)) out.append(byte, 8);
      return out.bytes();
    },
  };
}

/** How many rows of tiles above its own a copy can begin in. */
function rowsInReach({ shape, columns, below }: Page): number {
  return Math.floor((DISTANCE_MAX + (columns - 1) * shape.columns.length) / below);
}

/** What all frames of one width share. */
interface Page {
  readonly shape: TileShape;
  readonly columns: number;
  /** Bytes from a tile to the one below it. */
  readonly below: number;
  readonly codes: DeflateCodes;
  /** Copies of runs of tiles, by length and distance; as often as a tile has rows. */
  readonly copies: Map<number, Part>;
  /** The heads of the stream and of its block. */
  readonly start: BitString;
  /** The filter byte of a row that is written as itself. */
  readonly filter: BitString;
  /** For each row of a tile: the rows of the file that repeat it. */
  readonly repeats: Rows;
  /** The same with the row itself, where it is the same as the one above. */
  readonly repeatsAll: Rows;
}

/** Bits for each row of a tile. */
type Rows = readonly BitString[];

/** One or several tiles of a row. */
interface Part {
  readonly rows: Rows;
  readonly bits: number;
}

function pageOf(shape: TileShape, columns: number, codes: DeflateCodes): Page {
  const { stride, rows } = shape;
  const lines = rows.reduce((sum, { times }) => sum + times, 0);
  const repeated = (times: number) =>
    bitString((out) => {
      for (let time = 0; time < times; time++) copyTo(out, codes, stride, stride);
    });
  return {
    shape,
    columns,
    below: lines * stride,
    codes,
    copies: new Map(),
    start: bitString((out) => {
      out.append(0x0178, 16);
      codes.header(out);
    }),
    filter: bitString((out) => codes.literalTo(out, 0)),
    repeats: rows.map(({ times }) => repeated(times - 1)),
    repeatsAll: rows.map(({ times }) => repeated(times)),
  };
}

/** As many copies as it takes; none of them shorter than what deflate can write. */
export function copyLengths(length: number): number[] {
  const lengths: number[] = [];
  let left = length;
  while (left > 0) {
    const rest = left - COPY_MAX;
    const next = rest > 0 && rest < COPY_MIN ? left - COPY_MIN : Math.min(left, COPY_MAX);
    lengths.push(next);
    left -= next;
  }
  return lengths;
}

function copyTo(out: BitWriter, codes: DeflateCodes, length: number, distance: number): void {
  for (const part of copyLengths(length)) codes.copyTo(out, part, distance);
}

function codeRow(out: BitWriter, page: Page, tiles: readonly CodedTile[], plan: Plan): TileRow {
  out.clear();
  writeTileRow(out, page, tiles, plan);
  return { bits: out.taken(), ...sumsOf(tiles, plan, page) };
}

function writeTileRow(
  out: BitWriter,
  { shape, filter, repeats, repeatsAll }: Page,
  tiles: readonly CodedTile[],
  plan: Plan,
): void {
  const { first, parts } = plan;
  for (let row = 0; row < shape.rows.length; row++) {
    if (isRepeat(tiles, first, plan.end, row)) {
      out.appendString(at(repeatsAll, row));
      continue;
    }
    out.appendString(filter);
    for (const rows of parts) out.appendString(at(rows, row));
    out.appendString(at(repeats, row));
  }
}

function isRepeat(tiles: readonly CodedTile[], first: number, end: number, row: number): boolean {
  for (let i = first; i < end; i++) if (tiles[i]?.repeats[row] !== true) return false;
  return true;
}

/** What the tiles of one row are written with, the same in each of their rows of pixels. */
interface Plan {
  readonly first: number;
  readonly end: number;
  readonly parts: readonly Rows[];
}

function planOf(page: Page, tiles: readonly CodedTile[], first: number, runs: RunFinder): Plan {
  const parts: Rows[] = [];
  const end = first + page.columns;
  for (let i = first; i < end;) {
    const { count, distance } = runs(i, first);
    const copy = count === 0 ? null : runCopy(page, count, distance);
    if (copy !== null && copy.bits < bitsOf(tiles, i, count)) {
      parts.push(copy.rows);
      i += count;
    } else parts.push(at(tiles, i++).rows);
  }
  return { first, end, parts };
}

function bitsOf(tiles: readonly CodedTile[], from: number, count: number): number {
  let bits = 0;
  for (let i = from; i < from + count; i++) bits += at(tiles, i).bits;
  return bits;
}

/** The longest run of tiles from `from` on that lies within reach before it, too; `first` is where its row of tiles begins. */
type RunFinder = (from: number, first: number) => { readonly count: number; readonly distance: number };

/** Places looked at for a run; the nearest ones come first. */
const TRIES_MAX = 12;

/** `tiles` are numbers that tell them apart. */
function runFinder({ shape, columns, below }: Page, tiles: Uint16Array): RunFinder {
  const side = shape.columns.length;
  const before = earlierPlaces(tiles);
  return (from, first) => {
    let [count, distance] = [0, 0];
    let tries = TRIES_MAX;
    for (let source = before[from] ?? -1; source >= 0 && tries > 0; source = before[source] ?? -1, tries--) {
      const column = source % columns;
      const back = ((first - (source - column)) / columns) * below + (from - first - column) * side;
      if (back > DISTANCE_MAX) break;
      // A run ends with its row, where a filter byte lies between.
      const most = columns - Math.max(column, from - first);
      if (count >= most || tiles[source + count] !== tiles[from + count]) continue;
      let run = 1;
      while (run < most && tiles[source + run] === tiles[from + run]) run++;
      if (run > count) [count, distance] = [run, back];
    }
    return { count, distance };
  };
}

/** For each tile the last place before it where the same one lies; −1 for none. */
function earlierPlaces(tiles: Uint16Array): Int32Array {
  const last = new Map<number, number>();
  const before = new Int32Array(tiles.length);
  for (let i = 0; i < tiles.length; i++) {
    const tile = tiles[i] ?? 0;
    before[i] = last.get(tile) ?? -1;
    last.set(tile, i);
  }
  return before;
}

function runCopy({ shape, codes, copies }: Page, count: number, distance: number): Part {
  const key = count * 65_536 + distance;
  const known = copies.get(key);
  if (known !== undefined) return known;
  const once = bitString((out) => copyTo(out, codes, count * shape.columns.length, distance));
  const made = { rows: shape.rows.map(() => once), bits: once.bits * shape.rows.length };
  copies.set(key, made);
  return made;
}

const ADLER = 65_521;

/**
 * With n bytes, the second half of Adler-32 counts each byte as often as there are bytes from it to the end. For a tile that is, row by row, what lies
 * after the end of the tile's row, plus the byte's distance from that end: three sums of the tile, whatever its place. Here up to
 * the end of the row of tiles.
 */
function sumsOf(
  tiles: readonly CodedTile[],
  { first, end }: Plan,
  { shape, below }: Page,
): Pick<TileRow, 'sum' | 'sumFromEnd'> {
  const side = shape.columns.length;
  let [sum, sumFromEnd] = [0, 0];
  for (let i = first; i < end; i++) {
    const tile = at(tiles, i);
    const after = below - 1 - (i - first + 1) * side;
    sum = (sum + tile.sum) % ADLER;
    sumFromEnd = (sumFromEnd + after * tile.sum - shape.stride * tile.sumByRow + tile.sumFromEnd) % ADLER;
  }
  return { sum, sumFromEnd: (sumFromEnd + ADLER) % ADLER };
}

/** The check sum's bytes: those of its rows, each of which all bytes after it count once more. */
function adler(rows: readonly TileRow[], { below }: Page): readonly number[] {
  let after = rows.length * below;
  let [low, high] = [1, after % ADLER];
  for (const { sum, sumFromEnd } of rows) {
    after -= below;
    low = (low + sum) % ADLER;
    high = (high + (after % ADLER) * sum + sumFromEnd) % ADLER;
  }
  return [high >>> 8, high & 0xff, low >>> 8, low & 0xff];
}
