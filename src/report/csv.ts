/**
 * Figures of runs as CSV (RFC 4180): one line per run, with a column for each problem code, for any
 * spreadsheet.
 */
import { compareText } from '../base/ids.js';
import { lookUp } from '../base/look-up.js';
import { oneLine } from '../base/text.js';
import { AGENT_COUNTS } from '../trajectory/agent-figures.js';
import { snakeCase } from '../trajectory/column-kinds.js';
import type { NamedCounts } from '../trajectory/named-counts.js';
import type { NotPlayedRun } from './not-played.js';
import { OVER_RUNS } from './report-cell.js';
import type { AgentFigures, RunMetrics } from './run-metrics.js';

/** Released columns keep their places; further figures of `OVER_RUNS` come after them. */
const RELEASED = [
  'log',
  'run',
  'scenario',
  'seed',
  'players',
  'status',
  'turns',
  'steps',
  'replies',
  'wasted',
  'firstTries',
  'standIns',
  'repeated',
  'said',
  'unheard',
  'promptTokens',
  'replyTokens',
  'cachedTokens',
  'cacheToldTokens',
  'cost',
  'probes',
  'probesRight',
  'seconds',
  'settings',
  'reason',
  'temperature',
  'trajectory',
  'return',
  'ticks',
  'ticksLate',
  'overrunMs',
  'settleMs',
  'uncontrolled',
  'regret',
] as const satisfies readonly (keyof RunMetrics)[];

/** Figures of a run that are combined so over the runs of a cell. */
function namesOf<How extends string>(...ways: readonly How[]) {
  type Name = {
    [N in keyof typeof OVER_RUNS]: (typeof OVER_RUNS)[N] extends How ? N : never;
  }[keyof typeof OVER_RUNS];
  return Object.keys(OVER_RUNS).filter((name) =>
    (ways as readonly string[]).includes(OVER_RUNS[name as keyof typeof OVER_RUNS]),
  ) as Name[];
}

const COLUMNS = [...new Set([...RELEASED, ...namesOf('sum', 'most')])];

/** Figures with a column for each of their words. */
const COUNTED = [
  ...new Set(['unanswered', 'unread', 'refused', 'waits', 'untimely', ...namesOf('sum by name')] as const),
];

/** Of an agent, likewise. */
const RELEASED_OF_AGENTS = [
  'steps',
  'firstTries',
  'unanswered',
  'unread',
  'refused',
  'standIns',
  'said',
  'promptTokens',
  'replyTokens',
  'cost',
  'probes',
  'probesRight',
  'reward',
  'succeeded',
] as const satisfies readonly (keyof AgentFigures)[];

const AGENT_COLUMNS = [...new Set([...RELEASED_OF_AGENTS, ...AGENT_COUNTS])];

const NOT_PLAYED = 'not-played';

/**
 * With a header line; a field is empty if its figure is not known. If a run has several agents, they have
 * their own columns, `miner:steps`. Runs that were not played follow those that were.
 */
export function csvOf(runs: readonly RunMetrics[], notPlayed: readonly NotPlayedRun[]): string {
  const counted = COUNTED.flatMap((name) =>
    codesOf(runs.map((run) => run[name])).map((code) => ({ name, code })),
  );
  const ofSeveral = runs.flatMap(({ agents }) => (agents.length > 1 ? agents : []));
  const agents = [...new Set(ofSeveral.map(({ agent }) => agent))].toSorted(compareText);
  const heads = [
    ...COLUMNS.map(snakeCase),
    ...counted.map(({ name, code }) => `${name === 'waits' ? 'wait' : name}:${code}`),
    ...agents.flatMap((agent) => AGENT_COLUMNS.map((column) => `${agent}:${snakeCase(column)}`)),
  ];
  const lines = runs.map((run) => [
    ...COLUMNS.map((column) => run[column]),
    // Codes come from logs, and may have the name of a built-in property.
    ...counted.map(({ name, code }) => lookUp(run[name], code) ?? 0),
    ...agents.flatMap((agent) => {
      const figures = run.agents.find((one) => one.agent === agent);
      return AGENT_COLUMNS.map((column) => figures?.[column] ?? null);
    }),
  ]);
  const absent = notPlayed.map((run) => {
    const known: Partial<RunMetrics> = { ...run, run: run.run ?? '' };
    const fields = COLUMNS.map((column) => (column === 'status' ? NOT_PLAYED : (known[column] ?? null)));
    return [...fields, ...heads.slice(COLUMNS.length).map(() => null)];
  });
  return csvLines([heads, ...lines, ...absent]);
}

export function csvLines(lines: readonly (readonly (string | number | null)[])[]): string {
  return lines.map((line) => `${line.map(csvField).join(',')}\r\n`).join('');
}

function codesOf(all: readonly NamedCounts[]): readonly string[] {
  return [...new Set(all.flatMap((counts) => Object.keys(counts)))].toSorted(compareText);
}

/** On one visible line; a text that a spreadsheet would take for a formula gets a leading apostrophe. */
function csvField(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const line = oneLine(value);
  const text = /^[=+\-@]/.test(line) ? `'${line}` : line;
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
