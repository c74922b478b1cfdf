/**
 * docs/tutorial/scenario-comparison-data-set.md is played as written: its files, its commands, and what it says that they print.
 * @module-tag long
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const PAGE = readFileSync('docs/tutorial/scenario-comparison-data-set.md', 'utf8');
const cwd = temporaryFolder();
const on = (...args: readonly string[]) => orchestrate(args, { cwd });

/** The first block of the page that has these words in it. */
function block(language: 'yaml' | 'text', words: string): string {
  const blocks = [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))];
  return known(
    blocks.map(([, text = '']) => text).find((text) => text.includes(words)),
    words,
  );
}

/** What the page shows below a command, its lines trimmed. */
function shown(command: string): readonly string[] {
  const [, ...lines] = block('text', `$ ${command}\n`).trimEnd().split('\n');
  return lines.filter((line) => line !== '…').map((line) => line.trim());
}

const lines = (out: string): readonly string[] => out.split('\n').map((line) => line.trim());

it('the tutorial shows what its commands print', async () => {
  writeFileSync(join(cwd, 'store.yaml'), block('yaml', 'title: The Locked Store'));
  writeFileSync(join(cwd, 'compare.yaml'), block('yaml', 'title: Who finds the map?'));

  const checked = await on('check', 'store.yaml');
  expect(lines(checked.out)).toEqual(expect.arrayContaining([...shown('orchestrate check store.yaml')]));

  const run = await on('run', 'store.yaml', '--out', 'run.sqlite');
  expect(lines(run.out)).toEqual(
    expect.arrayContaining([...shown('orchestrate run store.yaml --out run.sqlite')]),
  );

  expect((await on('batch', 'compare.yaml')).code).toBe(0);
  const logs = readdirSync(join(cwd, 'runs/compare'))
    .filter((name) => name.endsWith('.sqlite'))
    .map((name) => join('runs/compare', name));
  const report = await on('report', ...logs);
  // "the random player wins 1 of 20 (5 %, 1 to 24 %)"
  const [, wins = '', low = '', high = ''] = known(
    /wins 1 of 20 \((\d+) %, (\d+) to (\d+) %\)/.exec(PAGE),
    'figures',
  );
  expect(report.out).toContain(`${wins} % (${low}–${high})`);

  const words = ['--format', 'trl', '--outcome', 'succeeded', '--player', 'scripted', '--out', 'data'];
  const exported = await on('export', ...logs, ...words);
  const rows = /\d+ rows of \d+ of \d+ runs/;
  const told = shown(`orchestrate export runs/compare/*.sqlite ${words.join(' ')}`).join('\n');
  expect(rows.exec(exported.out + exported.err)?.[0]).toBe(rows.exec(told)?.[0]);
});
