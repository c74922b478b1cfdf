/**
 * What a frame should measure for a family of models, and what it costs there in image tokens. Every family cuts a picture
 * into cells of its own; a tile that is a whole multiple of such a cell is seen whole, any other is smeared over two.
 *
 * The window is 15 × 15 tiles, odd so that the agent stands in the middle. Families that stretch every picture to one square
 * (Gemma, InternVL, SmolVLM) divide it into a power of two or a multiple of four, which no odd window fits: there the ruler's
 * margin makes 16 × 16 cells, and each falls on whole cells of the model. The costs follow the families' own image processors.
 */
import { assertNever } from '../base/assert.js';

export const FAMILIES = [
  'qwen2.5-vl',
  'qwen3-vl',
  'gemma3',
  'gemma4',
  'smolvlm',
  'pixtral',
  'mistral-small-3.1',
  'internvl',
  'unknown',
] as const;
export type ModelFamily = (typeof FAMILIES)[number];

export interface RenderPreset {
  /** Pixels of a tile's side in the frame that is sent. */
  readonly tilePixels: number;
  readonly columns: number;
  readonly rows: number;
  /** Whether the ruler's margin completes the square that the family divides evenly. */
  readonly ruler: boolean;
}

const WINDOW = { columns: 15, rows: 15 } as const;

export const PRESETS: Readonly<Record<ModelFamily, RenderPreset>> = {
  'qwen2.5-vl': { ...WINDOW, tilePixels: 28, ruler: false },
  'qwen3-vl': { ...WINDOW, tilePixels: 32, ruler: false },
  // 16 cells of 56 pixels are its 896: nothing is resized, one token a cell.
  gemma3: { ...WINDOW, tilePixels: 56, ruler: true },
  // 16 cells of 48 pixels are 256 tokens of the 280 it may spend, without resizing.
  gemma4: { ...WINDOW, tilePixels: 48, ruler: true },
  // 512 pixels grow fourfold to its 2048, and each of its 512-pixel crops holds four by four cells.
  smolvlm: { ...WINDOW, tilePixels: 32, ruler: true },
  pixtral: { ...WINDOW, tilePixels: 32, ruler: false },
  'mistral-small-3.1': { ...WINDOW, tilePixels: 28, ruler: false },
  // 16 cells of 28 pixels are its tile of 448.
  internvl: { ...WINDOW, tilePixels: 28, ruler: true },
  unknown: { ...WINDOW, tilePixels: 32, ruler: false },
};

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The size of the frame that a preset gives. */
export function presetSize({ tilePixels, columns, rows, ruler }: RenderPreset): PixelSize {
  const margin = ruler ? 1 : 0;
  return { width: (columns + margin) * tilePixels, height: (rows + margin) * tilePixels };
}

/** Image tokens that a frame of this many pixels costs; null where the family is not known. */
export function frameTokens(family: ModelFamily, width: number, height: number): number | null {
  const size = { width, height };
  switch (family) {
    case 'qwen2.5-vl':
      return roundedGrid(size, { cell: 28, minPixels: 3136, maxPixels: 12_845_056 });
    case 'qwen3-vl':
      return roundedGrid(size, { cell: 32, minPixels: 65_536, maxPixels: 16_777_216 });
    case 'gemma3':
      return 256;
    case 'gemma4':
      return budgetGrid(size, { cell: 48, tokens: 280 });
    case 'smolvlm':
      return enlargedCrops(size, { longestPixels: 2048, cropPixels: 512, cropTokens: 64 });
    case 'pixtral':
      return brokenRows(size, { cell: 16, longestPixels: 1024 });
    case 'mistral-small-3.1':
      return brokenRows(size, { cell: 28, longestPixels: 1540 });
    case 'internvl':
      return bestTiling(size, { tilePixels: 448, tileTokens: 256, tilesMax: 12 });
    case 'unknown':
      return null;
    default:
      return assertNever(family, 'model family');
  }
}

/** Qwen: both sides to the nearest multiple of the cell, then scaled into the range of areas. */
function roundedGrid(
  { width, height }: PixelSize,
  { cell, minPixels, maxPixels }: { cell: number; minPixels: number; maxPixels: number },
): number {
  const round = (side: number) => Math.max(1, roundHalfToEven(side / cell));
  const area = round(width) * round(height) * cell * cell;
  if (area >= minPixels && area <= maxPixels) return area / (cell * cell);
  const scale = Math.sqrt((area > maxPixels ? maxPixels : minPixels) / (width * height));
  const fit = (side: number) =>
    Math.max(1, area > maxPixels ? Math.floor((side * scale) / cell) : Math.ceil((side * scale) / cell));
  return fit(width) * fit(height);
}

/** As the processors' language rounds: 22.5 to 22, 23.5 to 24. */
function roundHalfToEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** Gemma 4: always resized, also up, to fill a budget of cells, keeping the shape. */
function budgetGrid(
  { width, height }: PixelSize,
  { cell, tokens }: { cell: number; tokens: number },
): number {
  const scale = Math.sqrt((tokens * cell * cell) / (width * height));
  return Math.max(1, Math.floor((width * scale) / cell)) * Math.max(1, Math.floor((height * scale) / cell));
}

/** SmolVLM: the longest side is always enlarged, the picture cut into crops, and once more seen whole. */
function enlargedCrops(
  { width, height }: PixelSize,
  spec: { longestPixels: number; cropPixels: number; cropTokens: number },
): number {
  const scale = spec.longestPixels / Math.max(width, height);
  const crops = (side: number) => Math.max(1, Math.ceil(Math.floor(side * scale) / spec.cropPixels));
  return (crops(width) * crops(height) + 1) * spec.cropTokens;
}

/** Pixtral, Mistral: cells row by row with one more token at each row's end; larger pictures are shrunk first. */
function brokenRows(
  { width, height }: PixelSize,
  { cell, longestPixels }: { cell: number; longestPixels: number },
): number {
  const ratio = Math.max(1, width / longestPixels, height / longestPixels);
  const cells = (side: number) => Math.floor((Math.round(side / ratio) - 1) / cell) + 1;
  return cells(height) * (cells(width) + 1);
}

/** InternVL: the grid of tiles whose shape is nearest, and a thumbnail where there is more than one tile. */
function bestTiling(
  { width, height }: PixelSize,
  { tilePixels, tileTokens, tilesMax }: { tilePixels: number; tileTokens: number; tilesMax: number },
): number {
  let best = { tiles: 1, difference: Number.POSITIVE_INFINITY };
  for (let tiles = 1; tiles <= tilesMax; tiles++)
    for (let columns = 1; columns <= tiles; columns++) {
      if (tiles % columns !== 0) continue;
      const difference = Math.abs(width / height - (columns * columns) / tiles);
      const isNearer = difference < best.difference;
      // Of shapes equally near, a larger one wins only if the picture fills more than half of it.
      const isFilled = width * height > 0.5 * tilePixels * tilePixels * tiles;
      if (isNearer || (difference === best.difference && isFilled)) best = { tiles, difference };
    }
  return (best.tiles === 1 ? 1 : best.tiles + 1) * tileTokens;
}
