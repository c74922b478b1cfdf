/** Options of the commands that play: changes of the scenario for one run, models, and output files. */
import { PROTOCOL_NAMES } from '../../scenario/scenario.js';
import { ENV, KEYS } from './allow-options.js';
import { oneOf, flag, repeated, single, whole } from './option.js';
import { BASE_URL, GUIDED, QUIET, ROOT } from './shared-options.js';

/** For the models and outside inputs of a run. */
export const OUTSIDE = {
  ...KEYS,
  model: single('Model that plays the agents'),
  ...BASE_URL,
  ...GUIDED,
  step: flag('Wait for Enter before each step'),
  ...ROOT,
};

/** What changes a scenario, also from a given step on. */
export const CHANGES = {
  ...ENV,
  'max-turns': whole("Maximum number of turns, instead of the scenario's", 1, 100_000),
  protocol: oneOf(PROTOCOL_NAMES, 'Reply format for every agent'),
  set: repeated('Override any key of the scenario: key=value (may be repeated)'),
};

/** For the output, and for files next to the log. */
export const FILES = {
  frames: single("Write each step's frame here as a PNG"),
  memories: single('Folder of memories kept across runs (./memories by default)'),
  ...QUIET,
  json: flag('Print one JSON document on stdout'),
};
