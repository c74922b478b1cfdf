/**
 * The cost of a frame in image tokens, by family of models, for people who choose a window and a tile size.
 * Every family divides a picture into its own cells; the formulas follow the families' own image processors.
 * The scenario's presets (`scenario/presets.ts`) have the sizes that suit a family; a server's own count, if
 * it reports one, is definitive.
 */
import { assertNever } from '../base/assert.js';
import { FAMILIES } from '../scenario/presets.js';

/** As named in the scenario's presets. */
export { FAMILIES };
export type ModelFamily = (typeof FAMILIES)[number];

export interface PixelSize {
  width: number;
  height: number;
}

/** What a picture becomes: the number of tokens, and their layout over the picture. */
export interface FrameTokens {
  tokens: number;
  /**
   * The grid of cells, one token each; null if the picture is processed in several pieces, so that a cell has
   * no fixed place.
   */
  cells: { columns: number; rows: number } | null;
}

/** The image tokens for a frame of this many pixels. */
export function frameTokens(family: ModelFamily, width: number, height: number): number {
  return frameCost(family, { width, height }).tokens;
}

export function frameCost(family: ModelFamily, size: PixelSize): FrameTokens {
  switch (family) {
    case 'qwen2.5-vl':
      return roundedGrid(size, { cell: 28, minPixels: 3136, maxPixels: 12_845_056 });
    case 'qwen3-vl':
      return roundedGrid(size, { cell: 32, minPixels: 65_536, maxPixels: 16_777_216 });
    case 'gemma-3':
      return grid(16, 16);
    case 'gemma-4':
      return budgetGrid(size, { cell: 48, tokens: 280 });
    case 'smolvlm':
      return enlargedCrops(size, { longestPixels: 2048, cropPixels: 512, cropTokens: 64 });
    case 'pixtral':
      return brokenRows(size, { cell: 16, longestPixels: 1024 });
    case 'mistral-small':
      return brokenRows(size, { cell: 28, longestPixels: 1540 });
    case 'internvl':
      return bestTiling(size, { tilePixels: 448, tileTokens: 256, tilesMax: 12 });
    default:
      return assertNever(family, 'model family');
  }
}

function grid(columns: number, rows: number): FrameTokens {
  return { tokens: columns * rows, cells: { columns, rows } };
}

/** Qwen: both sides to the nearest multiple of the cell, then scaled into the range of areas. */
function roundedGrid(
  { width, height }: PixelSize,
  { cell, minPixels, maxPixels }: { cell: number; minPixels: number; maxPixels: number },
): FrameTokens {
  const round = (side: number) => Math.max(1, roundHalfToEven(side / cell));
  const area = round(width) * round(height) * cell * cell;
  if (area >= minPixels && area <= maxPixels) return grid(round(width), round(height));
  const scale = Math.sqrt((area > maxPixels ? maxPixels : minPixels) / (width * height));
  const fit = (side: number) =>
    Math.max(1, area > maxPixels ? Math.floor((side * scale) / cell) : Math.ceil((side * scale) / cell));
  return grid(fit(width), fit(height));
}

/** Rounds like Python, in which the processors are written: 22.5 to 22, 23.5 to 24. */
function roundHalfToEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** Gemma 4: always resized, even enlarged, to fill a budget of cells with the same proportions. */
function budgetGrid(
  { width, height }: PixelSize,
  { cell, tokens }: { cell: number; tokens: number },
): FrameTokens {
  const scale = Math.sqrt((tokens * cell * cell) / (width * height));
  const fit = (side: number) => Math.max(1, Math.floor((side * scale) / cell));
  return grid(fit(width), fit(height));
}

/**
 * SmolVLM: the longest side is always enlarged, the picture is cut into crops, and the whole picture is
 * added.
 */
function enlargedCrops(
  { width, height }: PixelSize,
  spec: { longestPixels: number; cropPixels: number; cropTokens: number },
): FrameTokens {
  const scale = spec.longestPixels / Math.max(width, height);
  const crops = (side: number) => Math.max(1, Math.ceil(Math.floor(side * scale) / spec.cropPixels));
  return { tokens: (crops(width) * crops(height) + 1) * spec.cropTokens, cells: null };
}

/**
 * Pixtral, Mistral: cells row by row, with one more token at the end of each row; larger pictures are reduced
 * first.
 */
function brokenRows(
  { width, height }: PixelSize,
  { cell, longestPixels }: { cell: number; longestPixels: number },
): FrameTokens {
  const ratio = Math.max(1, width / longestPixels, height / longestPixels);
  const fit = (side: number) => Math.floor((Math.round(side / ratio) - 1) / cell) + 1;
  const cells = { columns: fit(width), rows: fit(height) };
  return { tokens: cells.rows * (cells.columns + 1), cells };
}

/**
 * InternVL: the grid of tiles with the nearest proportions, and a thumbnail if there is more than one tile.
 */
function bestTiling(
  { width, height }: PixelSize,
  { tilePixels, tileTokens, tilesMax }: { tilePixels: number; tileTokens: number; tilesMax: number },
): FrameTokens {
  let best = { tiles: 1, difference: Number.POSITIVE_INFINITY };
  for (let tiles = 1; tiles <= tilesMax; tiles++)
    for (let columns = 1; columns <= tiles; columns++) {
      if (tiles % columns !== 0) continue;
      const difference = Math.abs(width / height - (columns * columns) / tiles);
      const isNearer = difference < best.difference;
      // Of shapes that are equally near, a larger one is chosen only if the picture fills more than half of
      // it.
      const isFilled = width * height > 0.5 * tilePixels * tilePixels * tiles;
      if (isNearer || (difference === best.difference && isFilled)) best = { tiles, difference };
    }
  if (best.tiles > 1) return { tokens: (best.tiles + 1) * tileTokens, cells: null };
  const side = Math.sqrt(tileTokens);
  return grid(side, side);
}
