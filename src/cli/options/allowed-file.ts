/**
 * Permanent permissions: a file in the user's own configuration folder and nowhere else, because the current
 * folder may come from someone else. It has the same content as `--env` and `--key`; a confirmed question is
 * added to it.
 */
import { isRecord, parsedJson } from '../../base/json.js';
import { mkdirSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { UsageError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { isOutOfReach, systemWords } from '../../base/system-words.js';
import { lookUp } from '../../base/look-up.js';
import { writeAtomically } from '../../log/write-atomically.js';
import { originOf } from '../../model/keys.js';
import type { KeyAddresses } from '../../model/keys.js';
import { VARIABLE_NAME } from '../../scenario/variables.js';
import { readIfExists } from '../../scenario/regular-file.js';
import type { GivenKey } from './allow-options.js';
import type { Io } from '../terminal/io.js';

/** What scenarios may read, and where keys may go. */
export interface AllowedAccess {
  env: readonly string[];
  keys: KeyAddresses;
}

const NOTHING: AllowedAccess = { env: [], keys: {} };

/** Null if the environment names no home; a relative one would be inside the current folder. */
export function allowedPath({ env }: Pick<Io, 'env'>): string | null {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? '';
  const configured = env['XDG_CONFIG_HOME'] ?? '';
  const folder = isAbsolute(configured) ? configured : join(home, '.config');
  return isAbsolute(folder) ? join(folder, 'orchestrate', 'allowed.json') : null;
}

/** Throws UsageError if the file has any other content, or can't be read. */
export function allowedIn(io: Pick<Io, 'env'>): AllowedAccess {
  const path = allowedPath(io);
  const bytes = path === null ? null : bytesIn(path);
  if (path === null || bytes === null) return NOTHING;
  const allowed = asAllowed(parsedJson(new TextDecoder().decode(bytes)));
  if (allowed !== null) return allowed;
  throw new UsageError(`${path} has no list of allowed variables and keys`, [
    'it must contain JSON such as {"env": ["MY_SERVER"], "keys": {"MY_KEY": ["https://models.example.org"]}}',
  ]);
}

/** Null if there is no such file, or none for this user: containers and services often run with another's home. */
function bytesIn(path: string): Uint8Array | null {
  try {
    return readIfExists(path, LIMITS.envFileBytes);
  } catch (error) {
    if (isOutOfReach(error)) return null;
    throw new UsageError(`${path} can't be read: ${systemWords(error)}`, [
      'it holds only permissions: if you remove it, you can give them again',
    ]);
  }
}

/** Stores the permission to send a key to an address. Throws if the file can't be written. */
export function saveAllowed({ variable, address }: GivenKey, io: Io): void {
  const path = allowedPath(io);
  if (path === null)
    throw new UsageError('there is no folder to save it in: set HOME or XDG_CONFIG_HOME to an absolute path');
  const { env, keys } = allowedIn(io);
  const before = lookUp(keys, variable) ?? [];
  const updated = { env, keys: { ...keys, [variable]: [...before, address] } };
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeAtomically(path, `${JSON.stringify(updated, null, 2)}\n`, 0o600);
}

function asAllowed(value: unknown): AllowedAccess | null {
  if (!isRecord(value)) return null;
  const { env = [], keys = {}, ...others } = value;
  if (Object.keys(others).length > 0 || !isList(env, isName) || !isRecord(keys)) return null;
  const entries = Object.entries(keys);
  if (!entries.every(([name, addresses]) => isName(name) && isList(addresses, isAddress))) return null;
  return { env, keys: keys as KeyAddresses };
}

function isList(value: unknown, isItem: (text: string) => boolean): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string' && isItem(one));
}

function isName(text: string): boolean {
  return VARIABLE_NAME.test(text);
}

function isAddress(text: string): boolean {
  return originOf(text) !== null;
}
