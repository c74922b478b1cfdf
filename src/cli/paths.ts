/** Paths as the user types them: taken from the folder that the program was started in. */
import { resolve } from 'node:path';
import type { Io } from './io.js';

export function fromCwd(io: Io, path: string): string {
  return resolve(io.cwd, path);
}
