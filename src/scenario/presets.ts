/**
 * Frame sizes that suit families of vision models: if possible, a tile is one vision token of the model, and
 * the frame is square if the model would distort other shapes. A window has odd sides, so that the agent is
 * in its middle; families that always see 16 × 16 cells get a ruler beside 15 × 15 tiles. Measurements:
 * docs/how-to/connect-a-model.md (What a frame costs).
 */

/** Model families whose vision cells a frame can fit. */
export const FAMILIES = [
  'qwen2.5-vl',
  'qwen3-vl',
  'gemma-3',
  'gemma-4',
  'pixtral',
  'mistral-small',
  'internvl',
  'smolvlm',
] as const;

export interface Preset {
  tilePixels: number;
  columns: number;
  rows: number;
  /** Whether the frame has a ruler, which takes an additional column and row of tiles. */
  ruler: boolean;
  /** The reason for these sizes, as a short phrase for the docs. */
  reason: string;
}

const SQUARE = { columns: 15, rows: 15, ruler: false } as const;
const SQUARE_WITH_RULER = { columns: 15, rows: 15, ruler: true } as const;

export const PRESETS: Readonly<Record<'default' | (typeof FAMILIES)[number], Preset>> = {
  default: { tilePixels: 32, ...SQUARE, reason: 'any model' },
  'qwen2.5-vl': { tilePixels: 28, ...SQUARE, reason: 'one token per tile (28 pixels)' },
  'qwen3-vl': { tilePixels: 32, ...SQUARE, reason: 'one token per tile (32 pixels)' },
  'gemma-3': {
    tilePixels: 56,
    ...SQUARE_WITH_RULER,
    reason: 'one token per tile: every picture becomes 16 × 16 tokens',
  },
  'gemma-4': {
    tilePixels: 48,
    ...SQUARE_WITH_RULER,
    reason: 'one token per tile: a square picture becomes 16 × 16 tokens',
  },
  pixtral: { tilePixels: 16, ...SQUARE, reason: 'one token per tile (16 pixels)' },
  'mistral-small': { tilePixels: 28, ...SQUARE, reason: 'one token per tile (28 pixels)' },
  internvl: {
    tilePixels: 28,
    ...SQUARE_WITH_RULER,
    reason: 'one token per tile: 448 pixels are 16 × 16 tokens',
  },
  smolvlm: {
    tilePixels: 32,
    ...SQUARE,
    reason: 'always enlarged and split into pieces, so size does not matter',
  },
};

/** The number of pixels of its frame, including the ruler. */
export function presetFrame({ tilePixels, columns, rows, ruler }: Preset): {
  width: number;
  height: number;
  tilePixels: number;
} {
  const margin = ruler ? 1 : 0;
  return { width: (columns + margin) * tilePixels, height: (rows + margin) * tilePixels, tilePixels };
}
