/**
 * How this terminal shows pictures: by kitty's protocol, or by half blocks of characters, which work in all
 * terminals with colours. The terminal is queried; the last query is one that every terminal answers, and no
 * answer within a moment means no. ORCHESTRATE_PICTURES sets the method explicitly.
 */
import { decodePng } from '../../render/png-input.js';
import type { RgbaImage } from '../../render/png-input.js';
import { colourDepth, halfBlocks } from './half-blocks.js';
import type { ColourDepth } from './half-blocks.js';
import type { Io } from './io.js';
import { kittyImage } from './kitty-image.js';
import type { CharacterBox } from './kitty-image.js';
import { queryTerminal } from './terminal-query.js';
import { ownCode } from './text-output.js';
import type { TextOutput } from './text-output.js';

/** The size of a character in pixels. */
export interface CellSize {
  width: number;
  height: number;
}

export type PictureMethod = { kind: 'kitty'; cell: CellSize } | { kind: 'blocks'; depth: ColourDepth };

/** A typical size, used if the terminal does not report one. */
const CELL: CellSize = { width: 10, height: 20 };

/**
 * Null if pictures can't be shown, or are disabled. Queries the terminal if keys come from one, and never
 * waits longer than a moment.
 */
export async function pictureMethod(io: Io, output: TextOutput): Promise<PictureMethod | null> {
  const { env } = io;
  const requested = env['ORCHESTRATE_PICTURES'] ?? '';
  const depth = colourDepth(io, output);
  const blocks = depth === null ? null : ({ kind: 'blocks', depth } as const);
  if (!output.isTerminal || requested === 'none' || env['TERM'] === 'dumb') return null;
  if (requested === 'blocks') return blocks;
  if (requested === 'kitty') return { kind: 'kitty', cell: CELL };
  if (blocks === null) return null;
  const answers = await queryTerminal(io, output);
  return answers.hasKitty ? { kind: 'kitty', cell: answers.cell ?? CELL } : blocks;
}

export interface ShownPicture extends CharacterBox {
  /** Lines of characters; one line for a picture sent as escapes. */
  lines: readonly string[];
}

/** As large as fits into the box. Throws UsageError if the file is not a PNG. */
export async function shownPicture(
  png: Uint8Array,
  method: PictureMethod,
  box: CharacterBox,
): Promise<ShownPicture> {
  const image = await decodePng(png, 'the frame');
  if (method.kind === 'kitty') {
    const fittedSize = fittedBox(image, method.cell, box);
    return { ...fittedSize, lines: [ownCode(kittyImage(png, fittedSize))] };
  }
  const lines = halfBlocks(image, box.columns, method.depth, box.rows);
  const square = Math.max(1, Math.ceil(image.width / box.columns), Math.ceil(image.height / (2 * box.rows)));
  return { lines: lines.map(ownCode), columns: Math.ceil(image.width / square), rows: lines.length };
}

/** The largest box with the picture's proportions, in whole characters; at least one. */
export function fittedBox(image: RgbaImage, cell: CellSize, box: CharacterBox): CharacterBox {
  const pixels = { width: box.columns * cell.width, height: box.rows * cell.height };
  const scale = Math.min(pixels.width / image.width, pixels.height / image.height);
  return {
    columns: Math.max(1, Math.min(box.columns, Math.round((image.width * scale) / cell.width))),
    rows: Math.max(1, Math.min(box.rows, Math.round((image.height * scale) / cell.height))),
  };
}
