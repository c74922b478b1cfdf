/**
 * Reads whole regular files within a size limit. Pipes and devices are refused, so that none blocks the
 * program, and a file is opened only once, so that it can't be swapped between check and read.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** A file was refused. The message gives the reason and reveals nothing about the disk. */
export class FileRefusedError extends Error {}

/** Flags for opening without waiting for the other end of a pipe, or becoming a terminal's process. */
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
export function readIfExists(path: string, bytesMax: number): Uint8Array | null {
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
  if (stats.isDirectory()) throw new FileRefusedError('it is a folder');
  if (!stats.isFile()) throw new FileRefusedError('it is not a file');
  if (stats.size > bytesMax)
    throw new FileRefusedError(`it has ${stats.size} bytes; the maximum is ${bytesMax}`);
  // One byte more than the file has, because it may grow while it is read.
  const bytes = new Uint8Array(stats.size + 1);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, bytes, length, bytes.length - length, length);
    length += read;
    if (read === 0 || length === bytes.length) return bytes.subarray(0, Math.min(length, stats.size));
  }
}
