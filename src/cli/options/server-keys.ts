/**
 * Where keys may be sent: to addresses that the user allowed on the command line, in the environment, or in a
 * permissions file. At a terminal, the user is asked about others.
 */
import { errorMessage } from '../../base/errors.js';
import { lookUp } from '../../base/look-up.js';
import { oneLine } from '../../base/text.js';
import { serverKeys, originOf, STANDARD_KEYS } from '../../model/keys.js';
import type { KeyAddresses } from '../../model/keys.js';
import type { ModelSpec } from '../../scenario/scenario.js';
import { allowedIn, allowedPath, saveAllowed } from './allowed-file.js';
import type { GivenKey } from './allow-options.js';
import { printWarning } from '../text/error-text.js';
import type { Io } from '../terminal/io.js';
import type { LineInput } from '../terminal/line-input.js';
import { variablesOf } from './variables.js';

/** The key options of the command line. */
export interface KeyOptions {
  /** Each `--key`. */
  key?: readonly GivenKey[] | undefined;
  /** `--base-url`. */
  baseUrl?: string | undefined;
}

/** The terminal at which the user is asked. */
export interface KeyTerminal {
  io: Io;
  lines: LineInput;
  signal: AbortSignal;
}

/** The addresses that the user gave for each key. */
export function allowedAddresses({ key = [], baseUrl }: KeyOptions, io: Io): KeyAddresses {
  const standardKeys = STANDARD_KEYS.flatMap((variable) =>
    [baseUrl, environmentAddress(variable, io)]
      .filter((address) => address !== undefined)
      .map((address) => ({ variable, address })),
  );
  const permissions = [...key, ...standardKeys].filter(({ address }) => originOf(address) !== null);
  return permissions.reduce(withAddress, allowedIn(io).keys);
}

/**
 * `VLLM_URL`, if it was set together with the key: a `.env` in a folder from someone else does not control a
 * key of the user's environment.
 */
function environmentAddress(variable: string, io: Io): string | undefined {
  const isFromUser = Object.hasOwn(io.env, 'VLLM_URL') || !Object.hasOwn(io.env, variable);
  return isFromUser ? variablesOf(io)('VLLM_URL') : undefined;
}

function withAddress(keys: KeyAddresses, { variable, address }: GivenKey): KeyAddresses {
  const before = lookUp(keys, variable) ?? [];
  return { ...keys, [variable]: [...before, address] };
}

/**
 * The same plus what the user confirms at the terminal. Throws UsageError, before anything is sent, if there
 * is no terminal or the user declines.
 */
export async function confirmedAddresses(
  models: readonly ModelSpec[],
  options: KeyOptions,
  terminal: KeyTerminal,
): Promise<KeyAddresses> {
  const { io } = terminal;
  const isInteractive = io.stdin.isTTY === true && io.err.isTerminal;
  const variables = variablesOf(io);
  let addresses = allowedAddresses(options, io);
  for (const { apiKeyEnv: variable, baseUrl } of models) {
    const address = originOf(baseUrl);
    if (variable === null || address === null) continue;
    const keys = serverKeys(variables, addresses);
    if (keys.fate(variable, baseUrl) !== 'refused') continue;
    if (!isInteractive || !(await confirmsKey({ variable, address }, terminal))) keys.find(variable, baseUrl);
    addresses = withAddress(addresses, { variable, address });
    try {
      saveAllowed({ variable, address }, io);
      io.err.write(`saved in ${allowedPath(io) ?? ''}\n`);
    } catch (error) {
      printWarning(`allowed this time only, since it could not be saved: ${errorMessage(error)}`, io);
    }
  }
  return addresses;
}

async function confirmsKey(
  { variable, address }: GivenKey,
  { io, lines, signal }: KeyTerminal,
): Promise<boolean> {
  io.err.write(`${oneLine(`Send the key in ${variable} to ${address}, now and in later runs?`)} [y/N] `);
  const answer = await lines.next(signal);
  return /^\s*y(?:es)?\s*$/i.test(answer ?? '');
}
