/**
 * Whether a picture's file is complete, judged by its own bytes: a PNG ends with an empty final chunk, a WebP
 * begins with its length. A killed export leaves the beginning of the picture being written. In: a path; out:
 * the file's size.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** An existing pipe is not waited for. */
const READ_AT_ONCE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** How every PNG ends: the length, name and checksum of its last chunk. */
const PNG_END = Buffer.from('0000000049454e44ae426082', 'hex');
/** Of a WebP's file: `RIFF`, its length but for this much, `WEBP`. */
const RIFF_BYTES = 8;
const HEAD_BYTES = 12;

/** Null where nothing is, or what is there is not a whole PNG or WebP. Throws the file system's own errors. */
export function wholePictureBytes(path: string): number | null {
  const file = opened(path);
  if (file === null) return null;
  try {
    const about = fstatSync(file);
    const { size } = about;
    return about.isFile() && size >= HEAD_BYTES && isWhole(file, size) ? size : null;
  } finally {
    closeSync(file);
  }
}

function isWhole(file: number, size: number): boolean {
  const [head, end] = [bytesAt(file, 0), bytesAt(file, size - HEAD_BYTES)];
  const isWebp = head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', RIFF_BYTES) === 'WEBP';
  return isWebp ? head.readUInt32LE(4) === size - RIFF_BYTES : end.equals(PNG_END);
}

function bytesAt(file: number, position: number): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES);
  readSync(file, bytes, 0, HEAD_BYTES, position);
  return bytes;
}

/** Null where nothing is; so is a link, which is never followed. */
function opened(path: string): number | null {
  try {
    return openSync(path, READ_AT_ONCE);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ELOOP') return null;
    throw error;
  }
}
