/**
 * Decodes an untrusted PNG into RGBA pixels. The file is checked chunk by chunk before any decoder sees it,
 * and only the chunks with pixels (IHDR, PLTE, tRNS, IDAT, IEND) are passed on: no profile, text or gamma can
 * overload the decoder or change a colour. The input is only bytes, never a path or an address. The plainest
 * kind is decoded by `png-rows.ts`, every other by sharp (loaded here, because few commands need it), which
 * keeps the exact colour of translucent pixels; a canvas would multiply them by their alpha. The writer is
 * `png.ts`.
 */
import { crc32, inflateSync } from 'node:zlib';
import { counted } from '../base/counted.js';
import { UsageError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { rgbaRows } from './png-rows.js';

export interface RgbaImage {
  width: number;
  height: number;
  /** Row by row, 4 bytes per pixel, not multiplied by alpha. */
  data: Uint8Array;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const PIXEL_CHUNKS = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'];
const PLAIN = ['IHDR', 'IDAT', 'IEND'];
const CHUNKS_MAX = 10_000;
/** Samples per pixel by PNG colour type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** `name` is only used in messages. Throws UsageError for anything but a valid PNG. */
export async function decodePng(data: Uint8Array, name: string): Promise<RgbaImage> {
  const { file, header, filtered, isPlain } = checkedPng(data, name);
  const { width, height } = header;
  const pixels = isPlain ? rgbaRows(filtered, width, height) : null;
  return pixels === null ? decodeWithSharp(file, name) : { width, height, data: pixels };
}

async function decodeWithSharp(checked: Buffer, name: string): Promise<RgbaImage> {
  const { default: sharp } = await import('sharp');
  try {
    const options = { limitInputPixels: LIMITS.tilesetSidePixels ** 2, failOn: 'warning' } as const;
    const decoded = await sharp(checked, options)
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = decoded.info;
    if (channels !== 4) throw refusal(name, `it decodes to ${counted(channels, 'channel')}`);
    return { width, height, data: new Uint8Array(decoded.data) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw refusal(name, `its pixels can't be decoded (${reason})`);
  }
}

interface Chunk {
  type: string;
  /** Offset and length of the whole chunk, with its length, type and checksum. */
  start: number;
  size: number;
}

/** A file that is a valid PNG. */
interface CheckedPng {
  /** With only its pixels, for a decoder that accepts more kinds of files. */
  file: Buffer;
  header: PngHeader;
  /** The inflated rows, each after the number of its filter. */
  filtered: Buffer;
  /** Whether the file is of the kind that `png-rows.ts` decodes. */
  isPlain: boolean;
}

interface PngHeader {
  width: number;
  height: number;
  /** Bits of a sample. */
  depth: number;
  colourType: number;
  isInterlaced: boolean;
}

/** Throws UsageError for anything but a valid PNG. */
export function checkedPng(data: Uint8Array, name: string): CheckedPng {
  if (data.length > LIMITS.tilesetBytes)
    throw refusal(name, `it has ${data.length} bytes; the limit is ${LIMITS.tilesetBytes}`);
  if (SIGNATURE.some((byte, i) => data[i] !== byte))
    throw refusal(name, 'it is not a PNG (whatever its name says)');
  const input = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const chunks = readChunks(input, name);
  const header = readHeader(input, chunks, name);
  const pixelChunks = chunks.filter((chunk) => PIXEL_CHUNKS.includes(chunk.type));
  // One header, at most one palette, the pixel chunks together, the end last.
  const order = pixelChunks.map((chunk) => chunk.type).join(' ');
  if (!/^IHDR( PLTE)?( tRNS)?( IDAT)+ IEND$/.test(order))
    throw refusal(name, 'chunks are missing or out of order');
  const filtered = inflateRows(input, pixelChunks, { header, name });
  const file = Buffer.concat([
    input.subarray(0, 8),
    ...pixelChunks.map((chunk) => input.subarray(chunk.start, chunk.start + chunk.size)),
  ]);
  const { depth, colourType, isInterlaced } = header;
  const isPlain =
    depth === 8 && colourType === 6 && !isInterlaced && pixelChunks.every(({ type }) => PLAIN.includes(type));
  return { file, header, filtered, isPlain };
}

function readChunks(file: Buffer, name: string): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let start = 8;
  while (chunks.at(-1)?.type !== 'IEND') {
    if (start + 12 > file.length) throw refusal(name, 'it is cut off');
    const size = file.readUInt32BE(start) + 12;
    if (start + size > file.length) throw refusal(name, 'it is cut off, or a chunk has the wrong length');
    const type = file.toString('latin1', start + 4, start + 8);
    if (!/^[A-Za-z]{4}$/.test(type)) throw refusal(name, 'it has a chunk with an invalid name');
    if (type === 'acTL' || type === 'fcTL' || type === 'fdAT')
      throw refusal(name, 'animated PNGs are not accepted');
    if (crc32(file.subarray(start + 4, start + size - 4)) !== file.readUInt32BE(start + size - 4))
      throw refusal(name, `its chunk ${type} is damaged (wrong checksum)`);
    chunks.push({ type, start, size });
    if (chunks.length > CHUNKS_MAX) throw refusal(name, `it has more than ${CHUNKS_MAX} chunks`);
    start += size;
  }
  return chunks;
}

function readHeader(file: Buffer, chunks: readonly Chunk[], name: string): PngHeader {
  const header = chunks[0];
  if (header?.type !== 'IHDR' || header.size !== 25) throw refusal(name, 'it does not begin with a header');
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const max = LIMITS.tilesetSidePixels;
  if (width < 1 || height < 1) throw refusal(name, 'it has no pixels');
  if (width > max || height > max)
    throw refusal(name, `it has ${width}×${height} pixels; the limit is ${max}×${max}`);
  if (SAMPLES[file.readUInt8(25)] === undefined || file.readUInt8(26) !== 0 || file.readUInt8(27) !== 0)
    throw refusal(name, 'its header names an unknown colour type, compression or filter');
  if (file.readUInt8(28) > 1) throw refusal(name, 'its header names an unknown interlace method');
  const [depth, colourType] = [file.readUInt8(24), file.readUInt8(25)];
  return { width, height, depth, colourType, isInterlaced: file.readUInt8(28) === 1 };
}

/** Neither a decompression bomb, nor rows that are missing. */
function inflateRows(
  file: Buffer,
  chunks: readonly Chunk[],
  { header, name }: { header: PngHeader; name: string },
): Buffer {
  const data = chunks
    .filter((chunk) => chunk.type === 'IDAT')
    .map((chunk) => file.subarray(chunk.start + 8, chunk.start + chunk.size - 4));
  const { width, height, depth, colourType, isInterlaced } = header;
  const expected = (Math.ceil((width * depth * (SAMPLES[colourType] ?? 0)) / 8) + 1) * height;
  let rows: Buffer;
  try {
    // Interlaced rows are shorter and more; the decoder counts them.
    const maxOutputLength = isInterlaced ? 3 * expected + 64 : expected;
    rows = inflateSync(Buffer.concat(data), { maxOutputLength });
  } catch (error) {
    const isLarger = error instanceof RangeError;
    throw refusal(name, isLarger ? 'it has more pixels than its header says' : 'its pixels are damaged');
  }
  if (rows.length < expected && !isInterlaced)
    throw refusal(name, 'it has fewer pixels than its header says');
  return rows;
}

function refusal(name: string, reason: string): UsageError {
  return new UsageError(`the image ${name} can't be used: ${reason}`, [
    `a tileset's image is a still PNG of at most ${LIMITS.tilesetSidePixels}×${LIMITS.tilesetSidePixels} pixels and ${LIMITS.tilesetBytes} bytes`,
  ]);
}
