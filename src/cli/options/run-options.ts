/** Options of the commands that play: changes of the scenario for one run, models, and output files. */
import type { Argv } from 'yargs';
import { PROTOCOL_NAMES } from '../../scenario/scenario.js';
import { withEnv, withKeys } from './allow-options.js';
import { GUIDED_OPTION, once, ROOT_OPTION, repeatedOption, wholeNumber } from './command-line.js';

/** Outside inputs that a log does not contain. */
const OUTSIDE_OPTIONS = {
  root: ROOT_OPTION,
} as const;

/** The parser, with the options for beginning a run. */
export function withRunOptions<T>(parser: Argv<T>) {
  return withChanges(withOutside(parser))
    .option('seed', {
      type: 'string',
      describe: "Seed of the run, instead of the scenario's",
      coerce: once('seed'),
    })
    .option('goal', {
      type: 'string',
      describe: 'Your own question, if the scenario asks a question',
      coerce: once('goal'),
    });
}

/** Options that change a scenario, also from a given step on. */
export function withChanges<T>(parser: Argv<T>) {
  return withEnv(parser)
    .option('max-turns', {
      type: 'string',
      describe: "Maximum number of turns, instead of the scenario's",
      coerce: wholeNumber('max-turns', { min: 1, max: 100_000 }),
    })
    .option('protocol', { choices: PROTOCOL_NAMES, describe: 'Reply format for every agent' })
    .option('set', {
      type: 'string',
      describe: 'Override any key of the scenario: key=value (may be repeated)',
      coerce: repeatedOption,
    });
}

/** Options for the models and outside inputs of a run. */
export function withOutside<T>(parser: Argv<T>) {
  return withKeys(parser)
    .option('model', { type: 'string', describe: 'Model that plays the agents', coerce: once('model') })
    .option('base-url', {
      type: 'string',
      describe: 'Address of the model server',
      coerce: once('base-url'),
    })
    .option('guided', GUIDED_OPTION)
    .option('step', { type: 'boolean', default: false, describe: 'Wait for Enter before each step' })
    .options(OUTSIDE_OPTIONS);
}

/** Options for the output, and for files next to the log. */
export function withFiles<T>(parser: Argv<T>) {
  return parser
    .option('frames', {
      type: 'string',
      describe: "Write each step's frame here as a PNG",
      coerce: once('frames'),
    })
    .option('memories', {
      type: 'string',
      describe: 'Folder of memories kept across runs (./memories by default)',
      coerce: once('memories'),
    })
    .option('quiet', { type: 'boolean', default: false, describe: 'Print only the summary' })
    .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document on stdout' });
}
