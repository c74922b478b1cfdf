/** Figures and how they are printed: medians, and tables that can be pasted into bench/results/performance.md as they are. */

/** The value at a share of the sorted list; 0 for an empty one. */
export function median(values: readonly number[], share = 0.5): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** A Markdown table, its columns padded; those of figures aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, i) => pad(row[i] ?? '', width, i)).join(' | ')} |`;
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

function pad(text: string, width: number, column: number): string {
  return column === 0 ? text.padEnd(width) : text.padStart(width);
}

/** Microseconds: whole above 10, one decimal below. */
export function microseconds(value: number): string {
  return value >= 10 ? String(Math.round(value)) : value.toFixed(1);
}

export function bytes(value: number | null): string {
  return value === null ? '' : String(Math.round(value));
}
