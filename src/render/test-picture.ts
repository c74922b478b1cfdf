/**
 * A picture whose content is known, for asking a model whether it sees: one large digit, dark on light, in the tileset's own font. Which
 * digit is the caller's choice, so that a guess is right one time in ten.
 */
import { sha256 } from '../base/canonical.js';
import { encodePng } from './png.js';
import { fittingFont, writeText } from './text.js';
import type { Tileset } from './tileset.js';

const SIDE = 224;
const ZOOM = 24;

export interface TestPicture {
  readonly png: Uint8Array;
  /** SHA-256 of the pixels' indices. */
  readonly hash: string;
}

/** `digit` is 0 … 9. */
export function digitPicture(tileset: Tileset, digit: number): TestPicture {
  const { colours } = tileset;
  const text = String(digit);
  const font = fittingFont(tileset.font, [text], SIDE);
  const indices = new Uint8Array(SIDE * SIDE).fill(colours.ink);
  const raster = { indices, width: SIDE, height: SIDE };
  const [x, y] = [Math.floor((SIDE - font.width * ZOOM) / 2), Math.floor((SIDE - font.height * ZOOM) / 2)];
  writeText(raster, font, { x, y, text, colour: colours.paper, zoom: ZOOM });
  const frame = { ...raster, palette: colours.palette, art: 1, cell: 1 };
  return { png: encodePng(frame), hash: sha256(indices) };
}
