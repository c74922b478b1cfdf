/** A project that is begun lies whole in an empty folder, plays and passes its own tests; nothing is ever overwritten. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();

it('begins a project that plays and passes its tests', async () => {
  const { code, out } = await orchestrate(['init', 'My Agents'], { cwd });
  expect(code).toBe(0);
  expect(out).toContain('npm install');
  const project = join(cwd, 'My Agents');
  expect(readdirSync(project).sort()).toEqual([
    'README.md',
    'package.json',
    'play.mjs',
    'scenario.yaml',
    'throw.mjs',
    'throw.test.mjs',
  ]);
  const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as object;
  expect(manifest).toMatchObject({ name: 'my-agents', dependencies: { 'orchestrate-vlm': '^0.1.0' } });
  // As `npm install` would: the built package under its name.
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(process.cwd(), join(project, 'node_modules', 'orchestrate-vlm'));
  const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
  expect(run('play.mjs')).toContain('succeeded: Ben has the ball.');
  expect(existsSync(join(project, 'run.sqlite'))).toBe(true);
  expect(run('--test', 'throw.test.mjs')).toMatch(/fail 0/);
});

it('takes the folder that one is in where it is empty', async () => {
  const empty = join(cwd, 'empty');
  mkdirSync(empty);
  expect((await orchestrate(['init'], { cwd: empty })).code).toBe(0);
  expect(readdirSync(empty)).toContain('scenario.yaml');
});

it('refuses a folder that holds something, and a path that is a file', async () => {
  const full = join(cwd, 'full');
  mkdirSync(full);
  writeFileSync(join(full, 'mine.txt'), 'mine');
  const refused = await orchestrate(['init', 'full'], { cwd });
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.err).toContain('is not empty: it holds mine.txt');
  expect(readdirSync(full)).toEqual(['mine.txt']);
  const file = await orchestrate(['init', 'full/mine.txt'], { cwd });
  expect(file.code).toBe(2);
  expect(readFileSync(join(full, 'mine.txt'), 'utf8')).toBe('mine');
});
