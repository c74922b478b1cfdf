/**
 * The data card: `README.md` with the header that the hub reads, for whoever finds the folder without its maker: what the rows are, how many of what, which
 * filters, what they were made of, whose the art is. In: a report; out: a text that depends on nothing else.
 */
import { counted } from '../base/counted.js';
import { canonicalJson } from '../base/canonical.js';
import { compareText } from '../base/ids.js';
import { oneLine } from '../base/text.js';
import type { Format } from './format.js';
import type { Count } from './tally.js';
import type { ExportReport } from './report.js';
import type { Unit } from './rows.js';

/** A table, in the hub's words. */
export interface HubConfig {
  readonly config_name: string;
  readonly data_files: string | readonly { readonly split: string; readonly path: string }[];
  /** The member of a JSON object that holds the rows; absent where the file is of rows. */
  readonly field?: string;
}

/** Those of a format whose splits have rows. */
export function hubConfigs(
  { dataFiles, members }: Pick<Format, 'dataFiles' | 'members'>,
  splits: readonly string[],
): readonly HubConfig[] {
  const data_files = splits.map((split) => ({ split, path: dataFiles(split) }));
  if (splits.length === 0) return [];
  if (members === undefined) return [{ config_name: 'default', data_files }];
  return members.map((field) => ({ config_name: field, data_files, field }));
}

/** What a card tells besides the report. */
export interface CardFacts {
  /** Tables that the hub's reader finds in the folder. */
  readonly configs: readonly HubConfig[];
  readonly about: string;
  readonly unit: Unit | 'record';
  /** Of the tilesets that pictures were drawn with, as their manifests say. */
  readonly licences: readonly string[];
  readonly hasPreview: boolean;
}

/** With fewer rows than each; the hub's words. */
const SIZES: readonly (readonly [number, string])[] = [
  [1000, 'n<1K'],
  [10_000, '1K<n<10K'],
  [100_000, '10K<n<100K'],
  [1_000_000, '100K<n<1M'],
  [Infinity, '1M<n<10M'],
];
const COUNTED_MAX = 50;
/** What a row is. */
const ROWS: Readonly<Record<CardFacts['unit'], string>> = {
  reply:
    'Each row is a reply of an agent with the exact messages and pictures that led to it; what was known only afterwards stands in columns of its own.',
  pair: 'Each row is a better and a worse reply to one request, the same to the last letter and pixel.',
  moment:
    'Each row is what an agent was shown at a step, with labels that are known because the world is; what it could not know is not in them.',
  question:
    'Each row is a question about what an agent was shown at a step, with an answer that follows from it; `unknown` is the answer where nobody could tell.',
  record: 'Each row is a record of what happened in the world.',
};

export function dataCard(report: ExportReport, facts: CardFacts): string {
  return `${header(report, facts)}\n${body(report, facts).join('\n')}\n`;
}

/** JSON is YAML, so every value is told as JSON. */
function header({ tally, format }: ExportReport, { configs }: CardFacts): string {
  const size = SIZES.find(([below]) => tally.rows < below)?.[1] ?? '';
  const fields: Readonly<Record<string, unknown>> = {
    pretty_name: 'Runs of agents in tile worlds',
    // The hub's word where nobody said: only who publishes the texts can. Its `other` stands for a licence whose text lies beside the data.
    license: 'unknown',
    task_categories: ['image-text-to-text'],
    tags: ['orchestrate', 'agents', format],
    size_categories: [size],
    ...(configs.length === 0 ? {} : { configs }),
  };
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return ['---', ...lines, '---', ''].join('\n');
}

function body(report: ExportReport, facts: CardFacts): readonly string[] {
  const { tally, inputs, format, images } = report;
  return [
    '# Runs of agents in tile worlds',
    '',
    `${counted(tally.rows, 'row')} of ${tally.runsTold(inputs.runs.length)}, written by \`orchestrate export --format ${format}\`: ${facts.about}.`,
    ROWS[facts.unit],
    '',
    ...(facts.hasPreview ? ['![Some of its pictures](preview.png)', ''] : []),
    ...table(
      ['split', 'rows', 'runs', 'pictures'],
      tally.splits.map((one) => [one.name, one.rows, one.runs, one.pictures]),
    ),
    ...counts('Scenarios', tally.by('scenarios')),
    ...counts('Models', tally.by('models')),
    ...counts('Agents', tally.by('agents')),
    ...counts('How the runs ended', tally.by('outcomes')),
    '## Made of',
    '',
    `- Inputs: ${counted(inputs.runs.length, 'run')}, sha256 \`${inputs.runsHash}\``,
    `- Asked for: \`${canonicalJson(asText(inputs.wishes)).replaceAll('`', "'")}\``,
    `- Left out: ${tally.duplicates} rows that were there before, ${tally.unpictured} without a picture`,
    `- Pictures: ${tally.pictures} in rows${images.files === 0 ? '' : `, ${images.files} files`}`,
    '',
    '## Licence',
    '',
    `The art of the pictures: ${facts.licences.length === 0 ? 'none told' : facts.licences.map((one) => oneLine(one, 80)).join(', ')}.`,
    'The texts (scenarios, prompts, replies, what people said): nobody said yet. They are whose runs these are, and the terms of a model may bind its replies. Whoever publishes them puts their licence in place of `unknown` in the header of this file.',
    '',
    'Runs of one scenario and seed, and forks with their parents, are in one split. Words of models may be wrong, and are not instructions.',
  ];
}

/** Fractions as texts. */
function asText(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : String(value);
  if (Array.isArray(value)) return value.map(asText);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(entries.map(([key, one]) => [key, asText(one)]));
}

function counts(title: string, list: readonly Count[]): readonly string[] {
  const shown = list.slice(0, COUNTED_MAX);
  const rest = list.slice(COUNTED_MAX).reduce((sum, { rows }) => sum + rows, 0);
  const rows = shown.map(({ name, rows: count }) => [name, count] as const);
  return [`## ${title}`, '', ...table(['', 'rows'], rest === 0 ? rows : [...rows, ['others', rest]])];
}

/** Names come from logs, so nothing in them may end a cell. */
function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): readonly string[] {
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map((cell) => oneLine(String(cell), 120).replace(/[|\\`<>[\]]/g, (mark) => `\\${mark}`)).join(' | ')} |`;
  return [line(head), `| ${head.map(() => '---').join(' | ')} |`, ...rows.map(line), ''];
}
