/** The program interrupted with Ctrl-C, over a real server: the run goes on to the same end. Kills are in `promises/kill.test.ts`. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answersOf } from '../support/chat-script.js';
import { temporaryFolder } from '../support/folder.js';
import { callsIn, playWithKills } from '../support/kills.js';
import { play } from '../support/play.js';

const folder = temporaryFolder();

it('Ctrl-C leaves a run that goes on to the same end', { tags: ['long'] }, async () => {
  const whole = await play('scenarios/crypt.yaml');
  const log = join(folder, 'interrupted.sqlite');
  const options = {
    scenario: 'scenarios/crypt.yaml',
    log,
    answer: answersOf(whole.sink),
    seed: 'ctrl-c',
  };
  const stopped = await playWithKills({ ...options, kills: 3, signal: 'SIGINT' });
  expect(JSON.parse(stopped.ended.out)).toMatchObject({ chain_hash: whole.end.chain });
  expect(callsIn(log)).toMatchObject({ open: 0, sessions: 4 });
  expect(stopped.requests).toBe(callsIn(log).answered);
});
