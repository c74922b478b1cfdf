/**
 * Decides which API key may be sent to which server. A scenario names the environment variable of a key and
 * the address of a server, and it may come from an untrusted source, so a key is sent only to addresses that
 * the user allowed for it.
 */
import { lookUp } from '../base/look-up.js';
import { UsageError } from '../base/errors.js';

/**
 * Addresses that each key may be sent to, by the variable that holds it. Only the scheme, host and port of an
 * address matter, not its path.
 */
export type KeyAddresses = Readonly<Record<string, readonly string[]>>;

/** Variables whose keys are for any server that the user names; the first is the default. */
export const STANDARD_KEYS: readonly string[] = ['OPENAI_API_KEY', 'VLLM_API_KEY'];

/** The servers of variables whose names identify them. */
const OWN_ADDRESSES: KeyAddresses = {
  OPENAI_API_KEY: ['https://api.openai.com'],
  OPENROUTER_API_KEY: ['https://openrouter.ai'],
};

export interface FoundKey {
  /** Null if none is sent. */
  key: string | null;
  /** There is a key, but not for this server, which is on this machine, where keys are rarely needed. */
  isWithheld: boolean;
}

/**
 * The result for a key: it is sent, there is none, it is withheld and the server is used without a key, or
 * nothing is sent at all.
 */
export type KeyFate = 'sent' | 'unset' | 'withheld' | 'refused';

export interface ServerKeys {
  fate(variable: string, baseUrl: string): KeyFate;
  /** Looked up for each request, and never stored. Throws UsageError if the key is refused. */
  find(variable: string, baseUrl: string): FoundKey;
}

/**
 * The keys in the variables, for their own addresses and the given ones. Throws UsageError if one of these is
 * not an address.
 */
export function serverKeys(
  variables: (name: string) => string | undefined,
  allowed: KeyAddresses = {},
): ServerKeys {
  for (const [variable, addresses] of Object.entries(allowed)) {
    if (addresses.some((one) => originOf(one) === null))
      throw new UsageError(`the address allowed for the key in ${variable} is not a server address`, [
        'write it with its scheme, such as http://gpu-box:8000',
      ]);
  }
  const keyIn = (variable: string): string | null => variables(variable)?.trim() || null;
  const fate = (variable: string, baseUrl: string): KeyFate => {
    if (keyIn(variable) === null) return 'unset';
    const addresses = [OWN_ADDRESSES, allowed].flatMap((known) => lookUp(known, variable) ?? []);
    if (addresses.some((one) => originOf(one) === originOf(baseUrl))) return 'sent';
    return isOnThisMachine(baseUrl) ? 'withheld' : 'refused';
  };
  return {
    fate,
    find: (variable, baseUrl) => {
      const keyFate = fate(variable, baseUrl);
      if (keyFate === 'refused')
        throw new UsageError(
          `the key in ${variable} is not allowed for ${originOf(baseUrl) ?? baseUrl}, so nothing is sent there`,
          [
            `check the address, then allow the key with ${keyOption(variable, baseUrl)}`,
            'to use the server without a key, set api_key_env: null in the model',
          ],
        );
      return { key: keyFate === 'sent' ? keyIn(variable) : null, isWithheld: keyFate === 'withheld' };
    },
  };
}

/** Scheme, host and port, to which a key is bound. Null for anything but an address. */
export function originOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, origin } = new URL(address);
  return protocol === 'http:' || protocol === 'https:' ? origin : null;
}

function isOnThisMachine(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** The option that allows a key for a server. */
export function keyOption(variable: string, baseUrl: string): string {
  return `--key ${variable}=${originOf(baseUrl) ?? baseUrl}`;
}
