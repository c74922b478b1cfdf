/** A picture as sixels: bands of six rows of pixels, one pass for each colour in a band, with run lengths. */
import type { RgbaImage } from '../../render/png-input.js';

const COLOURS = 256;
const BAND = 6;

/**
 * In its own size. Up to 256 colours are exact, apart from the sixel scale of 0 to 100; with more, each
 * channel has six levels.
 */
export function sixels(image: RgbaImage): string {
  const { indices, colours } = indexed(image);
  const registers = colours.map((rgb, i) => `#${i};2;${levels(rgb).join(';')}`).join('');
  const bands: string[] = [];
  for (let top = 0; top < image.height; top += BAND) bands.push(band(indices, image, top));
  return `\u001bP0;1;0q"1;1;${image.width};${image.height}${registers}${bands.join('-')}\u001b\\`;
}

function levels(rgb: number): readonly number[] {
  return [rgb >> 16, (rgb >> 8) & 255, rgb & 255].map((one) => Math.round((one * 100) / 255));
}

interface IndexedPicture {
  readonly indices: Uint8Array;
  readonly colours: readonly number[];
}

function indexed(image: RgbaImage): IndexedPicture {
  return withColours(image, 255) ?? withColours(image, 5) ?? { indices: new Uint8Array(), colours: [] };
}

/** The number of levels of each channel above black; null for exact colours. */
function withColours({ width, height, data }: RgbaImage, steps: number): IndexedPicture | null {
  const indices = new Uint8Array(width * height);
  const known = new Map<number, number>();
  const rounded = (value: number | undefined) =>
    Math.round((Math.round(((value ?? 0) * steps) / 255) * 255) / steps);
  for (let i = 0; i < indices.length; i++) {
    const [red, green, blue] = [data[i * 4], data[i * 4 + 1], data[i * 4 + 2]];
    const rgb = (rounded(red) << 16) | (rounded(green) << 8) | rounded(blue);
    const index = known.get(rgb) ?? known.size;
    if (index === COLOURS) return null;
    known.set(rgb, index);
    indices[i] = index;
  }
  return { indices, colours: [...known.keys()] };
}

function band(indices: Uint8Array, { width, height }: RgbaImage, top: number): string {
  const rows = Math.min(BAND, height - top);
  const masks = new Map<number, Uint8Array>();
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < width; x++) {
      const colour = indices[(top + y) * width + x] ?? 0;
      let mask = masks.get(colour);
      if (mask === undefined) masks.set(colour, (mask = new Uint8Array(width)));
      mask[x] = (mask[x] ?? 0) | (1 << y);
    }
  return [...masks].map(([colour, mask]) => `#${colour}${runs(mask)}`).join('$');
}

function runs(mask: Uint8Array): string {
  let text = '';
  for (let x = 0; x < mask.length;) {
    let end = x + 1;
    while (end < mask.length && mask[end] === mask[x]) end++;
    const sign = String.fromCharCode(63 + (mask[x] ?? 0));
    text += end - x > 3 ? `!${end - x}${sign}` : sign.repeat(end - x);
    x = end;
  }
  return text;
}
