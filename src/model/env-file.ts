/**
 * Settings and keys from a `.env` file, in addition to the environment: a variable that is already set takes
 * precedence, even an empty one. The values are only looked up and never put into `process.env`, so no child
 * process inherits them.
 */
import { parseEnv } from 'node:util';
import { lookUp } from '../base/look-up.js';
import { UsageError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';

/** Looks up a variable in the environment, then in the file. */
export type EnvLookup = (name: string) => string | undefined;

/**
 * `file` is the text of the `.env`, null if there is none; `name` is its name in errors. Throws UsageError
 * for a file over LIMITS.envFileBytes. Lines that set nothing are skipped.
 */
export function envLookup(
  environment: Readonly<Record<string, string | undefined>>,
  file: string | null,
  name = '.env',
): EnvLookup {
  if (file !== null && Buffer.byteLength(file) > LIMITS.envFileBytes) {
    throw new UsageError(`${name} is longer than ${LIMITS.envFileBytes} bytes`, [
      'a .env file should contain only settings and keys',
    ]);
  }
  // A byte order mark would become part of the first name.
  const values = file === null ? {} : parseEnv(file.replace(/^\uFEFF/, ''));
  return (variable) => lookUp(environment, variable) ?? lookUp(values, variable);
}
