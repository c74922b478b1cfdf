/**
 * Creates folders one level at a time. Node's own recursive function never returns if a folder refuses new
 * ones and claims not to exist, as /proc does.
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents, and returns the new ones; throws the file system's own error if
 * that fails.
 */
export function makeFolder(path: string): readonly string[] {
  if (isFolder(path)) return [];
  const parent = dirname(path);
  const newParents = parent === path ? [] : makeFolder(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(path)) throw error;
  }
  return [...newParents, path];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
