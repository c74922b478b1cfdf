/**
 * One tile as deflate symbols, for a place in a file of a known width. A tile is `rows` different rows of bytes, one or three a pixel, widened to the
 * size of the file. Row by row the cheapest way is looked for from the right to the left: literals, copies from the same row, and
 * copies from the tile's own row above. Nothing outside of the tile is looked at, so its bits are right wherever it lies.
 */
import { at } from '../base/assert.js';
import { LIMITS } from '../base/limits.js';
import { BitWriter, type BitString } from './bits.js';
import { COPY_MIN, DISTANCE_MAX, type DeflateCodes, type DeflateCosts } from './deflate-codes.js';

/** How the pixels of a tile of art lie in the file. */
export interface TileShape {
  /** Bytes of a row of the file with its filter byte. */
  readonly stride: number;
  /** For each byte of a tile's row in the file the byte of the art's row that it shows. */
  readonly columns: readonly number[];
  /** The rows of art that are shown, each with the number of rows of the file that show it. */
  readonly rows: readonly { readonly row: number; readonly times: number }[];
  /** Art pixels of a tile's side. */
  readonly art: number;
  /** Bytes of a pixel. */
  readonly depth: number;
}

/** A copy where `distance` is not 0, else a literal. */
export interface Step {
  readonly length: number;
  readonly distance: number;
}

export interface CodedTile {
  /** Bits of each row that is shown. */
  readonly rows: readonly BitString[];
  /** All of them together. */
  readonly bits: number;
  /** Whether each row is the same as the one above; false for the first. */
  readonly repeats: readonly boolean[];
  /** For Adler-32, over the tile's rows in the file: the sum of the bytes, … */
  readonly sum: number;
  /** … of each byte times the number of its row, … */
  readonly sumByRow: number;
  /** … and of each byte times its distance from the end of the tile's row. */
  readonly sumFromEnd: number;
}

/** The tile's rows as they lie in the file, each once; `tile` are its bytes at the art's resolution. */
export function fileRows(tile: Uint8Array, { rows, columns, art, depth }: TileShape): Uint8Array[] {
  return rows.map(({ row }) => {
    const out = new Uint8Array(columns.length);
    for (let x = 0; x < out.length; x++) out[x] = tile[row * art * depth + (columns[x] ?? 0)] ?? 0;
    return out;
  });
}

export function codeTile(tile: Uint8Array, shape: TileShape, codes: DeflateCodes): CodedTile {
  const rows = fileRows(tile, shape);
  const writer = new BitWriter(64);
  const strings = rows.map((row, i) => {
    writer.clear();
    let place = 0;
    for (const { length, distance } of cheapest(row, rows[i - 1], shape, codes)) {
      if (distance === 0) codes.literalTo(writer, at(row, place));
      else codes.copyTo(writer, length, distance);
      place += length;
    }
    return writer.taken();
  });
  return {
    rows: strings,
    bits: strings.reduce((sum, { bits }) => sum + bits, 0),
    repeats: rows.map((row, i) => i > 0 && isSame(row, at(rows, i - 1))),
    ...sumsOf(rows, shape),
  };
}

function isSame(row: Uint8Array, other: Uint8Array): boolean {
  for (let x = 0; x < row.length; x++) if (row[x] !== other[x]) return false;
  return true;
}

function sumsOf(rows: readonly Uint8Array[], shape: TileShape) {
  let [sum, sumByRow, sumFromEnd, line] = [0, 0, 0, 0];
  for (const [i, row] of rows.entries()) {
    let [bytes, fromEnd] = [0, 0];
    for (let x = 0; x < row.length; x++) {
      const byte = row[x] ?? 0;
      bytes += byte;
      fromEnd += byte * (row.length - x);
    }
    for (let time = at(shape.rows, i).times; time > 0; time--) {
      sum += bytes;
      sumFromEnd += fromEnd;
      sumByRow += bytes * line++;
    }
  }
  return { sum, sumByRow, sumFromEnd };
}

/** Art pixels; copies from further back in the same row save little and take long to look for. */
const NEAR_PIXELS = 8;

/** From each place to the end of the row: the bits, and the first step. Used again for each row. */
const ROW_MAX = 3 * LIMITS.frameTilePixels;
const bits = new Uint32Array(ROW_MAX + 1);
const lengths = new Uint16Array(ROW_MAX);
const distances = new Uint16Array(ROW_MAX);

/** The steps that write a row in the fewest bits, or nearly so. */
export function cheapest(
  row: Uint8Array,
  above: Uint8Array | undefined,
  shape: TileShape,
  costs: DeflateCosts,
): Step[] {
  const side = row.length;
  bits[side] = 0;
  const sources = sourcesOf(row, above, shape, costs);
  for (let i = side - 1; i >= 0; i--) {
    let best = costs.literal(at(row, i)) + (bits[i + 1] ?? 0);
    let bestLength = 1;
    let bestDistance = 0;
    let reached = COPY_MIN - 1;
    // Only as far as each goes: a shorter copy rarely saves anything. A source that costs more is of use only where it goes further.
    for (const { runs, cost, distance } of sources) {
      const length = runs[i] ?? 0;
      if (length <= reached) continue;
      reached = length;
      const tried = (costs.lengths[length] ?? 0) + cost + (bits[i + length] ?? 0);
      if (tried >= best) continue;
      best = tried;
      bestLength = length;
      bestDistance = distance;
    }
    bits[i] = best;
    lengths[i] = bestLength;
    distances[i] = bestDistance;
  }
  const steps: Step[] = [];
  for (let i = 0; i < side; i += at(lengths, i))
    steps.push({ length: at(lengths, i), distance: at(distances, i) });
  return steps;
}

interface Source {
  readonly distance: number;
  /** Bits of the distance. */
  readonly cost: number;
  /** How many bytes from each place on are the same as those `distance` back. */
  readonly runs: Uint8Array;
}

/** The cheapest first. */
function sourcesOf(
  row: Uint8Array,
  above: Uint8Array | undefined,
  { stride, art, depth }: TileShape,
  costs: DeflateCosts,
): Source[] {
  const sources: Source[] = [];
  const add = (distance: number, source: Uint8Array, shift: number) => {
    const runs = runsOf(row, source, shift);
    if (runs !== null) sources.push({ distance, cost: costs.distance(distance), runs });
  };
  if (above !== undefined && stride <= DISTANCE_MAX) add(stride, above, 0);
  // A pixel of art, as wide as it is in the file.
  const pixel = Math.max(1, Math.floor(row.length / (art * depth))) * depth;
  if (pixel > depth) add(depth, row, depth);
  for (let distance = pixel; distance <= NEAR_PIXELS * pixel; distance += pixel) add(distance, row, distance);
  return sources.sort((a, b) => a.cost - b.cost);
}

/** From each place on, how many bytes are the same as those of the source `shift` places to the left; null where that is too few. */
function runsOf(row: Uint8Array, source: Uint8Array, shift: number): Uint8Array | null {
  let runs: Uint8Array | null = null;
  let run = 0;
  for (let x = row.length - 1; x >= shift; x--) {
    run = row[x] === source[x - shift] ? run + 1 : 0;
    if (run >= COPY_MIN) (runs ??= new Uint8Array(row.length))[x] = run;
  }
  return runs;
}
