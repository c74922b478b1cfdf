/**
 * A frame as a PNG file: a palette PNG if it shows at most 256 colours, RGB if more, never alpha (servers
 * flatten it on white). A tile is scaled once, by source = floor(i · art / cell), so every whole cell size is
 * exact. Rows that repeat the one above are written as "no difference" (filter 2, zeros).
 */
import { crc32, deflateSync } from 'node:zlib';
import type { Frame } from './frame.js';
import { frameRgb } from './rgb.js';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const FILTER_NONE = 0;
const FILTER_UP = 2;
/** What is fastest for tile art, and the smallest files among the fastest (decision 44). */
const DEFLATE = { level: 2, memLevel: 7 } as const;
const DEFLATE_RGB = { level: 1, memLevel: 9, chunkSize: 1 << 17 } as const;

export type PngSource = Omit<Frame, 'hash'>;

/** Width and height of the file in pixels. */
export function fileSize({ width, height, art, cell }: Pick<Frame, 'width' | 'height' | 'art' | 'cell'>) {
  return { width: (width / art) * cell, height: (height / art) * cell };
}

/** The size in a PNG's header, in pixels. */
export function pngSize(png: Uint8Array): { width: number; height: number } {
  const file = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}

/**
 * Encodes a frame as a PNG file without alpha, with tiles `cell` pixels wide. The bytes may depend on the
 * version of zlib, but the pixels do not, so compare `Frame.hash`.
 */
export function encodePng(frame: PngSource): Uint8Array {
  const { width, height } = fileSize(frame);
  const indexed = indexedFrame(frame);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  header.writeUInt8(indexed === null ? 2 : 3, 9);
  const pixels =
    indexed === null
      ? deflateSync(scaledRows(frame, 3, rgbWriter(frameRgb(frame))), DEFLATE_RGB)
      : deflateSync(scaledRows(indexed, 1, writeIndices), DEFLATE);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...(indexed === null ? [] : [chunk('PLTE', indexed.palette.rgb)]),
    chunk('IDAT', pixels),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

const PNG_COLOURS_MAX = 256;

/**
 * If the palette is too large for a PNG, with a palette of the colours that the frame shows; null if these are
 * too many as well.
 */
function indexedFrame(frame: PngSource): PngSource | null {
  const { palette } = frame;
  if (palette.size <= PNG_COLOURS_MAX) return frame;
  const shown: number[] = [];
  /** By the index in the large palette, from 1. */
  const numbers = new Uint16Array(palette.size);
  const indices = new Uint8Array(frame.indices.length);
  for (let i = 0; i < indices.length; i++) {
    const index = frame.indices[i] ?? 0;
    if (numbers[index] === 0) {
      if (shown.length === PNG_COLOURS_MAX) return null;
      numbers[index] = shown.push(index);
    }
    indices[i] = (numbers[index] ?? 0) - 1;
  }
  const rgb = Uint8Array.from(shown.flatMap((index) => [...palette.rgb.subarray(index * 3, index * 3 + 3)]));
  return { ...frame, indices, palette: { rgb, size: shown.length } };
}

/**
 * One row of art, whose pixels start at `row`, expanded to a row of the file at `to`: `columns` has the
 * source of each pixel.
 */
type PixelRowWriter = (
  frame: PngSource,
  row: number,
  columns: Uint16Array,
  out: Uint8Array,
  to: number,
) => void;

/** Filtered rows: each row of art once, its repetitions as differences from it. */
function scaledRows(frame: PngSource, bytesPerPixel: number, write: PixelRowWriter): Uint8Array {
  const { width, height } = fileSize(frame);
  const stride = width * bytesPerPixel + 1;
  const out = scratchOf(stride * height);
  const columns = shownPixels(frame, width);
  const rows = shownPixels(frame, height);
  for (let y = 0; y < height; y++) {
    const row = rows[y] ?? 0;
    const isRepeated = y > 0 && row === rows[y - 1];
    const at = y * stride;
    out[at] = isRepeated ? FILTER_UP : FILTER_NONE;
    if (isRepeated) out.fill(0, at + 1, at + stride);
    else write(frame, row * frame.width, columns, out, at + 1);
  }
  return out;
}

/** For each pixel along a side of the file, the pixel of art that it shows. */
function shownPixels({ art, cell }: Pick<Frame, 'art' | 'cell'>, length: number): Uint16Array {
  const shown = new Uint16Array(length);
  for (let i = 0; i < length; i++)
    shown[i] = Math.floor(i / cell) * art + Math.floor(((i % cell) * art) / cell);
  return shown;
}

const WORD_BYTES = 4;

let scratch = new Uint8Array(0);

/**
 * Memory in which a file is built, and room for the end of its last word. It is reused, because rows are
 * compressed before any other code runs.
 */
function scratchOf(length: number): Uint8Array {
  if (scratch.length < length + WORD_BYTES) scratch = new Uint8Array(length + WORD_BYTES);
  return scratch.subarray(0, length);
}

/** One byte per pixel. */
const writeIndices: PixelRowWriter = ({ width, indices, art, cell }, row, columns, out, to) => {
  const scale = cell / art;
  if (scale === 1) return out.set(indices.subarray(row, row + width), to);
  if (!Number.isInteger(scale)) {
    for (let x = 0; x < columns.length; x++) out[to + x] = indices[row + (columns[x] ?? 0)] ?? 0;
    return;
  }
  // Words of four equal bytes, from the end of each pixel of art to its start: the surplus bytes of a word are
  // overwritten by the start of the next pixel, or of the next row.
  const words = new DataView(out.buffer, out.byteOffset + to);
  for (let offset = (Math.ceil(scale / WORD_BYTES) - 1) * WORD_BYTES; offset >= 0; offset -= WORD_BYTES)
    for (let x = 0; x < width; x++)
      words.setUint32(x * scale + offset, (indices[row + x] ?? 0) * 0x0101_0101);
};

/** Three bytes a pixel. */
function rgbWriter(rgb: Uint8Array): PixelRowWriter {
  return (_frame, row, columns, out, to) => {
    let at = to;
    for (let x = 0; x < columns.length; x++) {
      const from = (row + (columns[x] ?? 0)) * 3;
      out[at++] = rgb[from] ?? 0;
      out[at++] = rgb[from + 1] ?? 0;
      out[at++] = rgb[from + 2] ?? 0;
    }
  };
}

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const file = Buffer.alloc(named.length + 8);
  file.writeUInt32BE(data.length);
  named.copy(file, 4);
  file.writeUInt32BE(crc32(named), named.length + 4);
  return file;
}

/** The signature and header of every PNG. */
const HEAD_BYTES = 33;

/**
 * The same picture with the name of the program that made it; frames for models and logs are written without
 * it.
 */
export function signedPng(png: Uint8Array, program: string): Uint8Array {
  const text = chunk('tEXt', Buffer.from(`Software\0${program}`, 'latin1'));
  return Buffer.concat([png.subarray(0, HEAD_BYTES), text, png.subarray(HEAD_BYTES)]);
}

/** Whether `signedPng` made a file, recognised by its first bytes. */
export function isSignedPng(file: Uint8Array, program: string): boolean {
  return Buffer.from(file.subarray(HEAD_BYTES, HEAD_BYTES + 200)).includes(`tEXtSoftware\0${program}`);
}
