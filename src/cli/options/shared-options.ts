/** Options and arguments that several commands have. */
import { LIMITS } from '../../base/limits.js';
import { argument, argumentList, oneOf, flag, repeated, single, wholeOr } from './option.js';

export const LOG = { log: argument('Path of the log, with #run-id for one run') };

export const LOGS = { log: argumentList('Paths of logs, with #run-id for one run, or folders of logs') };

export const SCENARIO = { scenario: argument('Scenario file (YAML), or the name of a shipped scenario') };

export const SCENARIOS = { scenario: argumentList('Scenario files (YAML), or names of shipped scenarios') };

export const AS_JSON = { json: flag('Print one JSON document') };

export const QUIET = { quiet: flag('Print only the summary') };

export const FORCE = { force: flag('Overwrite an existing file') };

export const SEED = { seed: single("Seed of the run, instead of the scenario's") };

export const SET = { set: repeated('Override any key of the scenario: key=value') };

export const BASE_URL = { 'base-url': single('Address of the model server') };

/** For scenarios whose agents read files. */
export const ROOT = { root: single("Folder whose files agents may read, instead of the scenario's") };

/** For commands that send or show a request. */
export const GUIDED = {
  guided: oneOf(
    ['off', 'auto', 'require'],
    'Guided decoding: off, auto (if the server supports it), or require',
  ),
};

/** For commands that read many logs in several processes. */
export const WORKERS = { workers: readers('Number of processes that read the logs') };

export function readers(describe: string) {
  return wholeOr(1, describe, 1, LIMITS.batchWorkers);
}

/** A step as `show` prints it. */
export const STEP_NUMBERS = [1, Number.MAX_SAFE_INTEGER] as const;
