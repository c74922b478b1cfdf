/**
 * Regular files that the user named, read whole within a limit: no pipe or device blocks the program, and
 * nothing is read twice.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Why a file is not returned, in words that reveal nothing about the disk. */
export class NotGivenError extends Error {}

/** Neither waits for the other end of a pipe nor takes over a terminal. */
export const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * The file's bytes. Throws an Error whose message gives the reason why it can't be read, or the system's own
 * error.
 */
export function readRegular(path: string, bytesMax: number): Uint8Array {
  const descriptor = openSync(path, READ_FLAGS);
  try {
    return readDescriptor(descriptor, bytesMax);
  } finally {
    closeSync(descriptor);
  }
}

/** The same; null if there is no such file. */
export function readIfThere(path: string, bytesMax: number): Uint8Array | null {
  try {
    return readRegular(path, bytesMax);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** The file behind an open descriptor, which is examined by the descriptor alone. */
export function readDescriptor(descriptor: number, bytesMax: number): Uint8Array {
  const stats = fstatSync(descriptor);
  if (stats.isDirectory()) throw new NotGivenError('it is a folder');
  if (!stats.isFile()) throw new NotGivenError('it is not a file');
  if (stats.size > bytesMax)
    throw new NotGivenError(`it has ${stats.size} bytes; the maximum is ${bytesMax}`);
  // One byte more than the file has, because it may grow while it is read.
  const bytes = new Uint8Array(stats.size + 1);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, bytes, length, bytes.length - length, length);
    length += read;
    if (read === 0 || length === bytes.length) return bytes.subarray(0, Math.min(length, stats.size));
  }
}
