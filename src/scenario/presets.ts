/**
 * Frames that suit a family of vision models: a tile is a whole multiple of the cell that the model sees as one token where
 * that can be, and the window is square where the model would squash anything else. Figures: docs/MODELS.md.
 */
import type { PRESET_NAMES } from './schema.js';

export interface Preset {
  readonly tilePixels: number;
  readonly columns: number;
  readonly rows: number;
  /** Why, in half a sentence, for the docs. */
  readonly reason: string;
}

const SQUARE = { columns: 15, rows: 15 } as const;

export const PRESETS: Readonly<Record<(typeof PRESET_NAMES)[number], Preset>> = {
  default: { tilePixels: 32, ...SQUARE, reason: 'any model' },
  'qwen2.5-vl': { tilePixels: 28, ...SQUARE, reason: 'one token a tile (28 pixels)' },
  'qwen3-vl': { tilePixels: 32, ...SQUARE, reason: 'one token a tile (32 pixels)' },
  'gemma-3': { tilePixels: 56, ...SQUARE, reason: 'squashed to 896 × 896, so square and close to it' },
  'gemma-4': { tilePixels: 48, ...SQUARE, reason: 'resized to at most 280 cells of 48 pixels, so square' },
  pixtral: { tilePixels: 32, ...SQUARE, reason: 'four patches of 16 pixels a tile' },
  'mistral-small': { tilePixels: 28, ...SQUARE, reason: 'one token a tile (28 pixels)' },
  internvl: { tilePixels: 64, columns: 7, rows: 7, reason: 'exactly one picture tile of 448 pixels' },
  smolvlm: { tilePixels: 32, ...SQUARE, reason: 'always scaled up, so size does not matter' },
};
