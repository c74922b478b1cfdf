/**
 * Text in a frame: a bitmap font written directly into palette indices, so that no font of the machine is
 * involved. The tileset brings the font; if it has none, or a number is too wide for its space, a built-in
 * set of 3×5 digits is used.
 */
import { counted } from '../base/counted.js';
import { UsageError } from '../base/errors.js';
import type { FontEntry } from './manifest.js';
import type { Indices } from './palette.js';
import type { RgbaImage } from './png-input.js';

export interface Font {
  /** The width of a character and the height of a line, in pixels. */
  width: number;
  height: number;
  /** Row by row; 1 for a pixel of the character. */
  glyphs: ReadonlyMap<string, Uint8Array>;
  /** Drawn for characters without a glyph; if null, such characters are refused. */
  missing: Uint8Array | null;
}

/** The indices to write into. */
export interface Raster {
  indices: Indices;
  width: number;
  height: number;
}

export function readFont(image: RgbaImage, entry: FontEntry): Font {
  const { width, height, columns } = entry;
  const characters = Array.from(entry.characters);
  if (image.width < columns * width || image.height < Math.ceil(characters.length / columns) * height)
    throw new UsageError(
      `the image ${entry.image} is too small for ${counted(characters.length, 'character')} of ${width}×${height} pixels`,
    );
  const glyphs = new Map<string, Uint8Array>();
  for (const [cell, character] of characters.entries()) {
    const left = (cell % columns) * width;
    const top = Math.floor(cell / columns) * height;
    const glyph = Uint8Array.from({ length: width * height }, (_, i) => {
      const at = (top + Math.floor(i / width)) * image.width + left + (i % width);
      return (image.data[at * 4 + 3] ?? 0) >= 128 ? 1 : 0;
    });
    glyphs.set(character, glyph);
  }
  return {
    width,
    height,
    glyphs,
    missing: entry.missing === null ? null : (glyphs.get(entry.missing) ?? null),
  };
}

/** Rows of three pixels, from the top: the digits, then minus. */
const SMALL_ROWS: Readonly<Record<string, string>> = {
  '0': '111101101101111',
  '1': '010110010010111',
  '2': '111001111100111',
  '3': '111001011001111',
  '4': '101101111001001',
  '5': '111100111001111',
  '6': '111100111101111',
  '7': '111001010010010',
  '8': '111101111101111',
  '9': '111101111001111',
  '-': '000000111000000',
};

const SMALL_DIGITS: Font = {
  width: 4,
  height: 5,
  glyphs: new Map(Object.entries(SMALL_ROWS).map(([character, rows]) => [character, withGap(rows)])),
  missing: null,
};

/** Three columns for the digit and one for the gap. */
function withGap(rows: string): Uint8Array {
  return Uint8Array.from({ length: 20 }, (_, i) =>
    rows[Math.floor(i / 4) * 3 + (i % 4)] === '1' && i % 4 < 3 ? 1 : 0,
  );
}

/** The tileset's font if the longest of the texts fits, otherwise the small digits if they can express it. */
export function fittingFont(font: Font | null, texts: readonly string[], availablePixels: number): Font {
  const longest = texts.reduce((most, text) => Math.max(most, Array.from(text).length), 0);
  if (font !== null && longest * font.width - 1 <= availablePixels) return font;
  const areNumbers = texts.every((text) => Array.from(text).every((c) => SMALL_DIGITS.glyphs.has(c)));
  if (areNumbers) return SMALL_DIGITS;
  if (font !== null) return font;
  throw new UsageError('this tileset has no font, so only numbers can be written into its frames', [
    'add a "font" to its manifest, or leave out marks that contain words',
  ]);
}

/** The width of a text in pixels, without the gap after its last character. */
export function textWidth(font: Font, text: string, zoom: number): number {
  return Math.max(0, (Array.from(text).length * font.width - 1) * zoom);
}

export interface TextSpec {
  x: number;
  y: number;
  text: string;
  /** Palette index. */
  colour: number;
  /** Whole pixels per font pixel. */
  zoom: number;
}

/** Writes one line; the part outside the raster is cut. */
export function writeText(raster: Raster, font: Font, spec: TextSpec): void {
  let left = spec.x;
  for (const character of spec.text) {
    const glyph = font.glyphs.get(character) ?? font.missing;
    if (glyph) writeGlyph(raster, font, glyph, { ...spec, x: left });
    left += font.width * spec.zoom;
  }
}

function writeGlyph(raster: Raster, font: Font, glyph: Uint8Array, spec: TextSpec): void {
  for (let i = 0; i < glyph.length; i++) {
    if (glyph[i] === 0) continue;
    const x = spec.x + (i % font.width) * spec.zoom;
    const y = spec.y + Math.floor(i / font.width) * spec.zoom;
    fillRect(raster, { x, y, width: spec.zoom, height: spec.zoom }, spec.colour);
  }
}

export interface TextBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function fillRect(raster: Raster, box: TextBox, colour: number): void {
  const [left, right] = [Math.max(0, box.x), Math.min(raster.width, box.x + box.width)];
  const [top, bottom] = [Math.max(0, box.y), Math.min(raster.height, box.y + box.height)];
  if (left >= right || top >= bottom) return;
  for (let y = top; y < bottom; y++)
    raster.indices.fill(colour, y * raster.width + left, y * raster.width + right);
}
