/**
 * Shared by the pictures for people: plain boxes and bitmap text on a canvas. The text uses the tileset's own
 * font, because a canvas falls back on the machine's fonts and blurs their edges.
 */
import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import type { RgbColour } from './manifest.js';
import { INK, type Colours } from './palette.js';
import { textWidth, writeText, type TextBox, type Font } from './text.js';

/** The colour around maps and tiles. */
export const GROUND: RgbColour = [29, 26, 38];

export interface TextLine {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  /** Whole pixels per font pixel. */
  readonly zoom: number;
}

export function writeLine(context: SKRSContext2D, font: Font, { text, left, top, zoom }: TextLine): void {
  const width = textWidth(font, text, 1);
  const raster = { width, height: font.height, indices: new Uint8Array(width * font.height) };
  writeText(raster, font, { x: 0, y: 0, text, colour: 1, zoom: 1 });
  for (const [i, ink] of raster.indices.entries()) {
    if (ink === 0) continue;
    const [x, y] = [left + (i % width) * zoom, top + Math.floor(i / width) * zoom];
    paint(context, INK, { x, y, width: zoom, height: zoom });
  }
}

export function paint(context: SKRSContext2D, [r, g, b]: RgbColour, box: TextBox): void {
  context.fillStyle = `rgb(${r},${g},${b})`;
  context.fillRect(box.x, box.y, box.width, box.height);
}

/** Sets one pixel of RGBA data to a palette colour. */
export function setPixel(out: Uint8ClampedArray, pixel: number, { palette }: Colours, index: number): void {
  out[pixel * 4] = palette.rgb[index * 3] ?? 0;
  out[pixel * 4 + 1] = palette.rgb[index * 3 + 1] ?? 0;
  out[pixel * 4 + 2] = palette.rgb[index * 3 + 2] ?? 0;
  out[pixel * 4 + 3] = 255;
}

export function png(canvas: Canvas): Uint8Array {
  return new Uint8Array(canvas.toBuffer('image/png'));
}
