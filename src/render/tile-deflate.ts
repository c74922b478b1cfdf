/**
 * A frame of tiles as a zlib stream, without its pixels ever being made. Deflate takes symbols that stand for literal bytes and for copies of bytes
 * further up in the file, in Huffman codes; a tileset has one fixed table of those, made from its own tiles, and each tile's rows are
 * kept as finished bits (`tile-code.ts`). So a frame is: the block's header; for each row of tiles a plan (which runs of tiles are
 * copies of runs to the left or up to 32 KB above, which are told by their own bits), and the plan's bits once for each row of art;
 * between those, two copies that repeat the row above, as often as the scale wants. All rows have PNG filter 0.
 * The check sum is added up from sums of each tile, as it is linear in the bytes.
 */
import { at } from '../base/assert.js';
import { bitString, BitWriter, type BitString } from './bits.js';
import type { Pixels } from './composites.js';
import { COPY_MAX, COPY_MIN, DISTANCE_MAX, type DeflateCodes } from './deflate-codes.js';
import { codeTile, type CodedTile, type TileShape } from './tile-code.js';

export interface TileDeflater {
  /** `cells`: the tiles row by row. The same object always stands for the same pixels. Gives the whole stream. */
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
  const coded = new WeakMap<Pixels, CodedTile>();
  const codedTile = (pixels: Pixels) => {
    const known = coded.get(pixels);
    if (known !== undefined) return known;
    const made = codeTile(bytesOf(pixels), shape, codes);
    coded.set(pixels, made);
    return made;
  };
  const out = new BitWriter();
  const page = pageOf(shape, columns, codes);
  return {
    deflate: (cells) => {
      const tiles = cells.map(codedTile);
      const runs = runFinder(page, tiles);
      out.clear();
      out.appendString(page.start);
      for (let first = 0; first < tiles.length; first += columns)
        writeTileRow(out, page, tiles, planOf(page, tiles, first, runs));
      codes.end(out);
      const stream = out.bytes();
      const file = new Uint8Array(stream.length + 4);
      file.set(stream);
      new DataView(file.buffer).setUint32(stream.length, adler(tiles, page));
      return file;
    },
  };
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

function runFinder({ shape, columns, below }: Page, tiles: readonly CodedTile[]): RunFinder {
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
function earlierPlaces(tiles: readonly CodedTile[]): Int32Array {
  const last = new Map<CodedTile, number>();
  const before = new Int32Array(tiles.length);
  for (const [i, tile] of tiles.entries()) {
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
 * after the end of the tile's row, plus the byte's distance from that end: three sums of the tile, whatever its place.
 */
function adler(tiles: readonly CodedTile[], { shape, columns, below }: Page): number {
  const side = shape.columns.length;
  const { stride } = shape;
  const length = (tiles.length / columns) * below;
  let [low, high] = [1, length % ADLER];
  for (let i = 0; i < tiles.length; i++) {
    const tile = at(tiles, i);
    const [x, y] = [i % columns, Math.floor(i / columns)];
    const after = length - y * below - 1 - (x + 1) * side;
    low += tile.sum;
    high = (high + (after % ADLER) * tile.sum - stride * tile.sumByRow + tile.sumFromEnd) % ADLER;
  }
  return (((high + ADLER) % ADLER) * 65_536 + (low % ADLER)) >>> 0;
}
