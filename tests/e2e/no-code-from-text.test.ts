/**
 * No way leads from text to code: every command does its work in a Node that refuses `eval`, `new Function` and `__proto__`, our own code and
 * that of every package alike. A scenario, a log or a reply that found such a way would stop the program here.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { runProgram } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';

const nodeOptions = ['--disallow-code-generation-from-strings', '--disable-proto=throw'];
const folder = temporaryFolder();
const log = join(folder, 'run.sqlite');

const on = (args: readonly string[], stdin = '') => runProgram(args, { nodeOptions, stdin });

it('Node refuses code from text under these words', async () => {
  const path = join(folder, 'own.mjs');
  writeFileSync(path, "export const tools = [new Function('return 1')()];\n");
  const { code, err } = await on(['run', 'scenarios/react.yaml', '--modules', path]);
  expect(code).not.toBe(0);
  expect(err).toContain('Code generation from strings disallowed');
});

async function needsNone(_: string, args: readonly string[], words: string): Promise<void> {
  const { out, err } = await on(args);
  expect(err).not.toMatch(/EvalError|internal error|Code generation/);
  expect(out).toContain(words);
}

beforeAll(() => needsNone('', ['run', 'scenarios/brass-key.yaml', '--out', log, '--quiet'], 'succeeded'));

it.each<[string, readonly string[], string]>([
  [
    'run with tools',
    ['run', 'scenarios/react.yaml', '--quiet', '--out', join(folder, 'react.sqlite')],
    'succeeded',
  ],
  ['verify', ['verify', log], 'ok'],
  ['report', ['report', log, '--out', join(folder, 'r.html')], 'success'],
])('%s needs none', needsNone);

it.each<[string, readonly string[], string]>([
  ['check', ['check', 'scenarios/brass-key.yaml', '--plan'], 'can be won'],
  ['preview', ['preview', 'scenarios/crypt.yaml', '--messages'], 'ACTION'],
  ['show', ['show', log], 'succeeded'],
  ['reparse', ['reparse', log], 'all are parsed as before'],
  ['replay', ['replay', log, '--step', '2', '--out', join(folder, 'f.png')], 'f.png'],
  ['fork', ['fork', log, '--at', '5', '--quiet'], 'succeeded'],
  ['diff', ['diff', log], 'share the first'],
])('%s needs none', { tags: ['long'] }, needsNone);

it('parse needs none', async () => {
  const { code, out } = await on(['parse', 'scenarios/crypt.yaml'], 'ACTION: WAIT');
  expect([code, out.includes('WAIT')]).toEqual([0, true]);
});
