/**
 * The closed loop of examples/train from teachers to tables, on its tiny plan: too little to learn from, but each step of it is the real one, TRL
 * and vLLM among them. Only in a soak: it needs Python 3.11 and, the first time, some minutes to install 6 GB of packages.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, runProgram } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { isSoak, SIZED, reached } from '../support/sizes.js';

const PLAYS = [
  'oracle',
  'untrained',
  'trained-1',
  'trained-1-grey',
  'blind-grey',
  'half',
  'preferred',
  'random',
];

it.runIf(isSoak)('is played to its end, and then again without doing anything twice', SIZED, async () => {
  const out = join(temporaryFolder(), 'loop');
  const loop = () =>
    runProgram(['--quick', '--out', out], {
      program: join(ROOT, 'examples/train/loop.mjs'),
      env: process.env as Readonly<Record<string, string>>,
    });
  const began = Date.now();
  const first = await loop();
  const minutes = (Date.now() - began) / 60_000;
  expect(`${first.code} ${first.code === 0 ? '' : first.err.slice(-2000)}`).toBe('0 ');
  for (const play of PLAYS) {
    expect(first.out).toMatch(new RegExp(`^\\| ${play} \\|`, 'm'));
    const [log = ''] = readdirSync(join(out, `play-${play}`)).filter((name) => name.endsWith('.sqlite'));
    expect((await runProgram(['verify', join(out, `play-${play}`, log)])).code).toBe(0);
  }
  for (const page of ['report.html', 'view.html']) expect(existsSync(join(out, page))).toBe(true);
  const again = await loop();
  expect(again.code).toBe(0);
  expect(again.out).not.toMatch(/^\$ (?:python|orchestrate (?:batch|export|branch))/m);
  reached('the closed loop', `its tiny plan in ${minutes.toFixed(1)} min`);
});
