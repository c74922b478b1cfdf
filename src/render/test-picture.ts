/**
 * A picture with known content, to test whether a model sees pictures: a three-digit number, dark on light,
 * in the tileset's own font. The caller chooses the number at random: a guess is right one time in 729,
 * whereas a single digit would be guessed too often.
 */
import { sha256 } from '../base/canonical.js';
import { encodePng } from './png.js';
import { fittingFont, textWidth, writeText } from './text.js';
import type { Tileset } from './tileset.js';

/** The default size in pixels. */
const SIZE = { width: 224, height: 224 };
/** The maximum width of the number, in hundredths of the picture's width. */
const WIDTH_PERCENT_MAX = 90;

export interface TestPicture {
  png: Uint8Array;
  /** SHA-256 of the pixels' indices. */
  hash: string;
  question: string;
  /** Any of these in an answer, as whole words, shows that the picture was seen. */
  accepted: readonly string[];
}

/** Without the digit zero: many fonts draw it with a stroke, and it is then mistaken for an eight. */
const DIGIT_WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'] as const;

/** `draw` returns a whole number from 0 to below its argument; the size is in pixels. */
export function numberPicture(
  tileset: Tileset,
  draw: (end: number) => number,
  { width, height }: typeof SIZE = SIZE,
): TestPicture {
  const { colours } = tileset;
  const digits = Array.from({ length: 3 }, () => draw(DIGIT_WORDS.length));
  const spelledOut = digits.map((digit) => DIGIT_WORDS[digit]).join(' ');
  const text = digits.map((digit) => digit + 1).join('');
  const font = fittingFont(tileset.font, [text], width);
  const widest = Math.floor((width * WIDTH_PERCENT_MAX) / 100 / textWidth(font, text, 1));
  const zoom = Math.max(1, Math.min(widest, Math.floor(height / font.height)));
  const indices = new Uint8Array(width * height).fill(colours.ink);
  const raster = { indices, width, height };
  const x = Math.floor((width - textWidth(font, text, zoom)) / 2);
  const y = Math.floor((height - font.height * zoom) / 2);
  writeText(raster, font, { x, y, text, colour: colours.paper, zoom });
  const frame = { ...raster, palette: colours.palette, art: 1, cell: 1 };
  return {
    png: encodePng(frame),
    hash: sha256(indices),
    question: 'Which number does the picture show? Answer with its three digits alone.',
    accepted: [text, Array.from(text).join(' '), spelledOut],
  };
}
