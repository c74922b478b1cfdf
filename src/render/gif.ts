/**
 * An animated GIF, written picture by picture: a film of any length passes through in the memory of two pictures. A picture of palette
 * indices keeps its exact colours, and of each only the rectangle that changed is written. In: rasters of one size; out: bytes, in order.
 */
import { assert } from '../base/assert.js';
import { changedBox } from './film-changes.js';
import type { FilmFrame, FilmWriter } from './film-frame.js';
import type { Palette } from './palette.js';
import type { TextBox } from './text.js';

/** Hundredths of a second; players take shorter ones for a tenth. */
const SHORTEST = 2;
const LONGEST = 0xffff;
const CODES = 4096;
const COLOURS = 256;

export function gifWriter(
  size: { readonly width: number; readonly height: number },
  palette: Palette,
  write: (bytes: Uint8Array) => void,
): FilmWriter {
  const isExact = palette.size <= COLOURS;
  // Above 256 colours, the nearest of a cube of 8 × 8 × 4 is used.
  const colours = isExact ? palette.rgb : CUBE;
  const nearest = isExact ? null : nearestInCube(palette);
  write(header(size, colours));
  let last: FilmFrame['raster'] | null = null;
  return {
    add: async ({ raster, delayMs }) => {
      assert(raster.width === size.width && raster.height === size.height, 'pictures of one size');
      const box = changedBox(last, raster);
      last = raster;
      const pixels = new Uint8Array(box.width * box.height);
      for (let y = 0; y < box.height; y++)
        for (let x = 0; x < box.width; x++) {
          const index = raster.indices[(box.y + y) * raster.width + box.x + x] ?? 0;
          pixels[y * box.width + x] = nearest === null ? index : (nearest[index] ?? 0);
        }
      write(picture(box, pixels, delayMs));
    },
    end: async () => write(Uint8Array.of(0x3b)),
  };
}

function header(size: { readonly width: number; readonly height: number }, rgb: Uint8Array): Uint8Array {
  const table = Buffer.alloc(COLOURS * 3);
  table.set(rgb.subarray(0, COLOURS * 3));
  const screen = Buffer.alloc(7);
  screen.writeUInt16LE(size.width, 0);
  screen.writeUInt16LE(size.height, 2);
  // A table of 256 colours.
  screen.writeUInt8(0xf7, 4);
  const loopForEver = Buffer.from('\u0021\u00ff\u000bNETSCAPE2.0\u0003\u0001\u0000\u0000\u0000', 'latin1');
  return Buffer.concat([Buffer.from('GIF89a', 'latin1'), screen, table, loopForEver]);
}

function picture(box: TextBox, pixels: Uint8Array, delayMs: number): Uint8Array {
  const delay = Math.min(LONGEST, Math.max(SHORTEST, Math.round(delayMs / 10)));
  const head = Buffer.alloc(19);
  // What was drawn before stays.
  head.set([0x21, 0xf9, 4, 4]);
  head.writeUInt16LE(delay, 4);
  head.writeUInt8(0x2c, 8);
  head.writeUInt16LE(box.x, 9);
  head.writeUInt16LE(box.y, 11);
  head.writeUInt16LE(box.width, 13);
  head.writeUInt16LE(box.height, 15);
  head.writeUInt8(8, 18);
  return Buffer.concat([head, ...blocks(lzw(pixels))]);
}

/** In blocks of at most 255 bytes. */
function blocks(bytes: Uint8Array): readonly Uint8Array[] {
  const list: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.subarray(at, at + 255);
    list.push(Uint8Array.of(part.length), part);
  }
  return [...list, Uint8Array.of(0)];
}

const CLEAR = 256;
const END = 257;

/** GIF's Lempel-Ziv-Welch code of bytes, from 9 bits a code on. */
function lzw(pixels: Uint8Array): Uint8Array {
  const out = new GifBitWriter(pixels.length);
  const children = new Int16Array(CODES * COLOURS);
  let next = END + 1;
  let bits = 9;
  out.put(CLEAR, bits);
  let code = pixels[0] ?? 0;
  for (let i = 1; i < pixels.length; i++) {
    const byte = pixels[i] ?? 0;
    const child = children[code * COLOURS + byte] ?? 0;
    if (child !== 0) {
      code = child;
      continue;
    }
    out.put(code, bits);
    if (next < CODES) {
      children[code * COLOURS + byte] = next;
      next += 1;
      // The reader's table is one code behind.
      if (next > 1 << bits && bits < 12) bits += 1;
    } else {
      out.put(CLEAR, bits);
      children.fill(0);
      next = END + 1;
      bits = 9;
    }
    code = byte;
  }
  out.put(code, bits);
  if (next === 1 << bits && bits < 12) bits += 1;
  out.put(END, bits);
  return out.bytes();
}

/** Codes of varying length, their lowest bits first. */
class GifBitWriter {
  #buffer: Uint8Array;
  #length = 0;
  #held = 0;
  #count = 0;

  constructor(capacity: number) {
    this.#buffer = new Uint8Array(Math.max(64, capacity));
  }

  put(code: number, bits: number): void {
    this.#held |= code << this.#count;
    this.#count += bits;
    while (this.#count >= 8) this.#push();
  }

  bytes(): Uint8Array {
    while (this.#count > 0) this.#push();
    return this.#buffer.subarray(0, this.#length);
  }

  #push(): void {
    if (this.#length === this.#buffer.length) {
      const larger = new Uint8Array(this.#buffer.length * 2);
      larger.set(this.#buffer);
      this.#buffer = larger;
    }
    this.#buffer[this.#length++] = this.#held & 0xff;
    this.#held >>>= 8;
    this.#count = Math.max(0, this.#count - 8);
  }
}

/** Eight levels of red and green, four of blue. */
const CUBE = Uint8Array.from({ length: COLOURS * 3 }, (_, i) => {
  const colour = Math.floor(i / 3);
  const level = [colour >> 5, (colour >> 2) & 7, colour & 3][i % 3] ?? 0;
  return i % 3 === 2 ? level * 85 : Math.round((level * 255) / 7);
});

function nearestInCube({ rgb, size }: Palette): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => {
    const level = (channel: number, most: number) => Math.round(((rgb[i * 3 + channel] ?? 0) * most) / 255);
    return (level(0, 7) << 5) | (level(1, 7) << 2) | level(2, 3);
  });
}
