/**
 * A picture between lines of text, for `show` and for people who play: as wide as is useful, and at most as
 * high as the terminal.
 */
import type { Io } from './io.js';
import { pictureMethod, shownPicture } from './pictures.js';
import type { PictureMethod } from './pictures.js';
import type { TextOutput } from './text-output.js';

/** A wider picture would be too high to be seen as a whole. */
const COLUMNS = 96;
/** Lines kept free for the prompt. */
const FREE_ROWS = 2;

/** '' if there is no picture, or it can't be shown. */
export async function inlinePicture(png: Uint8Array | null, io: Io, output: TextOutput): Promise<string> {
  return png === null ? '' : pictureLines(png, await pictureMethod(io, output), output);
}

/** Including the end of its last line; '' if it can't be shown. */
export async function pictureLines(
  png: Uint8Array,
  method: PictureMethod | null,
  output: TextOutput,
): Promise<string> {
  if (method === null) return '';
  const box = { columns: Math.min(output.columns, COLUMNS), rows: Math.max(1, output.rows - FREE_ROWS) };
  const { lines, rows } = await shownPicture(png, method, box);
  // The cursor stays at a kitty picture's top; half blocks leave it at their end.
  const below = method.kind === 'kitty' ? '\n'.repeat(rows) : '\n';
  return `${lines.join('\n')}${below}`;
}
