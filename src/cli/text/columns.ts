/** Two columns beside a label, for comparisons: cells are wrapped, with the same columns throughout. */
import { oneLine } from '../../base/text.js';
import { wrapped } from '../../base/wrap.js';
import { pad } from '../terminal/style.js';
import type { Paint } from '../terminal/style.js';

export interface ColumnWidths {
  label: number;
  /** Width of each cell. */
  cell: number;
  /** Width of the whole line. */
  all: number;
  paint: Paint;
}

export function columnsOf(all: number, paint: Paint): ColumnWidths {
  const label = all < 100 ? 18 : 24;
  return { label, cell: Math.max(16, Math.floor((all - label - 5) / 2)), all, paint };
}

/** A line of a cell; `isDim` for a line that only explains the one above. */
export interface CellLine {
  text: string;
  isDim?: boolean;
}

export type TextCell = readonly CellLine[];

/** The row's lines. A label that is too long for its column gets its own line. */
export function twoColumns(
  label: string,
  [a, b]: readonly [a: TextCell, b: TextCell],
  columns: ColumnWidths,
): readonly string[] {
  const { paint, label: width, cell } = columns;
  const isLong = label.length > width;
  const [leftLines, rightLines] = [linesOf(a, cell), linesOf(b, cell)];
  const count = Math.max(leftLines.length, rightLines.length, isLong ? 0 : 1);
  const lines = Array.from({ length: count }, (_, i) => {
    const head = i === 0 && !isLong ? label : '';
    const [left, right] = [painted(leftLines[i], paint), painted(rightLines[i], paint)];
    const gap = ' '.repeat(Math.max(0, cell - (leftLines[i]?.text.length ?? 0)));
    return `${paint('bold', pad(head, width))}  ${left}${gap}  ${right}`.trimEnd();
  });
  return isLong ? [paint('bold', label), ...lines] : lines;
}

function linesOf(cell: TextCell, width: number): readonly CellLine[] {
  return cell.flatMap(({ text, isDim = false }) =>
    wrapped(text, isDim ? width - 2 : width).map((line) => ({ text: isDim ? `  ${line}` : line, isDim })),
  );
}

function painted(line: CellLine | undefined, paint: Paint): string {
  if (line === undefined) return '';
  return line.isDim === true ? paint('dim', line.text) : line.text;
}

/** A JSON value, cut to its beginning. */
export function valueCell(json: string | null): TextCell {
  return [json === null ? { text: '(none)', isDim: true } : { text: oneLine(json, 160) }];
}
