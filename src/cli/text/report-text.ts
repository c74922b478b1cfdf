/**
 * What `report` prints for people: a table for each scenario, the problems, and which player is better on the
 * same seeds.
 */
import { wrapped } from '../../base/wrap.js';
import type { ReportCell } from '../../report/report-cell.js';
import { pairingTexts } from '../../report/pairing-text.js';
import type { RunReport } from '../../report/report.js';
import { grouped } from '../../base/grouped.js';
import { textTable } from '../../report/figure-table.js';
import type { FigureTable } from '../../report/figure-table.js';
import { agentsTable, cellsTable, overviewTable } from '../../report/figures.js';
import { pairsTable } from '../../report/pair-table.js';
import { endingTexts, problemNotes, shortfallTexts, waitsLegend } from '../../report/run-notes.js';
import type { Io } from '../terminal/io.js';
import { fit, pad, painter } from '../terminal/style.js';
import type { Paint } from '../terminal/style.js';

/** Most characters of a cell or a sentence: names in logs have any length. */
const CHARACTERS = 4000;

interface ReportLayout {
  paint: Paint;
  columns: number;
}

export function reportText(report: RunReport, io: Io): string {
  const layout = layoutOf(io);
  const scenarios = [...new Set(report.cells.map(({ scenario }) => scenario))];
  const sections = scenarios.map((scenario) => section(report, scenario, layout));
  const all = [...sections, ...overviewSections(report, layout)];
  return `${all.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** A table for each scenario. */
export function tablesText<Total extends { scenario: string }, Row>(
  totals: readonly Total[],
  tableOf: (totals: readonly Total[]) => FigureTable<Row>,
  nothing: string,
  io: Io,
): string {
  const layout = layoutOf(io);
  const sections = grouped(totals, ({ scenario }) => scenario).map((own) => [
    layout.paint('bold', fit(own[0].scenario, layout.columns)),
    ...tableLines(tableOf(own), layout),
  ]);
  return sections.length === 0 ? nothing : `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function layoutOf(io: Io): ReportLayout {
  return { paint: painter(io, io.out), columns: io.out.isTerminal ? io.out.columns : 120 };
}

/** All scenarios in one table if there are several, and the comparisons. */
function overviewSections({ overview }: RunReport, layout: ReportLayout): readonly (readonly string[])[] {
  const { paint } = layout;
  const { scenarios, pairs } = overview;
  return [
    ...(scenarios.length < 2
      ? []
      : [[paint('bold', 'all scenarios'), ...tableLines(overviewTable(overview), layout)]]),
    ...(pairs.length === 0 ? [] : [[paint('bold', 'compared'), ...tableLines(pairsTable(overview), layout)]]),
  ];
}

function section(report: RunReport, scenario: string, layout: ReportLayout): readonly string[] {
  const { paint, columns } = layout;
  const cells = report.cells.filter((cell) => cell.scenario === scenario);
  const agents = agentsTable(cells);
  const isLast = report.cells.at(-1)?.scenario === scenario;
  return [
    paint('bold', fit(scenario, columns)),
    ...tableLines(cellsTable(cells, isLast), layout),
    ...(agents === null ? [] : tableLines(agents, layout)),
    ...cells.flatMap((cell) => problemLines(cell, layout)),
    ...noteLines(waitsLegend(cells), layout),
    ...cells.flatMap((cell) => shortfallLines(cell, layout)),
    ...pairingTexts(report, scenario).flatMap((text) => wrapped(`  ${fit(text, CHARACTERS)}`, columns)),
  ];
}

/** Names of players are wrapped before figures are moved to further lines, but not below this width. */
const NAME_COLUMNS = 24;
/** What stands between two names stays with the first. */
const JOINED = 2;

/** All columns next to the names; columns that don't fit go into a second table below. */
function tableLines<Row>(table: FigureTable<Row>, layout: ReportLayout): readonly string[] {
  const { heads, lines, below } = textTable(table);
  const { paint, columns } = layout;
  const rows = [heads, ...lines].map((row) => row.map((text) => fit(text, CHARACTERS)));
  const values = heads.slice(1).map((_, i) => {
    const texts = rows.map((row) => row[i + 1] ?? '');
    const width = longestOf(texts);
    return texts.map((text) => text.padStart(width));
  });
  const names = rows.map(([name = '']) => name);
  // A word is broken only if it takes more than half of the terminal.
  const longestWord = longestOf(names.flatMap((name) => name.split(' ')));
  const least = Math.max(
    Math.min(longestWord + JOINED, Math.floor(columns / 2)),
    Math.min(NAME_COLUMNS, Math.floor(columns / 3)),
  );
  const width = Math.min(longestOf(names), Math.max(columns - widthOf(values), least));
  const bandLines = bandsOf(values, columns - width).flatMap((band) =>
    names.flatMap((name, row) =>
      wrapped(name, width).map((part, i) => {
        const figures = i === 0 ? band.map((column) => `  ${column[row]}`) : [];
        const line = `  ${pad(part, figures.length === 0 ? 0 : width)}${figures.join('')}`;
        return row === 0 ? paint('dim', line) : line;
      }),
    ),
  );
  return [...bandLines, ...below.flatMap((note) => noteLines(note, layout))];
}

function longestOf(texts: readonly string[]): number {
  return Math.max(...texts.map(({ length }) => length));
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
  const parts = [...ends, ...problemNotes(cell)];
  return parts.length === 0
    ? []
    : wrapped(`  ${fit(`${players}: ${parts.join(' · ')}`, CHARACTERS)}`, columns);
}

function shortfallLines(cell: ReportCell, { paint, columns }: ReportLayout): readonly string[] {
  return shortfallTexts(cell).flatMap((words) =>
    wrapped(`  ${fit(`${cell.players}: ${words}`, CHARACTERS)}`, columns).map((line) =>
      paint('yellow', line),
    ),
  );
}
