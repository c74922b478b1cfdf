/**
 * A small file that is written beside its place and moved there once it is whole: `NAME.part` until then. In: a path and bytes; out: the file, or nothing
 * of it. A process that was killed leaves the `.part`; the next that writes the same file writes over it.
 */
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Throws the file system's own errors. */
export function writeWholeFile(path: string, bytes: Uint8Array | string): void {
  try {
    // Always a new file: writing through an existing link would change another one.
    rmSync(`${path}.part`, { force: true });
    writeFileSync(`${path}.part`, bytes, { flag: 'wx' });
    renameSync(`${path}.part`, path);
  } catch (error) {
    rmSync(`${path}.part`, { force: true });
    throw error;
  }
}

/** Removes files of such names that a killed process left, which would never be overwritten. */
export function removeParts(folder: string, name: RegExp): void {
  for (const part of readdirSync(folder))
    if (part.endsWith('.part') && name.test(part.slice(0, -'.part'.length)))
      rmSync(join(folder, part), { force: true });
}
