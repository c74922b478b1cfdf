/**
 * Which Huffman tables the frames of a tileset get, and the deflaters that use them, one for each width and scale in use. The tables come
 * from the tileset's own tiles, lit and remembered, and from how often a usual frame copies; they depend on the
 * tileset and the frame's width alone, so the same frame is the same file in every run.
 */
import { at } from '../base/assert.js';
import { EMPTY, type Composites, type Pixels } from './composites.js';
import { DISTANCE_MAX, deflateCodes, SymbolCounts, type DeflateCosts } from './deflate-codes.js';
import type { Frame, FrameTiles } from './frame.js';
import { cheapest, fileRows, type TileShape } from './tile-code.js';
import { tileRgb } from './rgb.js';
import { copyLengths, tileDeflater, type TileBytes, type TileDeflater } from './tile-deflate.js';

type Page = Pick<Frame, 'width' | 'art' | 'cell' | 'palette'>;

/** Widths and scales of one tileset; a run has one. */
const DEFLATERS_MAX = 16;
const deflaters = new WeakMap<Composites, Map<string, TileDeflater>>();

/** The frame's rows as a zlib stream. */
export function deflateTiles(page: Page, { cells, composites }: FrameTiles): Uint8Array {
  const known = deflaters.get(composites) ?? new Map<string, TileDeflater>();
  deflaters.set(composites, known);
  const key = `${page.width} ${page.art} ${page.cell}`;
  const deflater = known.get(key) ?? makeDeflater(page, composites);
  if (known.size >= DEFLATERS_MAX) known.clear();
  known.set(key, deflater);
  return deflater.deflate(cells);
}

function makeDeflater(page: Page, composites: Composites): TileDeflater {
  const columns = page.width / page.art;
  const shape = shapeOf(page, columns);
  const bytesOf = tileBytes(page);
  const samples = sampleTiles(composites).map(bytesOf);
  return tileDeflater(shape, columns, deflateCodes(expectedSymbols(shape, columns, samples)), bytesOf);
}

function tileBytes({ palette }: Page): TileBytes {
  if (palette.size > 256) return (tile) => tileRgb(tile, palette);
  return ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);
}

function shapeOf({ art, cell, palette }: Page, columns: number): TileShape {
  const depth = palette.size > 256 ? 3 : 1;
  const shown = Array.from({ length: cell }, (_, i) => Math.floor((i * art) / cell));
  const rows = [...new Set(shown)].map((row) => ({
    row,
    times: shown.filter((each) => each === row).length,
  }));
  const bytes = shown.flatMap((column) => Array.from({ length: depth }, (_, i) => column * depth + i));
  return { stride: columns * cell * depth + 1, columns: bytes, rows, art, depth };
}

/** Enough to know the colours. */
const SAMPLES = 64;
/** Before there is a table: about what the symbols of tile art come to. */
const GUESS: DeflateCosts = {
  literal: () => 7,
  lengths: Array.from({ length: 259 }, (_, length) => (length < 11 ? 5 : 8)),
  distance: () => 4,
};
/** Of a usual frame: tiles of each row of tiles that are written as themselves, and runs that are copied. */
const OWN_TILES = 3;
const COPIED_RUNS = 4;

function expectedSymbols(shape: TileShape, columns: number, samples: readonly Uint8Array[]): SymbolCounts {
  const counts = new SymbolCounts();
  const share = OWN_TILES / samples.length;
  for (const tile of samples) {
    const rows = fileRows(tile, shape);
    for (const [i, row] of rows.entries()) {
      let place = 0;
      for (const { length, distance } of cheapest(row, rows[i - 1], shape, GUESS)) {
        if (distance === 0) counts.literal(at(row, place), share * 16);
        else counts.copy(length, distance, share * 16);
        place += length;
      }
    }
  }
  const side = shape.columns.length;
  const lines = 16 * shape.rows.length;
  counts.literal(0, lines);
  if (shape.stride <= DISTANCE_MAX)
    for (const length of copyLengths(shape.stride)) counts.copy(length, shape.stride, lines);
  const up = side * shape.stride;
  for (let count = 1; count * side <= 258 && count < columns; count++) {
    counts.copy(count * side, side, (lines * COPIED_RUNS) / 8);
    if (up <= DISTANCE_MAX) counts.copy(count * side, up, (lines * COPIED_RUNS) / 8);
  }
  return counts;
}

function sampleTiles(composites: Composites): Pixels[] {
  const step = Math.max(1, Math.floor(composites.count / SAMPLES));
  const samples: Pixels[] = [];
  for (let tile = 0; tile < composites.count; tile += step)
    for (const isRemembered of [false, true])
      samples.push(composites.pixels(composites.push(EMPTY, tile), isRemembered));
  return samples;
}
