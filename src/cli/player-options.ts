/** Options of `run` that say who decides for the agents, instead of what the scenario says. */
import type { Argv } from 'yargs';
import { settings } from './command-line.js';

/** The parser, with the options. */
export function withPlayers<T>(parser: Argv<T>) {
  return parser
    .option('controller', {
      choices: ['model', 'scripted', 'random', 'human'] as const,
      describe: "Who decides for the agents: the scenario's models, an embedded player, or you",
    })
    .option('human', {
      type: 'string',
      describe: 'An agent that you decide for (may be repeated)',
      coerce: settings,
    });
}
