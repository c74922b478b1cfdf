/**
 * The tables over all scenarios as Markdown. Names come from scenarios and servers, so markup in them is
 * escaped.
 */
import { oneLine } from '../base/text.js';
import { provenanceTexts } from '../log/provenance.js';
import { textTable } from './figure-table.js';
import type { TextTable } from './figure-table.js';
import { overviewTable } from './figures.js';
import { pairsTable } from './pair-table.js';
import type { RunReport } from './report.js';

export function overviewMarkdown(report: RunReport): string {
  const { overview } = report;
  const tables = [
    textTable(overviewTable(overview)),
    ...(overview.pairs.length === 0 ? [] : [textTable(pairsTable(overview))]),
  ];
  const parts = [...tables.map(markdownTable), ...provenanceTexts(report).map(markdownCell)];
  return `${parts.join('\n\n')}\n`;
}

export function markdownTable({ heads, isText, lines, below }: TextTable): string {
  const row = (cells: readonly string[]): string => `| ${cells.map(markdownCell).join(' | ')} |`;
  const rule = isText.map((isLeft) => (isLeft ? '---' : '--:'));
  const notes = below.flatMap((note) => ['', markdownCell(note)]);
  return [row(heads), `| ${rule.join(' | ')} |`, ...lines.map(row), ...notes].join('\n');
}

/**
 * Escapes markup within a line: `<` only where a tag or an address might begin, `_` only at the edge of a
 * word.
 */
function markdownCell(text: string): string {
  return oneLine(text).replace(
    /[\\`*[\]|~]|<(?=[\p{L}/!?])|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu,
    (mark) => `\\${mark}`,
  );
}
