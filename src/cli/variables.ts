/** The environment's variables with those of a `.env` beside them; what is set already wins. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readText } from './files.js';
import type { Io } from './io.js';

export function variablesOf(io: Io): Readonly<Record<string, string | undefined>> {
  const file = join(io.cwd, '.env');
  return existsSync(file) ? { ...parseEnv(readText(file)), ...io.env } : io.env;
}
