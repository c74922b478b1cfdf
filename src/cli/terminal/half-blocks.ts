/**
 * A picture as characters: each is a half block whose two colours are two pixels, one above the other. The
 * picture is reduced by averaging whole squares of pixels, so that edges stay in place. Its lines have no line
 * ends.
 */
import type { RgbaImage } from '../../render/png-input.js';
import type { Io } from './io.js';
import type { TextOutput } from './text-output.js';

/** 24-bit colours, or the 256 of older terminals. */
export type ColourDepth = 'true' | '256';

/** Null if pictures can't be shown: no terminal, colours disabled, or too few of them. */
export function colourDepth(io: Io, output: TextOutput): ColourDepth | null {
  const { env } = io;
  const isPlain = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  if (!output.isTerminal || isPlain || env['TERM'] === 'dumb') return null;
  if (/^(?:truecolor|24bit)$/.test(env['COLORTERM'] ?? '')) return 'true';
  return /256color|direct|kitty|ghostty|alacritty|wezterm/.test(env['TERM'] ?? '') ? '256' : null;
}

type RgbTriple = readonly [red: number, green: number, blue: number];

/**
 * At most `columns` characters wide and `rows` characters high; never larger than one character per pixel.
 */
export function halfBlocks(
  image: RgbaImage,
  columns: number,
  depth: ColourDepth,
  rows = Number.POSITIVE_INFINITY,
): readonly string[] {
  const square = Math.max(
    1,
    Math.ceil(image.width / Math.max(1, columns)),
    Math.ceil(image.height / Math.max(1, 2 * rows)),
  );
  const width = Math.ceil(image.width / square);
  const height = Math.ceil(image.height / square);
  const lines: string[] = [];
  for (let y = 0; y < height; y += 2) {
    let line = '';
    let last = '';
    for (let x = 0; x < width; x += 1) {
      const upper = averageIn(image, x * square, y * square, square);
      const lower = averageIn(image, x * square, (y + 1) * square, square);
      const colours = `\u001b[38;${code(upper, depth)};48;${code(lower, depth)}m`;
      line += colours === last ? '▀' : `${colours}▀`;
      last = colours;
    }
    lines.push(`${line}\u001b[0m`);
  }
  return lines;
}

/** Black where the square is outside. */
function averageIn({ width, height, data }: RgbaImage, left: number, top: number, side: number): RgbTriple {
  const sum = [0, 0, 0];
  let count = 0;
  for (let y = top; y < Math.min(height, top + side); y += 1) {
    for (let x = left; x < Math.min(width, left + side); x += 1) {
      for (let i = 0; i < 3; i += 1) sum[i] = (sum[i] ?? 0) + (data[(y * width + x) * 4 + i] ?? 0);
      count += 1;
    }
  }
  const [red, green, blue] = sum.map((one) => (count === 0 ? 0 : Math.round(one / count)));
  return [red ?? 0, green ?? 0, blue ?? 0];
}

function code([red, green, blue]: RgbTriple, depth: ColourDepth): string {
  if (depth === 'true') return `2;${red};${green};${blue}`;
  const [r, g, b] = [red, green, blue].map((one) => Math.round((one * 5) / 255));
  return `5;${16 + 36 * (r ?? 0) + 6 * (g ?? 0) + (b ?? 0)}`;
}
