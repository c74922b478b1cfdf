/**
 * A frame of tiles as a zlib stream, without its pixels ever being made. Deflate takes symbols that stand for literal bytes and for copies of bytes
 * further up in the file, in Huffman codes; a tileset has one fixed table of those, made from its own tiles, and each tile's rows are
 * kept as finished bits (`tile-code.ts`). So a frame is: the block's header; for each row of tiles a plan (which runs of tiles are
 * copies of runs to the left or up to 32 KB above, which are told by their own bits), and the plan's bits once for each row of art;
 * between those, two copies that repeat the row above, as often as the scale wants. All rows have PNG filter 0.
 * The check sum is added up from sums of each tile, as it is linear in the bytes.
 */
import { at } from '../base/assert.js';
import { BitWriter, type BitString } from './bits.js';
import type { Pixels } from './composites.js';
import { COPY_MAX, COPY_MIN, DISTANCE_MAX, type DeflateCodes } from './deflate-codes.js';
import { codeTile, type CodedTile, type TileShape } from './tile-code.js';

export interface TileDeflater {
  /** `cells`: the tiles row by row. The same object always stands for the same pixels. Gives the whole stream. */
  deflate(cells: readonly Pixels[]): Uint8Array;
}

/** Works for frames of one width only, `columns` tiles. */
export function tileDeflater(shape: TileShape, columns: number, codes: DeflateCodes): TileDeflater {
  const coded = new WeakMap<Pixels, CodedTile>();
  const codedTile = (pixels: Pixels) => {
    const known = coded.get(pixels);
    if (known !== undefined) return known;
    const made = codeTile(pixels, shape, codes);
    coded.set(pixels, made);
    return made;
  };
  const out = new BitWriter();
  const page: Page = {
    shape,
    columns,
    codes,
    copies: new Map(),
    repeat: copyString(codes, shape.stride, shape.stride),
  };
  return {
    deflate: (cells) => {
      const tiles = cells.map(codedTile);
      out.clear();
      out.append(0x0178, 16);
      codes.header(out);
      for (let first = 0; first < tiles.length; first += columns) writeTileRow(out, page, tiles, first);
      codes.end(out);
      const stream = out.bytes();
      const sum = adler(tiles, page);
      const file = new Uint8Array(stream.length + 4);
      file.set(stream);
      new DataView(file.buffer).setUint32(stream.length, sum);
      return file;
    },
  };
}

interface Page {
  readonly shape: TileShape;
  readonly columns: number;
  readonly codes: DeflateCodes;
  /** Copies of runs of tiles, by length and distance. */
  readonly copies: Map<number, BitString>;
  /** A row of the file that is the same as the one above. */
  readonly repeat: BitString;
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

function copyString(codes: DeflateCodes, length: number, distance: number): BitString {
  const writer = new BitWriter(4);
  for (const part of copyLengths(length)) codes.copyTo(writer, part, distance);
  return writer.toString32();
}

function writeTileRow(out: BitWriter, page: Page, tiles: readonly CodedTile[], first: number): void {
  const plan = planOf(page, tiles, first);
  const { rows } = page.shape;
  for (let row = 0; row < rows.length; row++) {
    if (row > 0 && isRepeat(tiles, first, page.columns, row)) out.appendString(page.repeat);
    else {
      page.codes.literalTo(out, 0);
      for (const part of plan) out.appendString('rows' in part ? at(part.rows, row) : part);
    }
    for (let time = at(rows, row).times; time > 1; time--) out.appendString(page.repeat);
  }
}

function isRepeat(tiles: readonly CodedTile[], first: number, columns: number, row: number): boolean {
  for (let i = first; i < first + columns; i++) if (tiles[i]?.repeats[row] !== true) return false;
  return true;
}

/** What the tiles of one row are written with, the same in each of their rows of pixels. */
function planOf(page: Page, tiles: readonly CodedTile[], first: number): (CodedTile | BitString)[] {
  const plan: (CodedTile | BitString)[] = [];
  const end = first + page.columns;
  for (let i = first; i < end;) {
    const { count, distance } = longestRun(page, tiles, first, i);
    const copy = count === 0 ? null : runCopy(page, count, distance);
    if (copy !== null && copy.bits * page.shape.rows.length < bitsOf(tiles, i, count)) {
      plan.push(copy);
      i += count;
    } else plan.push(at(tiles, i++));
  }
  return plan;
}

function bitsOf(tiles: readonly CodedTile[], from: number, count: number): number {
  let bits = 0;
  for (let i = from; i < from + count; i++) bits += at(tiles, i).bits;
  return bits;
}

/** The longest run of tiles from `from` on that lies to the left or above within reach too, the nearest of those. */
function longestRun({ shape, columns }: Page, tiles: readonly CodedTile[], first: number, from: number) {
  const side = shape.columns.length;
  const lines = shape.rows.reduce((sum, { times }) => sum + times, 0);
  let [count, distance] = [0, 0];
  for (let top = first, up = 0; top >= 0; top -= columns, up += lines * shape.stride) {
    const end = top === first ? from : top + columns;
    for (let source = end - 1; source >= top; source--) {
      if (tiles[source] !== tiles[from]) continue;
      const back = up + (from - first - (source - top)) * side;
      if (back > DISTANCE_MAX) continue;
      const run = sameRun(tiles, {
        from,
        source,
        fromEnd: first + columns,
        sourceEnd: top === first ? first + columns : end,
      });
      if (run > count) [count, distance] = [run, back];
    }
    if (up > DISTANCE_MAX + columns * side) break;
  }
  return { count, distance };
}

function sameRun(
  tiles: readonly CodedTile[],
  run: {
    readonly from: number;
    readonly source: number;
    readonly fromEnd: number;
    readonly sourceEnd: number;
  },
): number {
  let length = 1;
  while (
    run.from + length < run.fromEnd &&
    run.source + length < run.sourceEnd &&
    tiles[run.from + length] === tiles[run.source + length]
  )
    length++;
  return length;
}

function runCopy({ shape, codes, copies }: Page, count: number, distance: number): BitString {
  const key = count * 65_536 + distance;
  const known = copies.get(key);
  if (known !== undefined) return known;
  const made = copyString(codes, count * shape.columns.length, distance);
  copies.set(key, made);
  return made;
}

const ADLER = 65_521;

/**
 * With n bytes, the second half of Adler-32 counts each byte as often as there are bytes from it to the end. For a tile that is, row by row, what lies
 * after the end of the tile's row, plus the byte's distance from that end: three sums of the tile, whatever its place.
 */
function adler(tiles: readonly CodedTile[], { shape, columns }: Page): number {
  const side = shape.columns.length;
  const lines = shape.rows.reduce((sum, { times }) => sum + times, 0);
  const { stride } = shape;
  const length = (tiles.length / columns) * lines * stride;
  let [low, high] = [1, length % ADLER];
  for (let i = 0; i < tiles.length; i++) {
    const tile = at(tiles, i);
    const [x, y] = [i % columns, Math.floor(i / columns)];
    const after = length - y * lines * stride - 1 - (x + 1) * side;
    low += tile.sum;
    high = (high + (after % ADLER) * tile.sum - stride * tile.sumByRow + tile.sumFromEnd) % ADLER;
  }
  return (((high + ADLER) % ADLER) * 65_536 + (low % ADLER)) >>> 0;
}
