/**
 * The program killed at random instants, and interrupted with Ctrl-C, over a real server: each run ends as the one that nobody touched, no
 * stored reply is asked for again, nothing is lost or doubled.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answersOf } from '../support/chat-script.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { callsIn, playWithKills } from '../support/kills.js';
import { play } from '../support/play.js';
import { SIZED, sizeOf, someOf } from '../support/sizes.js';

const folder = temporaryFolder();
const KILLS = sizeOf('resumeKills');
const SCENARIOS = someOf(['react', 'crypt', 'car-repair', 'lost-ring'], 'cutOffs');

describe.each(SCENARIOS)('%s on a model, killed again and again', (name) => {
  it('ends with the chain of the embedded run, and asks nothing twice that is stored', SIZED, async () => {
    const scenario = `scenarios/${name}.yaml`;
    const whole = await play(scenario);
    const answer = answersOf(whole.sink);
    let struck = 0;
    for (let round = 0; struck < Math.ceil(KILLS / SCENARIOS.length) && round <= KILLS; round++) {
      const log = join(folder, `${name}-${round}.sqlite`);
      const kills = Math.ceil(KILLS / SCENARIOS.length) - struck;
      const killed = await playWithKills({ scenario, log, answer, kills, seed: `${name}-${round}` });
      struck += killed.kills;
      const document = JSON.parse(killed.ended.out) as { readonly chain_hash: string };
      expect(document.chain_hash, killed.ended.err).toBe(whole.end.chain);
      const calls = callsIn(log);
      expect(calls.steps).toEqual(whole.sink.steps.map(({ step }) => step));
      expect(calls.answered).toBe(whole.sink.steps.flatMap((step) => step.calls).length);
      expect(calls.open).toBeLessThanOrEqual(killed.kills);
      expect(killed.requests).toBeLessThanOrEqual(calls.answered + killed.kills);
      const verified = await orchestrate(['verify', log]);
      expect(verified.code, verified.out + verified.err).toBe(0);
    }
    expect(struck).toBe(Math.ceil(KILLS / SCENARIOS.length));
  });
});

describe('Ctrl-C', () => {
  it('leaves a run that goes on to the same end', { tags: ['long'] }, async () => {
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
});
