/** Options of `run` that change the scenario for one run. */
import type { Argv } from 'yargs';
import { PROTOCOL_NAMES } from '../scenario/scenario.js';
import { GUIDED_OPTION, once, ROOT_OPTION, settings, wholeNumber } from './command-line.js';

/** For scenarios that ask a question. */
const INQUIRY_OPTIONS = {
  goal: {
    type: 'string',
    describe: 'A question of your own, where the scenario asks one',
    coerce: once('goal'),
  },
  root: ROOT_OPTION,
} as const;

/** The parser, with the options. */
export function withRunOptions<T>(parser: Argv<T>) {
  return parser
    .option('model', { type: 'string', describe: 'Put the agents on this model', coerce: once('model') })
    .option('base-url', {
      type: 'string',
      describe: 'Address of the model server',
      coerce: once('base-url'),
    })
    .option('seed', {
      type: 'string',
      describe: "Seed of the run, instead of the scenario's",
      coerce: once('seed'),
    })
    .option('max-turns', {
      type: 'string',
      describe: "Turns at most, instead of the scenario's",
      coerce: wholeNumber('max-turns', { min: 1, max: 100_000 }),
    })
    .option('protocol', { choices: PROTOCOL_NAMES, describe: 'Reply format for every agent' })
    .option('guided', GUIDED_OPTION)
    .option('step', { type: 'boolean', default: false, describe: 'Wait for Enter before each step' })
    .option('set', {
      type: 'string',
      describe: 'key=value for any key of the scenario (may be repeated)',
      coerce: settings,
    })
    .options(INQUIRY_OPTIONS);
}

/** Options that say what is written where. */
export function withFiles<T>(parser: Argv<T>) {
  return parser
    .option('out', {
      type: 'string',
      describe: 'Path of the log (runs/… by default)',
      coerce: once('out'),
    })
    .option('frames', {
      type: 'string',
      describe: "Write each step's frame here as a PNG",
      coerce: once('frames'),
    })
    .option('memories', {
      type: 'string',
      describe: 'Folder of the memories that last over runs (memories by default)',
      coerce: once('memories'),
    });
}
