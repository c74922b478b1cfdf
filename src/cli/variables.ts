/** The environment's variables with those of a `.env` in the working folder laid under them; what is set already wins. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { envLookup } from '../model/env-file.js';
import type { EnvLookup } from '../model/env-file.js';
import { readText } from '../assembly/files.js';
import type { Io } from './io.js';

export function variablesOf(io: Io): EnvLookup {
  const file = join(io.cwd, '.env');
  return envLookup(io.env, existsSync(file) ? readText(file) : null);
}
