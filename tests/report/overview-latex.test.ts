/** The tables for a paper: what they say, that they hold no markup of anybody's names, and, where LaTeX is there, that they compile and keep to the text. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { overviewLatex } from '../../src/report/overview-latex.js';
import { reportOf } from '../../src/report/report.js';
import type { RunMetrics } from '../../src/report/run-metrics.js';
import { temporaryFolder } from '../support/folder.js';
import { run, seeds } from './figures.js';

const lost: Partial<RunMetrics> = { status: 'failed', reason: 'caught' };
const STRANGE = 'x|y & 50% \\cmd{z} <#1> ~^$';

/** So many of ten won. */
const played = (scenario: string, players: string, won: number, change: Partial<RunMetrics> = {}) => [
  ...seeds(1, won, { scenario, players, ...change }),
  ...seeds(won + 1, 10, { scenario, players, ...change, ...lost }),
];

const two = overviewLatex(
  reportOf([
    ...played('a_b', 'sharp', 9, { cost: 0.004, startedAt: 1 }),
    ...played('a_b', 'dull', 1, { cost: 0.001, startedAt: 2 }),
    ...played('c', 'sharp', 5, { cost: 0.004, startedAt: 1 }),
    ...played('c', 'dull', 5, { cost: 0.001, startedAt: 2 }),
  ]),
);

describe('LaTeX', () => {
  test('is two floats with captions and labels, whose lines all have the same cells', () => {
    expect(
      two.match(/\\begin\{table\}[^]*?\\caption\{[^]*?\\label\{tab:\w+\}[^]*?\\end\{table\}/g),
    ).toHaveLength(2);
    for (const block of two.split('tab:comparison')[0]?.match(/\\toprule[^]*?\\bottomrule/g) ?? []) {
      const rows = block.split('\n').filter((line) => line.endsWith('\\\\') && !line.includes('multicolumn'));
      expect(new Set(rows.map((row) => row.split(/(?<!\\)&/).length)).size).toBe(1);
    }
    expect(two).toContain('of 40 distinct runs played to the end; 0 unfinished, 0 not played.');
    expect(two).toContain("Holm's correction for all tests of the table");
  });

  test('has each share with its interval and no unit, the best in bold, players in their order, and no verdict', () => {
    // Wilson (1927) of 9, 5 and 1 of 10; costs are per run and per success, of 20 runs and 14 or 6.
    // What finds no room goes on in a further block, with the names.
    const [sharp = '', dull = ''] = ['sharp', 'dull'].map((name) =>
      two
        .split('\n')
        .filter((line) => line.startsWith(`${name} &`))
        .join('\n'),
    );
    expect(sharp).toContain(
      'sharp & 0 & \\textbf{90 (60--98; 10p)} & 50$^\\circ$ (24--76; 10p) & \\textbf{70 (',
    );
    expect(dull).toContain('dull & 0 & 10 (2--40; 10p) & 50$^\\circ$ (24--76; 10p) & 30 (');
    expect(sharp).toMatch(/ & 4\.00 & 5\.71 \\\\$/);
    expect(dull).toMatch(/ & \\textbf\{1\.00\} & \\textbf\{3\.33\} \\\\$/);
    expect(two).toContain('cost ($10^{-3}$)');
    expect(two).not.toMatch(/is better|not significant/);
    // The unit is in the heading; only sentences below have it too.
    for (const block of two.split('tab:comparison')[0]?.match(/\\toprule[^]*?\\bottomrule/g) ?? [])
      expect(block).not.toMatch(/\d \\%/);
  });

  test('sets what is of one row apart from what is of the whole table', () => {
    const [, comparison = ''] = two.split('tab:comparison');
    expect(comparison).toContain('{each row alone}');
    expect(comparison).toContain('{all rows}');
    expect(two).toContain('which is below 0.05 exactly if the interval excludes 0.');
  });

  test('never has a row with losses as the best, and tells the losses of every cell', () => {
    // A server that fails: two of fifteen runs are left, both won, cheap and short.
    const survivors = ['a', 'b', 'c'].flatMap((scenario) => [
      ...played(scenario, 'whole', 9, { cost: 0.004, startedAt: 1 }),
      ...played(scenario, 'dear', 1, { cost: 0.009, startedAt: 2 }),
    ]);
    const lossy = { players: 'lossy', cost: 0.001, promptTokens: 10, startedAt: 3 };
    const text = overviewLatex(
      reportOf([
        ...survivors,
        run({ ...lossy, scenario: 'a' }),
        run({ ...lossy, scenario: 'b' }),
        run({ ...lossy, scenario: 'c', status: 'error', cost: 0.006 }),
      ]),
    );
    const line = text.split('\n').find((one) => one.startsWith('lossy &')) ?? '';
    expect(line).not.toContain('textbf');
    expect(line).toContain('100$^\\circ$ (21--100; 1p 9n)');
    expect(line).toContain('-- (0p 1u 9n)');
    // All that was paid, 0.008, by two successes.
    expect(text).toMatch(/lossy [^]*4\.0\$\^\\circ\$ \(2p 1u 27n\) \\\\/);
    expect(text).toContain('; 1 unfinished, 27 not played.');
    expect(text).toContain('lossy: not counted: 27 not played, 1 unfinished');
    // Of the others, the best are still marked.
    expect(text).toMatch(/whole & 0 & \\textbf\{90/);
  });

  test('never has a value of too few runs as the best, nor a mean without an interval', () => {
    const once = { players: 'once', trajectory: 'one way', startedAt: 1 };
    const text = overviewLatex(
      reportOf(
        ['a', 'b'].flatMap((scenario) => [
          ...seeds(1, 10, { ...once, scenario }),
          ...played(scenario, 'sharp', 9, { startedAt: 2 }),
          ...played(scenario, 'dull', 1, { startedAt: 3 }),
        ]),
      ),
    );
    const line = text.split('\n').find((one) => one.startsWith('once &')) ?? '';
    expect(line).toMatch(
      /^once & 0 & 100\$\^\\circ\$ \(1p 9r\) & 100\$\^\\circ\$ \(1p 9r\) & 100\$\^\\circ\$ \(2p 18r\)/,
    );
    // Of the others, the best are marked, and the caption tells why.
    expect(text).toMatch(/\nsharp & 0 & \\textbf\{90 .*\\textbf\{90 .*\\textbf\{90 /);
    expect(text).toContain('are in bold, except those that rest on too few runs ($^\\circ$).');
  });

  test('marks a mean of such values alone, if its own interval is as wide', () => {
    const row = (runs: number, scenarios: readonly string[]): string => {
      const won = (scenario: string) => (scenario === 'a' ? runs * 0.4 : 0);
      const report = reportOf(
        scenarios.flatMap((scenario) => [
          ...seeds(1, won(scenario), { scenario, players: 'sharp' }),
          ...seeds(won(scenario) + 1, runs, { scenario, players: 'sharp', ...lost }),
        ]),
      );
      const [success = ''] = overviewLatex(report).split('tab:comparison');
      return success.match(/^sharp & .*$/gm)?.join(' ') ?? '';
    };
    expect(row(5, ['a', 'b', 'c'])).toMatch(/ & 13\$\^\\circ\$ \(0--47; 15p\) /);
    expect(row(20, ['a', 'b', 'c'])).toMatch(/ & 13 \(/);
    expect(row(5, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])).toMatch(/ & 5 \(/);
  });

  test('breaks what finds no room into blocks, each with the names', () => {
    const scenarios = ['crypt', 'brass-key', 'lever-gate', 'two-keepers', 'watchman', 'three-keys'];
    const text = overviewLatex(
      reportOf(scenarios.flatMap((one) => [...played(one, 'sharp', 9), ...played(one, 'dull', 4)])),
    );
    const blocks =
      (text.split('tab:comparison')[0] ?? '').match(/\\begin\{tabular\}[^]*?\\end\{tabular\}/g) ?? [];
    expect(blocks.length).toBeGreaterThan(1);
    for (const block of blocks) expect(block).toMatch(/\nsharp & [^]*\ndull & |\ndull & [^]*\nsharp & /);
    for (const one of scenarios) expect(text.split(` ${one} `)).toHaveLength(2);
  });

  test('escapes whatever LaTeX reads as markup', () => {
    const text = overviewLatex(reportOf([run({ players: STRANGE })]));
    expect(text).toContain(
      'x$|$y \\& 50\\% \\textbackslash{}cmd\\{z\\} $<$\\#1$>$ \\textasciitilde{}\\textasciicircum{}\\$',
    );
  });

  test.skipIf(spawnSync('pdflatex', ['--version']).status !== 0)(
    'compiles, and keeps to the 345 pt of an article',
    () => {
      const cwd = temporaryFolder();
      const harnesses = 'mcp:claude-code/2.1.0-beta.4 + mcp:codex-mcp-client/0.98.0 + mcp:x_y/1';
      const names = ['Qwen/Qwen3-VL-235B-A22B-Instruct-FP8', harnesses, 'M'.repeat(100), STRANGE];
      const wide = ['crypt', 'brass-key', 'lever_gate', 'two-keepers', 'high-water'].flatMap((scenario) =>
        names.flatMap((name, i) => played(scenario, name, 3 * i)),
      );
      writeFileSync(join(cwd, 'wide.tex'), overviewLatex(reportOf(wide)));
      writeFileSync(join(cwd, 'two.tex'), two);
      const body = '\\input{wide.tex}\\clearpage\\input{two.tex}';
      const packages = '\\usepackage{booktabs,graphicx}';
      writeFileSync(
        join(cwd, 'paper.tex'),
        `\\documentclass{article}${packages}\\begin{document}${body}\\end{document}`,
      );
      expect(spawnSync('pdflatex', ['-interaction=nonstopmode', 'paper.tex'], { cwd }).status).toBe(0);
      expect(readFileSync(join(cwd, 'paper.log'), 'utf8')).not.toMatch(/Overfull|^!|Missing character/m);
    },
  );
});
