/** A word that is none of a closed list is answered with the one that was meant, by every option that takes one. */
import { expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
const CRYPT = `${process.cwd()}/scenarios/crypt.yaml`;

it.each([
  [['preview', CRYPT, '--agent', 'wizrd'], 'wizard'],
  [['parse', CRYPT, '--agent', 'wizrd'], 'wizard'],
  [['run', CRYPT, '--human', 'wizrd'], 'wizard'],
  [['preview', CRYPT, '--protocol', 'jsno'], 'json'],
  [['preview', CRYPT, '--messages', '--guided', 'requir'], 'require'],
  [['check', CRYPT, '--without', 'SPEEK'], 'SPEAK'],
  [['export', 'run.sqlite', '--out', 'x', '--format', 'jsonl', '--outcome', 'succeded'], 'succeeded'],
])('%j', async (args, meant) => {
  const { code, err } = await orchestrate(args, { cwd: folder, stdin: 'ACTION: WAIT' });
  expect(code).toBe(2);
  expect(err).toContain(`hint: did you mean ${meant}?`);
});

it('all are listed where none is like it', async () => {
  const { err } = await orchestrate(['preview', CRYPT, '--agent', 'zebra'], { cwd: folder });
  expect(err).toContain('hint: its agents: wizard, blacksmith, knight');
});
