/**
 * `--env NAME` and `--key NAME=ADDRESS`: what the user allows a scenario, which may come from an untrusted
 * source, in addition to what every scenario may use. In: what was typed; out: names of variables, and
 * addresses by the variable of a key.
 */
import type { Argv } from 'yargs';
import { UsageError } from '../../base/errors.js';
import { originOf } from '../../model/keys.js';
import { VARIABLE_NAME } from '../../scenario/variables.js';
import { repeatedOption } from './command-line.js';

/** One `--key`. */
export interface GivenKey {
  readonly variable: string;
  /** Scheme, host and port. */
  readonly address: string;
}

/** The parser, with the option for commands that open a scenario's file or text. */
export function withEnv<T>(parser: Argv<T>) {
  return parser.option('env', {
    type: 'string',
    describe: 'Environment variable that the scenario may read (may be repeated)',
    coerce: (value: unknown) => repeatedOption(value).map(parseVariableName),
  });
}

/** The parser, with the option for commands that call model servers. */
export function withKeys<T>(parser: Argv<T>) {
  return parser.option('key', {
    type: 'string',
    describe: 'NAME=ADDRESS: allow sending the key in this variable to this server (may be repeated)',
    coerce: (value: unknown) => repeatedOption(value).map(parseKey),
  });
}

/** Errors thrown here reach the user without hints, so the message says what to type. */
function parseVariableName(text: string): string {
  if (VARIABLE_NAME.test(text)) return text;
  const [, name = 'MY_SERVER'] = /^([A-Za-z_][A-Za-z0-9_]{0,63})=/.exec(text) ?? [];
  throw new UsageError(`--env takes the name of a variable that is set in the environment: --env ${name}`);
}

/** The text after the `=` may be a key by mistake, so it is not repeated. */
function parseKey(text: string): GivenKey {
  const [, variable, address = ''] = /^([A-Za-z_][A-Za-z0-9_]{0,63})=(.*)$/s.exec(text) ?? [];
  const origin = originOf(address);
  if (variable !== undefined && origin !== null) return { variable, address: origin };
  throw new UsageError(
    `--key takes the name of the variable with the key, and the address of a server: --key ${variable ?? 'MY_KEY'}=https://models.example.org`,
  );
}
