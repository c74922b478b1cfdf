/**
 * An animated GIF, written picture by picture, so that a film of any length needs the memory of two pictures.
 * A picture of palette indices keeps its exact colours, and only the rectangle that changed is written.
 * omggif does the compression.
 */
import { GifWriter } from 'omggif';
import { assert } from '../base/assert.js';
import { changedBox } from './film-changes.js';
import type { FilmFrame, FilmWriter } from './film-frame.js';
import type { Palette } from './palette.js';

/** Hundredths of a second; players treat shorter delays as a tenth. */
const DELAY_MIN = 2;
const DELAY_MAX = 0xffff;
const COLOURS = 256;
/** Earlier pictures stay visible. */
const DISPOSAL_KEEP = 1;
/** Bytes in addition to a picture's codes: the file's header with its palette, or a picture's own. */
const HEADER_MAX = 1024;
/** A pixel takes at most one code of 12 bits; clear codes and block lengths take less than the rest. */
const PIXEL_BYTES_MAX = 2;

export function gifWriter(
  { width, height }: { width: number; height: number },
  palette: Palette,
  write: (bytes: Uint8Array) => void,
): FilmWriter {
  const isExact = palette.size <= COLOURS;
  // Above 256 colours, the nearest of a cube of 8 × 8 × 4 colours is used.
  const nearest = isExact ? null : nearestInCube(palette);
  let buffer = new Uint8Array(HEADER_MAX);
  const gif = new GifWriter(buffer, width, height, {
    loop: 0,
    palette: isExact ? coloursOf(palette) : [...CUBE],
  });
  write(buffer.subarray(0, gif.getOutputBufferPosition()));
  let last: FilmFrame['raster'] | null = null;
  return {
    add: async ({ raster, delayMs }) => {
      assert(raster.width === width && raster.height === height, 'all pictures must have the same size');
      const box = changedBox(last, raster);
      last = raster;
      const pixels: number[] = [];
      for (let y = box.y; y < box.y + box.height; y++)
        for (let x = box.x; x < box.x + box.width; x++) {
          const index = raster.indices[y * width + x] ?? 0;
          pixels.push(nearest === null ? index : (nearest[index] ?? 0));
        }
      buffer = new Uint8Array(HEADER_MAX + pixels.length * PIXEL_BYTES_MAX);
      gif.setOutputBuffer(buffer);
      gif.setOutputBufferPosition(0);
      const delay = Math.min(DELAY_MAX, Math.max(DELAY_MIN, Math.round(delayMs / 10)));
      const end = gif.addFrame(box.x, box.y, box.width, box.height, pixels, {
        delay,
        disposal: DISPOSAL_KEEP,
      });
      write(buffer.subarray(0, end));
    },
    end: async () => {
      gif.setOutputBufferPosition(0);
      write(buffer.subarray(0, gif.end()));
    },
  };
}

/** All 256 entries of a GIF's table, each as one number; entries after the palette's end are black. */
function coloursOf({ rgb }: Palette): number[] {
  const at = (i: number): number => rgb[i] ?? 0;
  return Array.from({ length: COLOURS }, (_, i) => (at(i * 3) << 16) | (at(i * 3 + 1) << 8) | at(i * 3 + 2));
}

/** Eight levels of red and green, four of blue. */
const CUBE = Array.from({ length: COLOURS }, (_, colour) => {
  const level = (steps: number, max: number): number => Math.round((steps * 255) / max);
  return (level(colour >> 5, 7) << 16) | (level((colour >> 2) & 7, 7) << 8) | level(colour & 3, 3);
});

function nearestInCube({ rgb, size }: Palette): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => {
    const level = (channel: number, max: number) => Math.round(((rgb[i * 3 + channel] ?? 0) * max) / 255);
    return (level(0, 7) << 5) | (level(1, 7) << 2) | level(2, 3);
  });
}
