/**
 * A frame as a PNG file: a palette PNG up to 256 colours, RGB above, never alpha (servers flatten it on
 * white). A tile is scaled once, by source = floor(i · art / cell), so every whole cell size is exact. Rows
 * that repeat the one above are written as "no difference" (filter 2, zeros), which costs zlib next to
 * nothing.
 */
import { crc32, deflateSync } from 'node:zlib';
import type { Frame } from './frame.js';
import { frameRgb } from './rgb.js';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const FILTER_NONE = 0;
const FILTER_UP = 2;
/**
 * Measured with tile art: higher levels take more time than they save, and level 1 and RLE give larger files
 * in the same time.
 */
const DEFLATE = { level: 2, memLevel: 7 } as const;
/** The same for three bytes per pixel. */
const DEFLATE_RGB = { level: 1, memLevel: 9, chunkSize: 1 << 17 } as const;

export type PngSource = Omit<Frame, 'hash'>;

/** Width and height of the file in pixels. */
export function fileSize({ width, height, art, cell }: Pick<Frame, 'width' | 'height' | 'art' | 'cell'>) {
  return { width: (width / art) * cell, height: (height / art) * cell };
}

/** The size in a PNG's header, in pixels. */
export function pngSize(png: Uint8Array): { readonly width: number; readonly height: number } {
  const file = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}

/**
 * Encodes a frame as a PNG file without alpha, with tiles `cell` pixels wide. The bytes may depend on the
 * version of zlib, but the pixels do not, so compare `Frame.hash`.
 */
export function encodePng(frame: PngSource): Uint8Array {
  const { width, height } = fileSize(frame);
  const isIndexed = frame.palette.size <= 256;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  header.writeUInt8(isIndexed ? 3 : 2, 9);
  const chunks: [string, Uint8Array][] = [['IHDR', header]];
  if (isIndexed) chunks.push(['PLTE', frame.palette.rgb]);
  chunks.push(['IDAT', imageData(frame, isIndexed)], ['IEND', new Uint8Array(0)]);
  return fileOf(chunks);
}

/** Into one piece of memory, without copying any chunk. */
function fileOf(chunks: readonly (readonly [string, Uint8Array])[]): Uint8Array {
  let length = SIGNATURE.length;
  for (const [, data] of chunks) length += data.length + CHUNK_OVERHEAD_BYTES;
  const file = Buffer.allocUnsafe(length);
  let to = SIGNATURE.copy(file);
  for (const [type, data] of chunks) to = chunkTo(file, to, type, data);
  return file;
}

function imageData(frame: PngSource, isIndexed: boolean): Uint8Array {
  const rows = isIndexed
    ? scaledRows(frame, 1, writeIndices)
    : scaledRows(frame, 3, rgbWriter(frameRgb(frame)));
  return deflateSync(rows, isIndexed ? DEFLATE : DEFLATE_RGB);
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

let scratch = new Uint8Array(0);

/** Memory in which a file is built. It is reused, because rows are compressed before any other code runs. */
function scratchOf(length: number): Uint8Array {
  if (scratch.length < length) scratch = new Uint8Array(length);
  return scratch.subarray(0, length);
}

const writeIndices: PixelRowWriter = ({ indices, art, cell }, row, columns, out, to) => {
  if (cell === 2 * art) return writeDoubled(indices, row, columns.length, out, to);
  for (let x = 0; x < columns.length; x++) out[to + x] = indices[row + (columns[x] ?? 0)] ?? 0;
};

let pairs = new Uint16Array(0);

/** The usual size, with each pixel of art twice: two equal bytes are written as one word. */
function writeDoubled(
  indices: PngSource['indices'],
  row: number,
  width: number,
  out: Uint8Array,
  to: number,
): void {
  const half = width / 2;
  if (pairs.length < half) pairs = new Uint16Array(half);
  for (let x = 0; x < half; x++) pairs[x] = (indices[row + x] ?? 0) * 0x101;
  out.set(new Uint8Array(pairs.buffer, 0, width), to);
}

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

/** The bytes of a chunk in addition to its data. */
const CHUNK_OVERHEAD_BYTES = 12;

/** Returns the position after it. */
function chunkTo(out: Buffer, at: number, type: string, data: Uint8Array): number {
  const end = at + 8 + data.length;
  out.writeUInt32BE(data.length, at);
  out.write(type, at + 4, 'latin1');
  out.set(data, at + 8);
  return out.writeUInt32BE(crc32(out.subarray(at + 4, end)), end);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const out = Buffer.alloc(data.length + CHUNK_OVERHEAD_BYTES);
  chunkTo(out, 0, type, data);
  return out;
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
