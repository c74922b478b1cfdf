/** What `report --knowledge` prints for people. */
import { wrapped } from '../../base/wrap.js';
import type { KnowingRun } from '../../report/knowledge-totals.js';
import { knowledgeSections } from '../../report/knowledge-sections.js';
import type { KnowledgeSection } from '../../report/knowledge-sections.js';
import type { Io } from '../terminal/io.js';
import { fit, painter } from '../terminal/style.js';
import type { Paint } from '../terminal/style.js';

export function knowledgeText(runs: readonly KnowingRun[], io: Io): string {
  const paint = painter(io, io.out);
  const columns = io.out.isTerminal ? io.out.columns : 120;
  const sections = knowledgeSections(runs).map((section) => sectionLines(section, paint, columns));
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** The title, then each fact with its lines below. */
function sectionLines(
  { title, lead, facts }: KnowledgeSection,
  paint: Paint,
  columns: number,
): readonly string[] {
  const indented = (text: string, indent: string): readonly string[] =>
    wrapped(fit(text, 1000), columns - indent.length).map((words) => `${indent}${words}`);
  return [
    paint('bold', fit(title, columns)),
    ...(lead === '' ? [] : indented(lead, '  ').map((line) => paint('dim', line))),
    ...(facts.length === 0 ? ['  nothing was said, read or found'] : []),
    ...facts.flatMap(({ name, lines }) => [
      ...indented(name, '  '),
      ...lines.flatMap((line) => indented(line, '    ')).map((line) => paint('dim', line)),
    ]),
  ];
}
