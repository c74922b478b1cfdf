/**
 * The options of `export`, converted from text to settings. Wrong usage is reported before a log is opened.
 */
import { meantOf } from '../../base/nearest.js';
import type { Options } from 'yargs';
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
import { PLAYER_FILTER, playerFilter } from './player-filter.js';
import { MODULES } from './modules.js';
import { oneOf, oneOfOr, flag, named, repeated, required, single, whole } from './option.js';
import type { Chosen } from './option.js';
import { EFFORT } from './regret-options.js';
import { AS_JSON } from './shared-options.js';

const OUTCOMES = ['succeeded', 'failed', 'ended', 'interrupted', 'error', 'running'] as const;

const KEEP = ['drop', 'keep'] as const;
const D = DEFAULT_SETTINGS;

export const EXPORT_OPTIONS = {
  ...MODULES,
  agent: repeated('Only these agents, by id (may be repeated)'),
  ...PLAYER_FILTER,
  scenario: repeated('Only these scenarios, by name (may be repeated)'),
  outcome: repeated(`Only runs with this outcome: ${OUTCOMES.join(', ')} (may be repeated)`),
  redact: repeated('Replace this text with [redacted] everywhere, ignoring case (may be repeated)'),
  all: flag(
    'Keep replies that were not understood or not carried out; by default, only answers that were carried out become rows',
  ),
  verbatim: flag(
    "Keep answers as received; by default, an answer that was read with decoration is written in the protocol's own form",
  ),
  ok: flag('Only replies whose action was carried out'),
  'first-attempt': flag('Only the first reply of a step'),
  only: oneOf(
    ONLY,
    'Choose replies by their marks: accepted (or corrected), rejected, or any mark; by default all except rejected replies',
  ),
  turns: single('Only these turns: 3..12, 3.. or ..12'),
  where: single('A condition on the columns that docs/reference/data-sets.md lists'),
  history: oneOfOr(D.history, HISTORIES, "How much of an agent's past a row contains"),
  duplicates: oneOfOr(D.duplicates, KEEP, 'Whether to keep exact duplicates of earlier rows'),
  limit: whole('Maximum number of rows', 0, Number.MAX_SAFE_INTEGER),
  seed: single('Seed for the choice of rows with --limit and for the splits'),
  split: single('Names of splits with their shares: train=0.9,test=0.1'),
  'split-by': oneOfOr(
    D.splitBy,
    SPLIT_BY,
    'What to keep in one split: runs of a scenario and seed, runs of a scenario, or rows with the same picture',
  ),
  shared: oneOfOr(
    D.shared,
    KEEP,
    'Whether to keep rows whose picture (or text, if they have no picture) is also in another split',
  ),
  regret: flag('Search for the cost of each step, for the columns regret and progress'),
  ...EFFORT,
  rollouts: whole(
    `With --format preference: minimum number of finished runs per answer, where regret is unknown [${D.rollouts}]`,
    1,
    LIMITS.batchRuns,
  ),
  format: () => ({
    choices: [...FORMATS.map(({ name }) => name), TABLES_FORMAT.name],
    demandOption: true as const,
    describe: 'Format of the data set',
  }),
  out: required('A new or empty folder'),
  image: oneOfOr(D.image.type, IMAGE_TYPES, 'File type of pictures; both are lossless'),
  scale: single('Scale of pictures: 2, 3 … or 1/2, 1/3 …'),
  'shard-rows': whole('Rows per file, in formats with several files [10000]', 1, LIMITS.exportShardRows),
  questions: whole(`With --format qa: questions per moment [${D.questions}]`, 1, LIMITS.probesEach),
  words: oneOf(
    KEEP,
    "With --format qa: whether to keep the turn's text, which may answer the question [drop]",
  ),
  'dry-run': flag('Print the size of the data set without writing it'),
  continue: flag('Resume an interrupted export'),
  workers: whole('Number of processes that make the rows [1]', 1, LIMITS.batchWorkers),
  ...AS_JSON,
};

export type ExportCommandOptions = Chosen<typeof EXPORT_OPTIONS>;

/** Throws UsageError. */
export function settingsFrom(options: ExportCommandOptions): ExportSettings {
  if (options.format === TABLES_FORMAT.name) checkTables(options);
  return {
    selection: {
      turns: options.turns === undefined ? null : turnsFrom(options.turns),
      agents: nullIfEmpty(options.agent),
      ...playerFilter(options),
      scenarios: nullIfEmpty(options.scenario),
      outcomes: outcomesFrom(options.outcome),
      ok: options.ok,
      firstAttempt: options['first-attempt'],
      where: options.where ?? null,
      only: options.only ?? null,
    },
    all: options.all,
    verbatim: options.verbatim,
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

/** Options that tables support, or whose use with another format is reported elsewhere. */
const TABLES_TAKE =
  'modules scenario outcome format out dry-run continue json rollouts questions words'.split(' ');

/** Tables can be limited to some of the runs. Throws UsageError for any other selection. */
function checkTables(options: ExportCommandOptions): void {
  const usedOptions = Object.entries<Options>(named(EXPORT_OPTIONS)).flatMap(([name, option]) => {
    const value: unknown = options[name as keyof ExportCommandOptions];
    const isDefault =
      value === undefined || value === option.default || (Array.isArray(value) && value.length === 0);
    return isDefault || TABLES_TAKE.includes(name) ? [] : [name];
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

function turnsFrom(text: string): { from: number; to: number } {
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
