/**
 * A picture between lines of text, for `show` and for people who play: as wide as is useful, and at most as
 * high as the terminal.
 */
import type { Io } from './io.js';
import { pictureWay, shownPicture } from './pictures.js';
import type { PictureWay } from './pictures.js';
import type { Sheet } from './sheet.js';

/** A wider picture would be too high to be seen as a whole. */
const COLUMNS = 96;
/** Lines kept free for the prompt. */
const LEFT_FREE = 2;

/** '' if there is no picture, or it can't be shown. */
export async function inlinePicture(png: Uint8Array | null, io: Io, sheet: Sheet): Promise<string> {
  return png === null ? '' : pictureLines(png, await pictureWay(io, sheet), sheet);
}

/** Including the end of its last line; '' if it can't be shown. */
export async function pictureLines(png: Uint8Array, way: PictureWay | null, sheet: Sheet): Promise<string> {
  if (way === null) return '';
  const room = { columns: Math.min(sheet.columns, COLUMNS), rows: Math.max(1, sheet.rows - LEFT_FREE) };
  const { lines, rows } = await shownPicture(png, way, room);
  // The cursor stays at a kitty picture's top; the others leave it at their end.
  const below = way.kind === 'kitty' ? '\n'.repeat(rows) : '\n';
  return `${lines.join('\n')}${below}`;
}
