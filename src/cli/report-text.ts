/** What `report` prints for people: a table for each scenario, what went wrong, and who is better on the same seeds. */
import { counted } from '../base/counted.js';
import type { Cell, Report } from '../report/report.js';
import {
  costWords,
  estimateWords,
  pairingWords,
  shareWords,
  successWords,
  tokensWords,
} from '../report/words.js';
import type { Counts } from '../report/run-figures.js';
import type { Io } from './io.js';
import { duration, fit, pad, painter, wrapped } from './style.js';
import type { Paint } from './style.js';

interface Layout {
  readonly paint: Paint;
  readonly columns: number;
}

export function reportText(report: Report, io: Io): string {
  const layout = { paint: painter(io, io.out), columns: io.out.isTerminal ? io.out.columns : 120 };
  const scenarios = [...new Set(report.cells.map(({ scenario }) => scenario))];
  const sections = scenarios.map((scenario) => section(report, scenario, layout));
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function section(report: Report, scenario: string, layout: Layout): readonly string[] {
  const { paint, columns } = layout;
  const cells = report.cells.filter((cell) => cell.scenario === scenario);
  const pairings = report.pairings.filter((pairing) => pairing.scenario === scenario);
  return [
    paint('bold', fit(scenario, columns)),
    ...table(cells, layout),
    ...cells.flatMap((cell) => wrongLines(cell, layout)),
    ...cells.flatMap((cell) => smallLines(cell, layout)),
    ...pairings.flatMap((pairing) => wrapped(`  ${fit(pairingWords(pairing), 1000)}`, columns)),
  ];
}

interface Column {
  readonly head: string;
  readonly of: (cell: Cell) => string;
}

const COLUMNS: readonly Column[] = [
  { head: 'runs', of: ({ runs, open }) => (open === 0 ? String(runs) : `${runs}+${open}`) },
  { head: 'success (95 %)', of: successWords },
  { head: 'turns to win', of: ({ turns }) => estimateWords(turns) },
  { head: 'first try', of: ({ firstTries, steps }) => shareWords(firstTries, steps) },
  { head: 'repeated', of: ({ repeated, steps }) => shareWords(repeated, steps) },
  { head: 'heard', of: ({ said, unheard }) => (said === 0 ? '–' : `${said - unheard}/${said}`) },
  { head: 'tokens', of: tokensWords },
  { head: 'time', of: ({ seconds }) => duration(seconds * 1000) },
  { head: 'cost/success', of: ({ costPerSuccess }) => costWords(costPerSuccess) },
];

function table(cells: readonly Cell[], { paint, columns }: Layout): readonly string[] {
  const rows = cells.map((cell) => COLUMNS.map(({ of }) => of(cell)));
  const widths = COLUMNS.map(({ head }, i) =>
    Math.max(head.length, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  const fixed = widths.reduce((sum, width) => sum + width + 2, 2);
  const longest = Math.max('players'.length, ...cells.map(({ players }) => fit(players, 1000).length));
  const width = Math.max(12, Math.min(longest, columns - fixed));
  const line = (name: string, values: readonly string[]): string =>
    `  ${pad(fit(name, width), width)}  ${values.map((value, i) => value.padStart(widths[i] ?? 0)).join('  ')}`;
  return [
    paint(
      'dim',
      line(
        'players',
        COLUMNS.map(({ head }) => head),
      ),
    ),
    ...cells.map((cell, i) => line(cell.players, rows[i] ?? [])),
  ];
}

function wrongLines({ players, unread, refused, standIns }: Cell, { columns }: Layout): readonly string[] {
  const parts = [
    ...partOf('not understood', unread),
    ...partOf('refused', refused),
    ...(standIns === 0 ? [] : [`${counted(standIns, 'wait')} stood in`]),
  ];
  return parts.length === 0
    ? []
    : wrapped(`  ${fit(players, 200)}: ${fit(parts.join(' · '), 2000)}`, columns);
}

function partOf(word: string, counts: Counts): readonly string[] {
  const list = Object.entries(counts).map(([code, times]) => `${code} ${times}`);
  return list.length === 0 ? [] : [`${word}: ${list.join(', ')}`];
}

function smallLines(
  { players, runs, open, isTooSmall }: Cell,
  { paint, columns }: Layout,
): readonly string[] {
  const still =
    open === 0
      ? []
      : [`${counted(open, 'run')} came to no end and ${open === 1 ? 'is' : 'are'} left out of success`];
  const few = isTooSmall
    ? [`${counted(runs, 'run')} ${runs === 1 ? 'is' : 'are'} too few to tell how often it succeeds`]
    : [];
  return [...still, ...few].flatMap((words) =>
    wrapped(`  ${fit(players, 200)}: ${words}`, columns).map((line) => paint('yellow', line)),
  );
}
