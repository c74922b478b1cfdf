/**
 * The options of `export`, converted from text to settings. Wrong usage is reported before a log is opened.
 */
import { meantOf } from '../../base/nearest.js';
import type { Argv } from 'yargs';
import { UsageError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { DEFAULT_SETTINGS, TABLES_FORMAT } from '../../export/export.js';
import type { ExportSettings } from '../../export/export.js';
import { referencedColumns } from '../../export/expression.js';
import { ONLY } from '../../export/filter.js';
import type { ExportFormat } from '../../export/format.js';
import { FORMATS } from '../../export/formats/formats.js';
import { HISTORIES } from '../../export/history.js';
import { IMAGE_TYPES } from '../../export/pictures.js';
import { SPLIT_BY } from '../../export/row-splits.js';
import { parseSplits } from '../../export/splits.js';
import { REGRET_EFFORT } from '../logs/logged-costs.js';
import { once, repeatedOption, wholeNumber, WORKERS_OPTION } from './command-line.js';

const OUTCOMES = ['succeeded', 'failed', 'ended', 'interrupted', 'error', 'running'] as const;

function withRepeated(parser: Argv, name: string, describe: string) {
  return parser.option(name, { type: 'string', describe, coerce: repeatedOption });
}

const REPEATED_OPTIONS: readonly (readonly [string, string])[] = [
  ['agent', 'Only these agents, by id (may be repeated)'],
  ['model', 'Only these models (or controllers), by name (may be repeated)'],
  ['scenario', 'Only these scenarios, by name (may be repeated)'],
  ['outcome', `Only runs with this outcome: ${OUTCOMES.join(', ')} (may be repeated)`],
  ['redact', 'Replace this text with [redacted] everywhere, ignoring case (may be repeated)'],
];

function withRowOptions(parser: Argv) {
  return REPEATED_OPTIONS.reduce((one, [name, describe]) => withRepeated(one, name, describe), parser)
    .option('ok', {
      type: 'boolean',
      default: false,
      describe: 'Only replies whose action was carried out',
    })
    .option('first-attempt', {
      type: 'boolean',
      default: false,
      describe: 'Only the first reply of a step',
    })
    .option('only', {
      choices: ONLY,
      describe:
        'Choose replies by their marks: accepted (or corrected), rejected, or any mark; by default all except rejected replies',
    })
    .option('turns', {
      type: 'string',
      describe: 'Only these turns: 3..12, 3.. or ..12',
      coerce: once('turns'),
    })
    .option('where', {
      type: 'string',
      describe: 'A condition on the columns that docs/reference/data-sets.md lists',
      coerce: once('where'),
    })
    .option('history', {
      choices: HISTORIES,
      default: 'full' as const,
      describe: "How much of an agent's past a row contains",
    })
    .option('duplicates', {
      choices: ['drop', 'keep'] as const,
      default: 'drop' as const,
      describe: 'Whether to keep exact duplicates of earlier rows',
    })
    .option('limit', {
      type: 'string',
      describe: 'Maximum number of rows',
      coerce: wholeNumber('limit', { min: 0, max: Number.MAX_SAFE_INTEGER }),
    })
    .option('seed', {
      type: 'string',
      describe: 'Seed for the choice of rows with --limit and for the splits',
      coerce: once('seed'),
    })
    .option('split', {
      type: 'string',
      describe: 'Names of splits with their shares: train=0.9,test=0.1',
      coerce: once('split'),
    })
    .option('split-by', {
      choices: SPLIT_BY,
      default: DEFAULT_SETTINGS.splitBy,
      describe:
        'What to keep in one split: runs of a scenario and seed, runs of a scenario, or rows with the same picture',
    })
    .option('shared', {
      choices: ['drop', 'keep'] as const,
      default: DEFAULT_SETTINGS.shared,
      describe:
        'Whether to keep rows whose picture (or text, if they have no picture) is also in another split',
    });
}

/** The options for the cost of steps, and for the criterion that decides between answers. */
function withCostOptions(parser: Argv) {
  return parser
    .option('regret', {
      type: 'boolean',
      default: false,
      describe: 'Search for the cost of each step, for the columns regret and progress',
    })
    .option('effort', {
      type: 'string',
      describe: `With --regret: maximum number of steps per search [${REGRET_EFFORT}]`,
      coerce: wholeNumber('effort', { min: 1, max: 1_000_000_000 }),
    })
    .option('rollouts', {
      type: 'string',
      describe: `With --format preference: minimum number of finished runs per answer, where regret is unknown [${DEFAULT_SETTINGS.rollouts}]`,
      coerce: wholeNumber('rollouts', { min: 1, max: LIMITS.batchRuns }),
    });
}

export function withExportOptions(parser: Argv) {
  return withCostOptions(withRowOptions(parser))
    .option('format', {
      choices: [...FORMATS.map(({ name }) => name), TABLES_FORMAT.name],
      demandOption: true,
      describe: 'Format of the data set',
    })
    .option('out', {
      type: 'string',
      demandOption: true,
      describe: 'A new or empty folder',
      coerce: once('out'),
    })
    .option('image', {
      choices: IMAGE_TYPES,
      default: 'png' as const,
      describe: 'File type of pictures; both are lossless',
    })
    .option('scale', {
      type: 'string',
      describe: 'Scale of pictures: 2, 3 … or 1/2, 1/3 …',
      coerce: once('scale'),
    })
    .option('shard-rows', {
      type: 'string',
      describe: 'Rows per file, in formats with several files [10000]',
      coerce: wholeNumber('shard-rows', { min: 1, max: LIMITS.exportShardRows }),
    })
    .option('questions', {
      type: 'string',
      describe: `With --format qa: questions per moment [${DEFAULT_SETTINGS.questions}]`,
      coerce: wholeNumber('questions', { min: 1, max: LIMITS.probesEach }),
    })
    .option('words', {
      choices: ['drop', 'keep'] as const,
      describe: "With --format qa: whether to keep the turn's text, which may answer the question [drop]",
    })
    .option('dry-run', {
      type: 'boolean',
      default: false,
      describe: 'Print the size of the data set without writing it',
    })
    .option('continue', {
      type: 'boolean',
      default: false,
      describe: 'Resume an interrupted export',
    })
    .option('workers', {
      ...WORKERS_OPTION,
      default: undefined,
      describe: 'Number of processes that make the rows [1]',
    })
    .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document' });
}

/** As yargs reads them. */
export interface ExportCommandOptions {
  readonly log: readonly string[];
  readonly format: string;
  readonly out: string | undefined;
  readonly agent?: readonly string[];
  readonly model?: readonly string[];
  readonly scenario?: readonly string[];
  readonly outcome?: readonly string[];
  readonly redact?: readonly string[];
  readonly ok: boolean;
  readonly 'first-attempt': boolean;
  readonly turns: string | undefined;
  readonly where: string | undefined;
  readonly only: ExportSettings['selection']['only'] | undefined;
  readonly regret: boolean;
  readonly effort: number | undefined;
  readonly rollouts: number | undefined;
  readonly history: ExportSettings['history'];
  readonly duplicates: ExportSettings['duplicates'];
  readonly limit: number | undefined;
  readonly seed: string | undefined;
  readonly split: string | undefined;
  readonly 'split-by': ExportSettings['splitBy'];
  readonly shared: ExportSettings['shared'];
  readonly image: ExportSettings['image']['type'];
  readonly scale: string | undefined;
  readonly 'shard-rows': number | undefined;
  readonly questions: number | undefined;
  readonly words: ExportSettings['words'] | undefined;
  readonly workers: number | undefined;
  readonly 'dry-run': boolean;
  readonly continue: boolean;
  readonly json: boolean;
  readonly modules: readonly string[] | undefined;
}

/** Throws UsageError. */
export function settingsFrom(options: ExportCommandOptions): ExportSettings {
  if (options.format === TABLES_FORMAT.name) checkTables(options);
  return {
    selection: {
      turns: options.turns === undefined ? null : turnsFrom(options.turns),
      agents: nullIfEmpty(options.agent),
      models: nullIfEmpty(options.model),
      scenarios: nullIfEmpty(options.scenario),
      outcomes: outcomesFrom(options.outcome),
      ok: options.ok,
      firstAttempt: options['first-attempt'],
      where: options.where ?? null,
      only: options.only ?? null,
    },
    history: options.history,
    duplicates: options.duplicates,
    redact: options.redact ?? [],
    limit: options.limit ?? null,
    seed: options.seed ?? null,
    splits: options.split === undefined ? DEFAULT_SETTINGS.splits : parseSplits(options.split),
    splitBy: options['split-by'],
    shared: options.shared,
    image: { type: options.image, scale: scaleFrom(options.scale ?? '1') },
    shardRows: options['shard-rows'] ?? DEFAULT_SETTINGS.shardRows,
    unit: formatFrom(options.format)?.unit ?? 'reply',
    questions: questionsFrom(options),
    words: options.words ?? DEFAULT_SETTINGS.words,
    effort: effortFrom(options),
    rollouts: rolloutsFrom(options),
  };
}

const COST_COLUMNS: readonly string[] = ['regret', 'regret_kind', 'progress', 'progress_kind'];

/** The search runs if anything needs its results, for example a condition. */
function effortFrom({ regret, effort, where, format }: ExportCommandOptions): number | null {
  const isNeeded =
    regret ||
    isPairFormat(format) ||
    (where !== undefined && COST_COLUMNS.some((name) => referencedColumns(where).has(name)));
  if (isNeeded) return effort ?? REGRET_EFFORT;
  if (effort !== undefined)
    throw new UsageError('--effort needs --regret', [
      'use --format preference, or a --where with regret or progress',
    ]);
  return null;
}

function rolloutsFrom({ rollouts, format }: ExportCommandOptions): number {
  if (rollouts !== undefined && !isPairFormat(format))
    throw new UsageError(`--rollouts is only for --format preference, not ${format}`);
  return rollouts ?? DEFAULT_SETTINGS.rollouts;
}

/** Every pair needs the criterion for the better answer. */
function isPairFormat(format: string): boolean {
  return formatFrom(format)?.unit === 'pair';
}

function questionsFrom({ questions, words, format }: ExportCommandOptions): number {
  const usedOptions = [
    questions === undefined ? [] : ['--questions'],
    words === undefined ? [] : ['--words'],
  ].flat();
  if (usedOptions.length > 0 && formatFrom(format)?.unit !== 'question')
    throw new UsageError(
      `${usedOptions.join(' and ')} ${usedOptions.length > 1 ? 'are' : 'is'} only for --format qa, not ${format}`,
    );
  return questions ?? DEFAULT_SETTINGS.questions;
}

/** Null for `tables`, which do not consist of samples. */
export function formatFrom(name: string): ExportFormat | null {
  return FORMATS.find((one) => one.name === name) ?? null;
}

/** Options about rows, which tables do not support. */
const ROW_OPTIONS = [
  'agent',
  'model',
  'redact',
  'ok',
  'first-attempt',
  'only',
  'regret',
  'effort',
  'turns',
  'where',
  'history',
  'duplicates',
  'limit',
  'seed',
  'split',
  'split-by',
  'shared',
  'image',
  'scale',
  'shard-rows',
  'workers',
] as const satisfies readonly (keyof ExportCommandOptions)[];
/** Defaults that yargs fills in; otherwise undefined, false, or an empty list. */
const DEFAULTS: Readonly<Partial<ExportCommandOptions>> = {
  history: 'full',
  duplicates: 'drop',
  'split-by': 'seed',
  shared: 'drop',
  image: 'png',
};

/** Tables can be limited to some of the runs. Throws UsageError for any other selection. */
function checkTables(options: ExportCommandOptions): void {
  const usedOptions = ROW_OPTIONS.filter((name) => {
    const value: unknown = options[name];
    if (Array.isArray(value)) return value.length > 0;
    return value !== undefined && value !== false && value !== DEFAULTS[name];
  });
  if (usedOptions.length === 0) return;
  const names = usedOptions.map((name) => `--${name}`).join(', ');
  throw new UsageError(`--format tables does not support ${names}`, [
    'it exports whole runs: choose them with --scenario and --outcome',
  ]);
}

function nullIfEmpty(values: readonly string[] | undefined): readonly string[] | null {
  return values === undefined || values.length === 0 ? null : values;
}

function outcomesFrom(values: readonly string[] | undefined): readonly string[] | null {
  const known: readonly string[] = OUTCOMES;
  const unknownOutcome = (values ?? []).find((one) => !known.includes(one));
  if (unknownOutcome !== undefined)
    throw new UsageError(`there is no outcome "${unknownOutcome}"`, [
      meantOf(unknownOutcome, OUTCOMES, '--outcome takes'),
    ]);
  return nullIfEmpty(values);
}

function turnsFrom(text: string): { readonly from: number; readonly to: number } {
  const [, from, to] = /^(\d{0,9})\.\.(\d{0,9})$/.exec(text) ?? [];
  if (from === undefined || to === undefined || (from === '' && to === ''))
    throw new UsageError(`--turns takes the first and last turn, such as 3..12, 3.. or ..12, not "${text}"`);
  const turns = { from: Number(from), to: to === '' ? Number.MAX_SAFE_INTEGER : Number(to) };
  if (turns.from > turns.to) throw new UsageError(`--turns ${text} ends before it begins`);
  return turns;
}

function scaleFrom(text: string): number {
  const [, inverse, factor] = /^(1\/)?([1-9])$/.exec(text) ?? [];
  if (factor === undefined || Number(factor) > LIMITS.exportScale)
    throw new UsageError(
      `--scale takes 1 to ${LIMITS.exportScale}, or 1/2 to 1/${LIMITS.exportScale}, not "${text}"`,
    );
  return inverse === undefined ? Number(factor) : 1 / Number(factor);
}
