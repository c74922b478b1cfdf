/**
 * Frames that suit a family of vision models: a tile is one vision token of the model if possible, and the
 * frame is square if the model would distort anything else. A window's sides are odd, so that the agent is in
 * its middle; families that always see 16 × 16 cells get a ruler beside 15 × 15 tiles. Figures:
 * docs/how-to/connect-a-model.md (What a frame costs).
 */
import type { PRESET_NAMES } from './schema.js';

export interface Preset {
  readonly tilePixels: number;
  readonly columns: number;
  readonly rows: number;
  /** Whether the frame has a ruler, which takes an additional column and row of tiles. */
  readonly ruler: boolean;
  /** The reason, in half a sentence, for the docs. */
  readonly reason: string;
}

const SQUARE = { columns: 15, rows: 15, ruler: false } as const;
const RULED = { columns: 15, rows: 15, ruler: true } as const;

export const PRESETS: Readonly<Record<(typeof PRESET_NAMES)[number], Preset>> = {
  default: { tilePixels: 32, ...SQUARE, reason: 'any model' },
  'qwen2.5-vl': { tilePixels: 28, ...SQUARE, reason: 'one token per tile (28 pixels)' },
  'qwen3-vl': { tilePixels: 32, ...SQUARE, reason: 'one token per tile (32 pixels)' },
  'gemma-3': { tilePixels: 56, ...RULED, reason: 'one token per tile: every picture becomes 16 × 16 tokens' },
  'gemma-4': {
    tilePixels: 48,
    ...RULED,
    reason: 'one token per tile: a square picture becomes 16 × 16 tokens',
  },
  pixtral: { tilePixels: 16, ...SQUARE, reason: 'one token per tile (16 pixels)' },
  'mistral-small': { tilePixels: 28, ...SQUARE, reason: 'one token per tile (28 pixels)' },
  internvl: { tilePixels: 28, ...RULED, reason: 'one token per tile: 448 pixels are 16 × 16 tokens' },
  smolvlm: {
    tilePixels: 32,
    ...SQUARE,
    reason: 'always enlarged and split into pieces, so size does not matter',
  },
};

/** The number of pixels of its frame, including the ruler. */
export function presetFrame({ tilePixels, columns, rows, ruler }: Preset): {
  readonly width: number;
  readonly height: number;
  readonly tilePixels: number;
} {
  const margin = ruler ? 1 : 0;
  return { width: (columns + margin) * tilePixels, height: (rows + margin) * tilePixels, tilePixels };
}
