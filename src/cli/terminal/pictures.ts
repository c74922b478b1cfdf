/**
 * How this terminal shows pictures: by kitty's protocol, iTerm2's, sixels, or half blocks of characters,
 * which work in all terminals with colours. The terminal is queried; the last query is one that every
 * terminal answers, and no answer within a moment means no. ORCHESTRATE_PICTURES sets the method explicitly.
 * In: PNGs and a box of characters; out: text to write at the cursor, as the program's own codes.
 */
import { decodePng } from '../../render/png-input.js';
import type { RgbaImage } from '../../render/png-input.js';
import { colourDepth, halfBlocks } from './half-blocks.js';
import type { ColourDepth } from './half-blocks.js';
import { itermImage, kittyImage } from './inline-images.js';
import type { CharacterBox } from './inline-images.js';
import type { Io } from './io.js';
import { ownCode } from './text-output.js';
import type { TextOutput } from './text-output.js';
import { sixels } from './sixel.js';
import { queryTerminal } from './terminal-query.js';

/** The size of a character in pixels. */
export interface CellSize {
  readonly width: number;
  readonly height: number;
}

export type PictureMethod =
  | { readonly kind: 'kitty' | 'iterm2' | 'sixel'; readonly cell: CellSize }
  | { readonly kind: 'blocks'; readonly depth: ColourDepth };

/** A typical size, used if the terminal does not report one. */
const CELL: CellSize = { width: 10, height: 20 };
const ITERM = /^(?:iTerm\.app|WezTerm|mintty|vscode)$/;

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
  if (requested === 'kitty' || requested === 'iterm2' || requested === 'sixel')
    return { kind: requested, cell: CELL };
  if (blocks === null) return null;
  const answers = await queryTerminal(io, output);
  const cell = answers.cell ?? CELL;
  if (answers.hasKitty) return { kind: 'kitty', cell };
  // Inside tmux and screen, the name is that of the terminal around them, which does not get pictures.
  if (env['TMUX'] === undefined && env['STY'] === undefined && ITERM.test(env['TERM_PROGRAM'] ?? ''))
    return { kind: 'iterm2', cell };
  return answers.hasSixels ? { kind: 'sixel', cell } : blocks;
}

export interface ShownPicture extends CharacterBox {
  /** Lines of characters; one line for a picture sent as escapes. */
  readonly lines: readonly string[];
}

/** As large as fits into the box. Throws UsageError if the file is not a PNG. */
export async function shownPicture(
  png: Uint8Array,
  method: PictureMethod,
  box: CharacterBox,
): Promise<ShownPicture> {
  const image = await decodePng(png, 'the frame');
  if (method.kind === 'blocks') {
    const lines = halfBlocks(image, box.columns, method.depth, box.rows);
    return { lines: lines.map(ownCode), columns: blockColumns(image, box), rows: lines.length };
  }
  const fittedSize = fittedBox(image, method.cell, box);
  if (method.kind === 'sixel') {
    const pixels = scaled(
      image,
      fittedSize.columns * method.cell.width,
      fittedSize.rows * method.cell.height,
    );
    return { ...fittedSize, lines: [ownCode(sixels(pixels))] };
  }
  const text = method.kind === 'kitty' ? kittyImage(png, fittedSize) : itermImage(png, fittedSize);
  return { ...fittedSize, lines: [ownCode(text)] };
}

function blockColumns({ width, height }: RgbaImage, { columns, rows }: CharacterBox): number {
  const square = Math.max(1, Math.ceil(width / columns), Math.ceil(height / (2 * rows)));
  return Math.ceil(width / square);
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

/**
 * The largest picture with the same proportions that fits into this many pixels; each pixel is taken from the
 * original.
 */
export function scaled({ width, height, data }: RgbaImage, roomWidth: number, roomHeight: number): RgbaImage {
  const scale = Math.min(roomWidth / width, roomHeight / height);
  const size = {
    width: Math.max(1, Math.floor(width * scale)),
    height: Math.max(1, Math.floor(height * scale)),
  };
  const out = new Uint8Array(size.width * size.height * 4);
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) {
      const from = Math.floor((y * height) / size.height) * width + Math.floor((x * width) / size.width);
      out.set(data.subarray(from * 4, from * 4 + 4), (y * size.width + x) * 4);
    }
  return { ...size, data: out };
}
