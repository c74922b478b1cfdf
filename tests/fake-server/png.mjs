// @ts-check
/**
 * A PNG looked at as a strict decoder would: signature, chunk lengths and CRCs, header, and image data that
 * inflates to exactly the size that the header promises. Returns what is wrong, so that the fake server can
 * refuse it in words.
 */
import { inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Samples per pixel by colour type. */
const SAMPLES = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

/**
 * @param {Buffer} bytes
 * @returns {{ width: number, height: number } | string} the size, or what is wrong
 */
export function inspectPng(bytes) {
  if (bytes.length < 8 || !bytes.subarray(0, 8).equals(SIGNATURE)) return 'no PNG signature';
  const chunks = chunksOf(bytes);
  if (typeof chunks === 'string') return chunks;
  const header = chunks[0];
  if (header?.type !== 'IHDR' || header.data.length !== 13) return 'no IHDR first';
  if (chunks.at(-1)?.type !== 'IEND') return 'no IEND last';
  const width = header.data.readUInt32BE(0);
  const height = header.data.readUInt32BE(4);
  const depth = header.data[8] ?? 0;
  const samples = SAMPLES.get(header.data[9] ?? -1);
  if (samples === undefined || width === 0 || height === 0) return 'bad header';
  if (header.data[12] !== 0) return 'interlaced';
  if (header.data[9] === 3 && !chunks.some((chunk) => chunk.type === 'PLTE')) return 'no palette';
  const rowBytes = 1 + Math.ceil((width * depth * samples) / 8);
  const data = Buffer.concat(chunks.filter((chunk) => chunk.type === 'IDAT').map((chunk) => chunk.data));
  try {
    const size = inflateSync(data).length;
    return size === rowBytes * height ? { width, height } : `image data of ${size} bytes`;
  } catch {
    return 'image data that does not inflate';
  }
}

/** What was looked at last: each picture of a request is asked about twice. */
let last = { text: '', found: inspectPng(Buffer.alloc(0)) };

/** The same of a PNG in Base64. @param {string} text */
export function inspectBase64(text) {
  if (text !== last.text) last = { text, found: inspectPng(Buffer.from(text, 'base64')) };
  return last.found;
}

/**
 * @param {Buffer} bytes
 * @returns {{ type: string, data: Buffer }[] | string}
 */
function chunksOf(bytes) {
  const chunks = [];
  for (let at = 8; at < bytes.length;) {
    if (at + 12 > bytes.length) return 'a cut chunk';
    const length = bytes.readUInt32BE(at);
    if (at + 12 + length > bytes.length) return 'a cut chunk';
    const body = bytes.subarray(at + 4, at + 8 + length);
    if (crc32(body) !== bytes.readUInt32BE(at + 8 + length)) return 'a wrong checksum';
    chunks.push({ type: body.toString('latin1', 0, 4), data: body.subarray(4) });
    at += 12 + length;
  }
  return chunks;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  return c >>> 0;
});

/** @param {Buffer} bytes */
export function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
