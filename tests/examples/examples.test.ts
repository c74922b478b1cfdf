/** The examples run as they stand, with nothing but `node`, and print what their readers are told. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SIZED, someOf } from '../support/sizes.js';

const PRINTED: Readonly<Record<string, readonly string[]>> = {
  'own-action': [
    'The bell is out of reach, 2 east. Use GO TO bell first.',
    'You went 2 tiles.',
    'The bell rings: dong, dong, dong.',
  ],
  'own-environment': [
    'You turned wheel 1 to 4.',
    'You turned wheel 3 to 7.',
    'succeeded: the safe is open',
    '10 promises kept',
  ],
  'agent-loop': [
    '1 You went 5 tiles.',
    '2 You took the brass key.',
    '3 You went north.',
    '4 You unlocked the oak door with the brass key.',
  ],
};

it.each(someOf(Object.entries(PRINTED), 'examples'))('%s', SIZED, (example, lines) => {
  const printed = execFileSync(process.execPath, [`examples/${example}.mjs`], { encoding: 'utf8' });
  const found = printed.trimEnd().split('\n');
  expect(found.slice(0, lines.length)).toEqual(lines);
});

it('the agent loop wins, in about 30 lines', () => {
  const printed = execFileSync(process.execPath, ['examples/agent-loop.mjs'], { encoding: 'utf8' });
  expect(printed.trimEnd()).toMatch(/You took the silver goblet\.$/);
  const lines = readFileSync('examples/agent-loop.mjs', 'utf8').split('\n');
  expect(lines.filter((line) => /^[^/]/.test(line.trim())).length).toBeLessThanOrEqual(38);
});
