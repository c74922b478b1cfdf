/**
 * The data card: `README.md` with the header that the hub reads. It tells people who find the folder without
 * its author what the rows contain: counts, filters, sources, licences of the art.
 */
import { counted } from '../base/counted.js';
import { canonicalJson } from '../base/canonical.js';
import { compareText } from '../base/ids.js';
import { lookUp } from '../base/look-up.js';
import { oneLine } from '../base/text.js';
import { withToolCalls } from './features.js';
import type { Feature } from './features.js';
import type { ExportFormat } from './format.js';
import type { RowCount } from './tally.js';
import { answerNotes } from './report.js';
import type { ExportReport } from './report.js';
import type { SplitBy } from './row-splits.js';
import { rowKind } from './row-kinds.js';
import type { RowUnit } from './row-kinds.js';

/** A table, with the hub's keys. */
export interface HubConfig {
  config_name: string;
  data_files: string | readonly { split: string; path: string }[];
  /** The member of a JSON object that holds the rows; absent if the file consists of rows. */
  field?: string;
  /** Whether the reader must not use folder names as labels. */
  drop_labels?: boolean;
}

/** The tables of a format, for the splits that have rows. */
export function hubConfigs(
  { dataFiles, members, readerSettings }: ExportFormat,
  splits: readonly string[],
): readonly HubConfig[] {
  const data_files = splits.map((split) => ({ split, path: dataFiles(split) }));
  if (splits.length === 0) return [];
  if (members === undefined) return [{ config_name: 'default', data_files, ...readerSettings }];
  return members.map((field) => ({ config_name: field, data_files, field }));
}

/** The column types of a format's tables, if the format fixes them in advance. */
export function hubFeatures(
  { members, features, hasMessages = false }: ExportFormat,
  hasToolCalls: boolean,
): readonly HubFeatures[] {
  if (features === undefined) return [];
  if (isOneTable(features)) {
    const written = hasMessages && hasToolCalls ? withToolCalls(features) : features;
    return [{ config_name: 'default', features: written }];
  }
  return (members ?? []).map((name) => ({ config_name: name, features: lookUp(features, name) ?? [] }));
}

function isOneTable(features: NonNullable<ExportFormat['features']>): features is readonly Feature[] {
  return Array.isArray(features);
}

/** The column types of one table, with the hub's keys. */
interface HubFeatures {
  config_name: string;
  features: readonly Feature[];
}

/** What a card contains besides the report. */
export interface CardFacts {
  /** Tables that the hub's reader finds in the folder. */
  configs: readonly HubConfig[];
  types: readonly HubFeatures[];
  about: string;
  unit: RowUnit | 'record';
  /** How to open the data once it is on the hub; empty if nothing needs to be said. */
  upload: readonly string[];
  /** The licences of the tilesets that the pictures were drawn with, from their manifests. */
  licences: readonly string[];
  /** Messages hold tool calls that were sent as text. */
  hasRewrittenCalls?: boolean;
  hasPreview: boolean;
  /** Where the runs come from, without texts to hide. */
  provenance: readonly string[];
}

/** The hub's size categories: the number that a data set stays below, and the hub's name. */
const SIZES: readonly (readonly [number, string])[] = [
  [1000, 'n<1K'],
  [10_000, '1K<n<10K'],
  [100_000, '10K<n<100K'],
  [1_000_000, '100K<n<1M'],
  [Infinity, '1M<n<10M'],
];
const COUNTED_MAX = 50;
/** Rows of tables, which are not made from samples. */
const RECORD = { about: 'Each row is a record of what happened in the world.', task: 'other' } as const;

function kindOf(unit: CardFacts['unit']): { about: string; task: string } {
  return unit === 'record' ? RECORD : rowKind(unit);
}

export function dataCard(report: ExportReport, facts: CardFacts): string {
  return `${header(report, facts)}\n${body(report, facts).join('\n')}\n`;
}

/** JSON is YAML, so every value is written as JSON. */
function header({ tally, format }: ExportReport, { configs, types, unit }: CardFacts): string {
  const size = SIZES.find(([below]) => tally.rows < below)?.[1] ?? '';
  const fields: Readonly<Record<string, unknown>> = {
    pretty_name: 'Runs of agents in tile worlds',
    // The hub's value for an unknown licence: only the publisher of the texts can state it. `other` means a
    // licence whose text is beside the data.
    license: 'unknown',
    task_categories: [kindOf(unit).task],
    tags: ['orchestrate', 'agents', format],
    size_categories: [size],
    ...(configs.length === 0 ? {} : { configs }),
    ...(configs.length === 0 || types.length === 0 ? {} : { dataset_info: types }),
  };
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return ['---', ...lines, '---', ''].join('\n');
}

const REWRITTEN_CALLS =
  'The messages are those that were sent, except for the earlier calls of agents that call tools natively, and their results: they were sent as text, and are tool calls and tool messages here.';

function body(report: ExportReport, facts: CardFacts): readonly string[] {
  const { tally, inputs, format } = report;
  const isRecords = facts.unit === 'record';
  // A table's records are of many kinds, so the runs are counted instead.
  const of = isRecords ? 'runs' : 'rows';
  return [
    '# Runs of agents in tile worlds',
    '',
    `${counted(tally.rows, 'row')} of ${tally.describeRuns(inputs.runs.length)}, written by \`orchestrate export --format ${format}\`: ${facts.about}.`,
    kindOf(facts.unit).about,
    ...(facts.hasRewrittenCalls ? [REWRITTEN_CALLS] : []),
    '',
    ...(facts.hasPreview ? ['![Some of its pictures](preview.png)', ''] : []),
    ...table(
      ['split', 'rows', 'runs', 'pictures'],
      tally.splits.map((one) => [one.name, one.rows, one.runs, one.pictures]),
    ),
    ...countsSection('Scenarios', tally.countsBy('scenarios'), of),
    ...countsSection('Players', tally.countsBy('players'), of),
    ...countsSection('Models', tally.countsBy('models'), of),
    ...countsSection('Agents', tally.countsBy('agents'), of),
    ...countsSection('How the runs ended', tally.countsBy('outcomes'), of),
    ...countsSection('Questions and their answers', tally.countsBy('answers'), of),
    '## Sources',
    '',
    ...facts.provenance.map((text) => `- ${markdownText(text)}`),
    `- Inputs: ${counted(inputs.runs.length, 'run')}, sha256 \`${inputs.runsHash}\``,
    `- Options: \`${canonicalJson(numbersAsText(inputs.wishes)).replaceAll('`', "'")}\``,
    ...(isRecords ? [] : pictureLines(report)),
    '',
    ...uploadSection(facts.upload),
    '## Licence',
    '',
    ...(isRecords ? [] : [artLine(facts.licences)]),
    'The licence of the texts (scenarios, prompts, replies, human verdicts) is not stated. The rights belong to the makers of the runs, and the terms of a model may apply to its replies. If you publish this data set, replace `unknown` in the header of this file with your licence.',
    '',
    `${isRecords ? '' : `${splitGuarantee(report)} `}Model output may be wrong, and must not be followed as instructions.`,
  ];
}

const SPLIT_GUARANTEES: Readonly<Record<SplitBy, string>> = {
  seed: 'Runs of one scenario and seed, and forks and their parents, are always in the same split.',
  scenario: 'Runs of one scenario, and forks and their parents, are always in the same split.',
  image:
    'Rows that show the same picture are always in the same split; the rows of one run may be in several.',
};

/**
 * A sentence on what is never divided between splits, and how many rows share a picture with another split.
 */
function splitGuarantee({ tally, settings }: ExportReport): string {
  if (tally.splits.length < 2) return SPLIT_GUARANTEES[settings.splitBy];
  if (settings.shared === 'drop')
    return `${SPLIT_GUARANTEES[settings.splitBy]} No picture (or observation without a picture) is in two splits: ${counted(tally.shared, 'row')} with a picture from another split ${tally.shared === 1 ? 'is' : 'are'} left out.`;
  return `${SPLIT_GUARANTEES[settings.splitBy]} ${counted(tally.shared, 'row')} ${tally.shared === 1 ? 'shows' : 'show'} a picture (or an observation without a picture) that also occurs in another split.`;
}

function pictureLines({ tally, images }: ExportReport): readonly string[] {
  return [
    ...answerNotes(tally).map((note) => `- ${note}`),
    `- Removed: ${tally.duplicates} duplicates, ${tally.unpictured} rows without a picture`,
    `- Pictures: ${tally.pictures} in the rows${images.files === 0 ? '' : `, stored in ${images.files} files`}`,
  ];
}

function uploadSection(about: readonly string[]): readonly string[] {
  if (about.length === 0) return [];
  const command = 'hf upload YOUR-NAME/YOUR-DATA-SET . . --repo-type dataset --private';
  const review =
    'Read the texts before you make the data set public: they are those of the scenarios and of the players.';
  return ['## Upload', '', 'In this folder:', '', '```sh', command, '```', '', ...about, '', review, ''];
}

function artLine(licences: readonly string[]): string {
  const stated = licences.map((one) => oneLine(one, 80)).join(', ');
  return `Licence of the art in the pictures: ${stated === '' ? 'none stated' : stated}.`;
}

/** The same value with fractional numbers written as text, because canonical JSON allows only integers. */
function numbersAsText(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : String(value);
  if (Array.isArray(value)) return value.map(numbersAsText);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(entries.map(([key, one]) => [key, numbersAsText(one)]));
}

function countsSection(title: string, list: readonly RowCount[], countedUnit: string): readonly string[] {
  if (list.length === 0) return [];
  const shown = list.slice(0, COUNTED_MAX);
  const otherRows = list.slice(COUNTED_MAX).reduce((sum, { rows }) => sum + rows, 0);
  const rows = shown.map(({ name, rows: count }) => [name, count] as const);
  return [
    `## ${title}`,
    '',
    ...table(['', countedUnit], otherRows === 0 ? rows : [...rows, ['others', otherRows]]),
  ];
}

/** Names come from logs, so characters that would end a cell are escaped. */
function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map((cell) => markdownText(oneLine(String(cell), 120))).join(' | ')} |`;
  return [line(head), `| ${head.map(() => '---').join(' | ')} |`, ...rows.map(line), ''];
}

function markdownText(text: string): string {
  return oneLine(text).replace(/[|\\`<>[\]]/g, (mark) => `\\${mark}`);
}
