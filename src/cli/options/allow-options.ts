/**
 * `--env NAME` and `--key NAME=ADDRESS`: what the user allows a scenario, which may come from an untrusted
 * source, in addition to what every scenario may use.
 */
import { UsageError } from '../../base/errors.js';
import { originOf } from '../../model/keys.js';
import { VARIABLE, VARIABLE_NAME } from '../../scenario/variables.js';
import { repeatedAs } from './option.js';

/** One `--key`. */
export interface GivenKey {
  variable: string;
  /** Scheme, host and port. */
  address: string;
}

/** For commands that open a scenario's file or text. */
export const ENV = {
  env: repeatedAs('Environment variable that the scenario may read (may be repeated)', parseVariableName),
};

/** For commands that call model servers. */
export const KEYS = {
  key: repeatedAs(
    'NAME=ADDRESS: allow sending the key in this variable to this server (may be repeated)',
    parseKey,
  ),
};

/** Errors thrown here reach the user without hints, so the message says what to type. */
function parseVariableName(text: string): string {
  if (VARIABLE_NAME.test(text)) return text;
  const [, name = 'MY_SERVER'] = new RegExp(`^(${VARIABLE})=`).exec(text) ?? [];
  throw new UsageError(`--env takes the name of a variable that is set in the environment: --env ${name}`);
}

/** The text after the `=` may be a key by mistake, so it is not repeated. */
function parseKey(text: string): GivenKey {
  const [, variable, address = ''] = new RegExp(`^(${VARIABLE})=(.*)$`, 's').exec(text) ?? [];
  const origin = originOf(address);
  if (variable !== undefined && origin !== null) return { variable, address: origin };
  throw new UsageError(
    `--key takes the name of the variable with the key, and the address of a server: --key ${variable ?? 'MY_KEY'}=https://models.example.org`,
  );
}
