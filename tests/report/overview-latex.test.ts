/** The tables for a paper: what they say, that they hold no markup of anybody's names, and, where LaTeX is there, that they compile and keep to the text. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { overviewLatex } from '../../src/report/overview-latex.js';
import { overviewOf } from '../../src/report/overview.js';
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
  overviewOf([
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
    for (const block of two.match(/\\toprule[^]*?\\bottomrule/g) ?? []) {
      const rows = block.split('\n').filter((line) => line.endsWith('\\\\') && !line.includes('multicolumn'));
      expect(new Set(rows.map((row) => row.split(/(?<!\\)&/).length)).size).toBe(1);
    }
    expect(two).toContain('Success in \\%, 10 seeds per cell, with 95\\,\\% Wilson intervals.');
    expect(two).toContain("Holm's correction for 1 comparison");
  });

  test('has each share with its interval and no unit, the best in bold, players in their order, and no verdict', () => {
    // Wilson (1927) of 9, 5 and 1 of 10; costs are per run and per success, of 20 runs and 14 or 6.
    const [sharp = '', dull = ''] = two.split('\n').filter((line) => /^(?:sharp|dull) &/.test(line));
    expect(sharp).toContain('sharp & 0 & \\textbf{90 (60--98)} & 50 (24--76) & \\textbf{70 (');
    expect(dull).toContain('dull & 0 & 10 (2--40) & 50 (24--76) & 30 (');
    expect(sharp).toMatch(/ & 4\.00 & 5\.71 \\\\$/);
    expect(dull).toMatch(/ & \\textbf\{1\.00\} & \\textbf\{3\.33\} \\\\$/);
    expect(two).toContain('cost ($10^{-3}$)');
    expect(two).not.toMatch(/better|significant|\d \\%/);
  });

  test('breaks what finds no room into blocks, each with the names', () => {
    const scenarios = ['crypt', 'brass-key', 'lever-gate', 'two-keepers', 'watchman', 'three-keys'];
    const text = overviewLatex(
      overviewOf(scenarios.flatMap((one) => [...played(one, 'sharp', 9), ...played(one, 'dull', 4)])),
    );
    const blocks =
      (text.split('tab:comparison')[0] ?? '').match(/\\begin\{tabular\}[^]*?\\end\{tabular\}/g) ?? [];
    expect(blocks.length).toBeGreaterThan(1);
    for (const block of blocks) expect(block).toMatch(/\nsharp & [^]*\ndull & |\ndull & [^]*\nsharp & /);
    for (const one of scenarios) expect(text.split(` ${one} `)).toHaveLength(2);
  });

  test('escapes whatever LaTeX reads as markup', () => {
    const text = overviewLatex(overviewOf([run({ players: STRANGE })]));
    expect(text).toContain(
      'x$|$y \\& 50\\% \\textbackslash{}cmd\\{z\\} $<$\\#1$>$ \\textasciitilde{}\\textasciicircum{}\\$',
    );
  });

  test.skipIf(spawnSync('pdflatex', ['--version']).status !== 0)(
    'compiles, and keeps to the 345 pt of an article',
    () => {
      const cwd = temporaryFolder();
      const names = ['Qwen/Qwen3-VL-235B-A22B-Instruct-FP8', 'google/gemma_3-27b', STRANGE];
      const wide = ['crypt', 'brass-key', 'lever_gate', 'two-keepers', 'high-water'].flatMap((scenario) =>
        names.flatMap((name, i) => played(scenario, name, 3 * i)),
      );
      writeFileSync(join(cwd, 'wide.tex'), overviewLatex(overviewOf(wide)));
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
