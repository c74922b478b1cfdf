/** A folder in memory where there is one: for thousands of logs whose durability is not what is tested. */
import { accessSync, constants } from 'node:fs';
import { temporaryFolder } from '../support/folder.js';

export function fastFolder(): string {
  return temporaryFolder(isWritable('/dev/shm') ? '/dev/shm' : undefined);
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
