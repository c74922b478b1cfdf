/** The limit of the search for the cost of steps, for commands with `--regret`. */
import { REGRET_EFFORT } from '../logs/logged-costs.js';
import { whole } from './option.js';

export const EFFORT = {
  effort: whole(`With --regret: maximum number of steps per search [${REGRET_EFFORT}]`, 1, 1_000_000_000),
};
