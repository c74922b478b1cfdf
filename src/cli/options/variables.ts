/**
 * The environment's variables, and those of a `.env` file in the working folder; a variable that is already
 * set takes precedence. `readableOf` decides which of them a scenario may read.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { systemWords } from '../../base/system-words.js';
import { envLookup } from '../../model/env-file.js';
import type { EnvLookup } from '../../model/env-file.js';
import { readIfExists } from '../../scenario/regular-file.js';
import type { ReadableVariables } from '../../scenario/variables.js';
import { allowedIn } from './allowed-file.js';
import type { Io } from '../terminal/io.js';

export function variablesOf(io: Io): EnvLookup {
  return envLookup(io.env, envFile(io));
}

function envFile({ cwd }: Io): string | null {
  const path = join(cwd, '.env');
  try {
    // A folder of this name is usually a virtual environment of Python.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return null;
    const bytes = readIfExists(path, LIMITS.envFileBytes);
    return bytes === null ? null : new TextDecoder().decode(bytes);
  } catch (error) {
    throw new UsageError(`${path} can't be read: ${systemWords(error)}`, [
      'a .env file should contain only settings and keys',
    ]);
  }
}

/**
 * The variables that a scenario may read: those of `--env NAME`, and those allowed in the user's own file.
 */
export function readableOf(io: Io, named: readonly string[] = []): ReadableVariables {
  return { variables: variablesOf(io), env: [...named, ...allowedIn(io).env] };
}
