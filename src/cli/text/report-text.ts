/**
 * What `report` prints for people: a table for each scenario, the problems, and which player is better on the
 * same seeds; and what `report --questions` prints.
 */
import { amount, whole } from '../../base/counted.js';
import { duration } from '../../base/duration.js';
import type { ReportCell, RunReport } from '../../report/report.js';
import { grouped } from '../../report/grouped.js';
import { questionsTable } from '../../report/questions.js';
import type { QuestionTotals } from '../../report/questions.js';
import { agentsTable } from '../../report/agents-table.js';
import { belowTable, pairsTable, playersLegend, rowsTable } from '../../report/overview-text.js';
import type { TextTable } from '../../report/overview-text.js';
import {
  identicalRunsTexts,
  cachedText,
  costColumn,
  endingTexts,
  estimateText,
  pairingText,
  probeText,
  rowShortfallText,
  ratioText,
  shortfallTexts,
  successText,
  cellTokensText,
  uncontrolledTexts,
  waitsLegend,
  waitTexts,
  discardedTexts,
  problemTexts,
} from '../../report/figure-text.js';
import type { Io } from '../terminal/io.js';
import { fit, pad, painter, wrapped } from '../terminal/style.js';
import type { Paint } from '../terminal/style.js';

interface ReportLayout {
  readonly paint: Paint;
  readonly columns: number;
}

export function reportText(report: RunReport, io: Io): string {
  const layout = layoutOf(io);
  const scenarios = [...new Set(report.cells.map(({ scenario }) => scenario))];
  const sections = scenarios.map((scenario) => section(report, scenario, layout));
  const all = [...sections, ...overviewSections(report, layout)];
  return `${all.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** What `report --questions` prints for people: a table for each scenario. */
export function questionsText(totals: readonly QuestionTotals[], io: Io): string {
  const layout = layoutOf(io);
  const sections = grouped(totals, ({ scenario }) => scenario).map((scenarioTotals) => [
    layout.paint('bold', fit(scenarioTotals[0].scenario, layout.columns)),
    ...textTable(questionsTable(scenarioTotals), layout),
  ]);
  if (sections.length === 0) return 'no questions were asked: a scenario asks them with the key `probes`\n';
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function layoutOf(io: Io): ReportLayout {
  return { paint: painter(io, io.out), columns: io.out.isTerminal ? io.out.columns : 120 };
}

/** All scenarios in one table if there is more than one row or scenario, and the comparisons. */
function overviewSections(
  { overview, cells }: RunReport,
  layout: ReportLayout,
): readonly (readonly string[])[] {
  const { scenarios, shared, rows, pairs } = overview;
  if (scenarios.length < 2 || rows.length === 0) return [];
  const excluded = scenarios.length - shared.length;
  const exclusionNote =
    excluded === 0
      ? []
      : [
          `  ${amount(excluded, 'scenario')} not played in every row ${excluded === 1 ? 'is' : 'are'} excluded from the mean`,
        ];
  const fewer = rows.flatMap(({ players }) => shortfallLines(players, cells, layout));
  const lines = [...textTable(rowsTable(overview), layout), ...exclusionNote, ...fewer];
  const all = [layout.paint('bold', 'all scenarios'), ...lines];
  if (pairs.length === 0) return [all];
  return [all, [layout.paint('bold', 'compared'), ...textTable(pairsTable(overview), layout)]];
}

function shortfallLines(
  players: string,
  cells: readonly ReportCell[],
  { columns }: ReportLayout,
): readonly string[] {
  const shortfall = rowShortfallText(cells.filter((cell) => cell.players === players));
  return shortfall === '' ? [] : wrapped(`  ${fit(players, 200)}: ${shortfall}`, columns);
}

function section(report: RunReport, scenario: string, layout: ReportLayout): readonly string[] {
  const { paint, columns } = layout;
  const cells = report.cells.filter((cell) => cell.scenario === scenario);
  const pairings = report.pairings.filter((pairing) => pairing.scenario === scenario);
  // With several scenarios, the table over all of them has it.
  const isOnly = cells.length === report.cells.length;
  const legend = isOnly ? { legend: playersLegend(cells.some(({ cost }) => cost > 0)) } : {};
  return [
    paint('bold', fit(scenario, columns)),
    ...textTable({ ...cellsTable(cells), ...legend }, layout),
    ...agentLines(cells, layout),
    ...cells.flatMap((cell) => problemLines(cell, layout)),
    ...noteLines(waitsLegend(cells), layout),
    ...cells.flatMap((cell) => sampleSizeLines(cell, layout)),
    ...pairings.flatMap((pairing) => wrapped(`  ${fit(pairingText(pairing), 1000)}`, columns)),
  ];
}

function agentLines(cells: readonly ReportCell[], layout: ReportLayout): readonly string[] {
  const agents = agentsTable(cells);
  return agents === null ? [] : textTable(agents, layout);
}

interface ReportColumn {
  readonly head: string;
  readonly of: (cell: ReportCell) => string;
}

const COLUMNS: readonly ReportColumn[] = [
  { head: 'T', of: ({ temperature }) => (temperature === '' ? '–' : temperature) },
  { head: 'runs', of: ({ runs, open }) => (open === 0 ? whole(runs) : `${whole(runs)}+${open}`) },
  { head: 'success (95 %)', of: successText },
  { head: 'turns to win', of: ({ turns }) => estimateText(turns) },
  { head: 'first try', of: ({ firstTries, steps }) => ratioText(firstTries, steps) },
  { head: 'repeated', of: ({ repeated, steps }) => ratioText(repeated, steps) },
  {
    head: 'heard',
    of: ({ said, unheard }) => (said === 0 ? '–' : `${whole(said - unheard)}/${whole(said)}`),
  },
  { head: 'tokens', of: cellTokensText },
  { head: 'cached', of: cachedText },
  { head: 'time', of: ({ seconds }) => duration(seconds * 1000) },
];

/** All lines have the same number of decimals. */
const COST = { head: 'cost/success' } as const;

/** Only if something is rewarded. */
const RETURN: ReportColumn = { head: 'return (95 %)', of: (cell) => estimateText(cell.return) };

/** Only if a run was served. */
const LATE: ReportColumn = {
  head: 'late ticks',
  of: ({ ticks, ticksLate }) => (ticks === 0 ? '–' : ratioText(ticksLate, ticks)),
};

/** Only if an agent was asked a question. */
const PROBES: ReportColumn = { head: 'questions right (95 %)', of: probeText };

/** Players' names are cut before anything else is moved to further lines, but not below this width. */
const NAME_COLUMNS = 24;

function cellsTable(cells: readonly ReportCell[]): TextTable {
  const costs = costColumn(cells.map(({ costPerSuccess }) => costPerSuccess));
  const paid = cells.some((cell) => cell.return !== null) ? [RETURN] : [];
  const late = cells.some((cell) => cell.ticks > 0) ? [LATE] : [];
  const probes = [...paid, ...late, ...(cells.some((cell) => cell.probes > 0) ? [PROBES] : [])];
  return {
    heads: ['players', ...[...COLUMNS, COST, ...probes].map(({ head }) => head)],
    lines: cells.map((cell, i) => [
      cell.players,
      ...COLUMNS.map(({ of }) => of(cell)),
      costs[i] ?? '',
      ...probes.map(({ of }) => of(cell)),
    ]),
  };
}

/** All columns next to the names; columns that don't fit go into a second table below. */
function textTable(table: TextTable, layout: ReportLayout): readonly string[] {
  const { heads, lines } = table;
  const { paint, columns } = layout;
  const rows = [heads, ...lines];
  const values = heads.slice(1).map((_, i) => {
    const texts = rows.map((row) => fit(row[i + 1] ?? '', 1000));
    const width = Math.max(...texts.map(({ length }) => length));
    return texts.map((text) => text.padStart(width));
  });
  const names = rows.map(([name = '']) => fit(name, 1000));
  const longest = Math.max(...names.map(({ length }) => length));
  const freeColumns = columns - widthOf(values);
  const nameColumns = Math.max(freeColumns, Math.min(NAME_COLUMNS, Math.floor(columns / 3)));
  // Names that can't be distinguished any more would be useless.
  const areDistinct = new Set(names.map((name) => fit(name, nameColumns))).size === new Set(names).size;
  const width = Math.min(longest, areDistinct ? nameColumns : Math.floor((2 * columns) / 3));
  const bandLines = bandsOf(values, columns - width).flatMap((band) =>
    names.map((name, row) => {
      const line = `  ${pad(fit(name, width), width)}${band.map((column) => `  ${column[row]}`).join('')}`;
      return row === 0 ? paint('dim', line) : line;
    }),
  );
  return [...bandLines, ...belowTable(table).flatMap((note) => noteLines(note, layout))];
}

/** An explanation; nothing for ''. */
function noteLines(note: string, { paint, columns }: ReportLayout): readonly string[] {
  return note === '' ? [] : wrapped(`  ${note}`, columns).map((line) => paint('dim', line));
}

/** A heading and its values, all padded to one width. */
type TextRow = readonly string[];

/** Including the gap before each column and the margin. */
function widthOf(values: readonly TextRow[]): number {
  return values.reduce((sum, [head = '']) => sum + head.length + 2, 2);
}

/** As many columns next to each other as fit; at least one. */
function bandsOf(values: readonly TextRow[], maxColumns: number): readonly (readonly TextRow[])[] {
  const bands: TextRow[][] = [[]];
  for (const column of values) {
    const last = bands.at(-1) ?? [];
    if (last.length === 0 || widthOf([...last, column]) <= maxColumns) last.push(column);
    else bands.push([column]);
  }
  return bands;
}

const MAX_ENDINGS = 5;

function problemLines(cell: ReportCell, { columns }: ReportLayout): readonly string[] {
  const { players } = cell;
  const isAlwaysWon = cell.open === 0 && (cell.success === null || cell.success.share === 1);
  const ends = isAlwaysWon ? [] : [`ends: ${endingTexts(cell, MAX_ENDINGS).join(', ')}`];
  const problems = [...problemTexts(cell), ...waitTexts(cell), ...uncontrolledTexts(cell)];
  const parts = [...ends, ...problems, ...discardedTexts(cell), ...identicalRunsTexts(cell)];
  return parts.length === 0
    ? []
    : wrapped(`  ${fit(players, 200)}: ${fit(parts.join(' · '), 2000)}`, columns);
}

function sampleSizeLines(cell: ReportCell, { paint, columns }: ReportLayout): readonly string[] {
  const { players, runs, isTooSmall } = cell;
  const few = isTooSmall
    ? [`${amount(runs, 'run')} ${runs === 1 ? 'is' : 'are'} too few for a reliable success rate`]
    : [];
  return [...shortfallTexts(cell), ...few].flatMap((words) =>
    wrapped(`  ${fit(players, 200)}: ${words}`, columns).map((line) => paint('yellow', line)),
  );
}
