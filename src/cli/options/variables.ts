/**
 * The environment's variables with those of a `.env` in the working folder laid under them; what is set already wins. What a scenario may read of
 * them is another matter: `readableOf`.
 */
import { join } from 'node:path';
import { UsageError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { systemWords } from '../../base/system-words.js';
import { envLookup } from '../../model/env-file.js';
import type { EnvLookup } from '../../model/env-file.js';
import { readIfThere } from '../../scenario/regular-file.js';
import type { ReadableVariables } from '../../scenario/variables.js';
import { allowedIn } from './allowed-file.js';
import type { Io } from '../terminal/io.js';

export function variablesOf(io: Io): EnvLookup {
  return envLookup(io.env, envFile(io));
}

function envFile({ cwd }: Io): string | null {
  const path = join(cwd, '.env');
  try {
    const bytes = readIfThere(path, LIMITS.envFileBytes);
    return bytes === null ? null : new TextDecoder().decode(bytes);
  } catch (error) {
    throw new UsageError(`${path} can't be read: ${systemWords(error)}`, [
      'a .env file should contain only settings and keys',
    ]);
  }
}

/** What a scenario may read of them: with `--env NAME`, and what the user's own file allows. */
export function readableOf(io: Io, named: readonly string[] = []): ReadableVariables {
  return { variables: variablesOf(io), env: [...named, ...allowedIn(io).env] };
}
