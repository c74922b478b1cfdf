/** Players' names, however long: whole in every form of a report, because a name that is cut can be anybody's. */
import { expect, it } from 'vitest';
import { reportText } from '../../src/cli/text/report-text.js';
import { csvOf } from '../../src/report/csv.js';
import { overviewLatex } from '../../src/report/overview-latex.js';
import { overviewMarkdown } from '../../src/report/overview-markdown.js';
import { reportOf } from '../../src/report/report.js';
import { capturedIo } from '../support/captured-io.js';
import { seeds } from './figures.js';

const NAMES = [
  'mcp:claude-code/2.1.0-beta.4 + mcp:codex-mcp-client/0.98.0',
  // Differs from the one before at its end alone.
  'mcp:claude-code/2.1.0-beta.4 + mcp:codex-mcp-client/0.99.0',
  // As long as a controller's name may be, without a place to break it.
  `${'x'.repeat(199)}1`,
  `${'x'.repeat(199)}2`,
];

const reported = (names: readonly string[]) =>
  reportOf(
    ['crypt', 'watchman'].flatMap((scenario) =>
      names.flatMap((players, startedAt) => [
        ...seeds(1, 2 + startedAt, { scenario, players, startedAt }),
        ...seeds(3 + startedAt, 10, { scenario, players, startedAt, status: 'failed', reason: 'caught' }),
      ]),
    ),
  );

const squeezed = (text: string): string => text.replace(/\s/g, '');

it.each([
  [80, 'of one row', NAMES.slice(0, 1)],
  [80, 'of several', NAMES],
  [120, 'of one row', NAMES.slice(0, 1)],
  [120, 'of several', NAMES],
])('stand whole in each table of a terminal of %i columns, %s', (columns, _which, names) => {
  const { io } = capturedIo({ isTerminal: true, columns, env: { NO_COLOR: '1' } });
  const lines = reportText(reported(names), io).split('\n');
  expect(lines.filter(({ length }) => length > columns)).toEqual([]);
  // The first column of every table, as it reads from top to bottom.
  const column = squeezed(lines.map((line) => line.slice(2).split(/ {2,}/)[0]).join(''));
  const tables = lines.filter((line) => line.startsWith('  players  '));
  expect(tables.length).toBeGreaterThan(2);
  expect(column.split(squeezed(`players${names.join('')}`))).toHaveLength(tables.length + 1);
  for (const [i, one] of names.entries())
    for (const other of names.slice(i + 1)) expect(column).toContain(squeezed(`success: ${one} − ${other}`));
  // What went wrong is told of somebody.
  for (const name of names) expect(squeezed(lines.join(''))).toContain(squeezed(`${name}: ends: `));
});

it('stand whole in Markdown, CSV and LaTeX, in no line longer than the text is wide', () => {
  const report = reported(NAMES);
  const latex = overviewLatex(report);
  const names = latex.match(/^[^&\n]+(?= & )/gm) ?? [];
  const linesOf = (name: string): readonly string[] =>
    name.replace('\\begin{tabular}[t]{@{}l@{}}', '').replace('\\end{tabular}', '').split(' \\\\ ');
  const widest = Math.max(...names.flatMap(linesOf).map(({ length }) => length));
  expect(widest).toBeLessThanOrEqual(84 + '$$'.length);
  const whole = new Set(names.map((name) => squeezed(linesOf(name).join(''))));
  for (const name of NAMES) {
    expect(overviewMarkdown(report)).toContain(`| ${name} |`);
    expect(csvOf(report.runs, [])).toContain(`,${name},`);
    expect(whole).toContain(squeezed(name));
  }
});
