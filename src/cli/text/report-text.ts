/**
 * What `report` prints for people: a table for each scenario, the problems, and which player is better on the
 * same seeds; and what `report --questions` prints.
 */
import type { ReportCell } from '../../report/report-cell.js';
import { pairingTexts } from '../../report/pairing-text.js';
import type { RunReport } from '../../report/report.js';
import { grouped } from '../../report/grouped.js';
import { questionsTable } from '../../report/questions.js';
import type { QuestionTotals } from '../../report/questions.js';
import { agentsTable } from '../../report/agents-table.js';
import { cellsTable } from '../../report/cells-table.js';
import { belowTable, pairsTable, rowsTable } from '../../report/overview-text.js';
import type { TextTable } from '../../report/overview-text.js';
import {
  identicalRunsTexts,
  endingTexts,
  shortfallTexts,
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
  const { paint, columns } = layout;
  const { cells: allCells, overview } = report;
  const sections = [...new Set(allCells.map((cell) => cell.scenario))].map((scenario) => {
    const cells = allCells.filter((cell) => cell.scenario === scenario);
    const agents = agentsTable(cells);
    return [
      paint('bold', fit(scenario, columns)),
      ...textTable(cellsTable(cells, allCells.at(-1)?.scenario === scenario), layout),
      ...(agents === null ? [] : textTable(agents, layout)),
      ...cells.flatMap((cell) => problemLines(cell, layout)),
      ...noteLines(waitsLegend(cells), layout),
      ...cells.flatMap((cell) => shortfallLines(cell, layout)),
      ...pairingTexts(report, scenario).flatMap((text) => wrapped(`  ${fit(text, 1000)}`, columns)),
    ];
  });
  // All scenarios in one table if there are several, and the comparisons.
  if (overview.scenarios.length > 1)
    sections.push([paint('bold', 'all scenarios'), ...textTable(rowsTable(overview), layout)]);
  if (overview.pairs.length > 0)
    sections.push([paint('bold', 'compared'), ...textTable(pairsTable(overview), layout)]);
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
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

/** Players' names are cut before anything else is moved to further lines, but not below this width. */
const NAME_COLUMNS = 24;

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

function shortfallLines(cell: ReportCell, { paint, columns }: ReportLayout): readonly string[] {
  return shortfallTexts(cell).flatMap((words) =>
    wrapped(`  ${fit(cell.players, 200)}: ${words}`, columns).map((line) => paint('yellow', line)),
  );
}
