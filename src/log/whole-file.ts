/**
 * A small file that is written next to its final place and renamed once it is complete: until then, it is
 * called `NAME.part`. In: a path and bytes; out: the complete file, or none. A process that was killed leaves
 * the `.part`; the next one that writes the same file overwrites it.
 */
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Throws the file system's own errors. */
export function writeWholeFile(path: string, bytes: Uint8Array | string, mode = 0o666): void {
  try {
    // Always a new file: writing through an existing link would change another one.
    rmSync(`${path}.part`, { force: true });
    writeFileSync(`${path}.part`, bytes, { flag: 'wx', mode });
    renameSync(`${path}.part`, path);
  } catch (error) {
    rmSync(`${path}.part`, { force: true });
    throw error;
  }
}

/** Removes files with such names that a killed process left and that would never be overwritten. */
export function removeParts(folder: string, name: RegExp): void {
  for (const part of readdirSync(folder))
    if (part.endsWith('.part') && name.test(part.slice(0, -'.part'.length)))
      rmSync(join(folder, part), { force: true });
}
