/** The options of `report`. */
import type { Argv } from 'yargs';
import { REGRET_EFFORT } from '../logs/logged-costs.js';
import { once, wholeNumber, WORKERS_OPTION } from './command-line.js';
import { withModules } from './modules.js';
import { named } from './option.js';
import { PLAYER_OPTIONS } from './player-filter.js';

export function withReportOptions<T>(parser: Argv<T>) {
  return withModules(parser)
    .options(named(PLAYER_OPTIONS))
    .positional('log', {
      type: 'string',
      array: true,
      demandOption: true,
      describe: 'Paths of logs, with #run-id for one run, or folders of logs',
    })
    .option('out', {
      type: 'string',
      describe: 'Write an HTML page that opens from disk',
      coerce: once('out'),
    })
    .option('view', {
      type: 'string',
      describe: 'With --out: link each run to this page, made by view from the same logs',
      coerce: once('view'),
    })
    .option('force', { type: 'boolean', default: false, describe: 'Overwrite an existing page' })
    .option('forks', { type: 'boolean', default: false, describe: 'Count forks too' })
    .option('table', {
      choices: ['markdown', 'latex'] as const,
      describe: 'Print tables for a paper: players × scenarios, and the comparisons',
    })
    .option('plots', {
      type: 'string',
      describe:
        'Write plots for a paper into this folder, as SVG and PDF: one over all scenarios, one for each',
      coerce: once('plots'),
    })
    .option('regret', {
      type: 'boolean',
      default: false,
      describe: 'Search for the turns that each step lost, and compare players in them too',
    })
    .option('effort', {
      type: 'string',
      describe: `With --regret: maximum number of steps per search [${REGRET_EFFORT}]`,
      coerce: wholeNumber('effort', { min: 1, max: 1_000_000_000 }),
    })
    .option('knowledge', {
      type: 'boolean',
      default: false,
      describe: 'Show who learnt what, when and from whom, and who acted on it, for each run',
    })
    .option('questions', {
      type: 'boolean',
      default: false,
      describe: 'Show how each player answered the questions of the probes, by kind',
    })
    .option('workers', WORKERS_OPTION)
    .option('csv', { type: 'boolean', default: false, describe: 'Print one line per run as CSV' })
    .option('json', {
      type: 'boolean',
      default: false,
      describe:
        'Print one JSON document: {runs, cells, pairings, overview, repeated, notPlayed, batches}; with --knowledge {totals, runs}, with --questions {totals}',
    });
}
