/**
 * Promise 2: a program killed at random instants and at named points, before and after each kind of write, loses no finished step, doubles none,
 * asks for no stored reply again, and ends with the chain of the run that nobody touched. Needs the built package.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.js';
import { callsIn } from '../support/kills.js';
import { orchestrate } from '../support/captured-io.js';
import { play } from '../support/play.js';
import { live } from './lives.js';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';

/** Short ones: sequential and simultaneous, one agent and two, with pictures and with words alone, refused replies and free acts. */
const SCENARIOS = ['brass-key', 'two-keepers', 'door-puzzle', 'car-repair', 'react'] as const;
/** Of one run; then another begins. */
const KILLS_OF_A_LIFE = Math.min(12, sizeOf('kills'));
/** Two lives at a time: a process waits for the disk and the server more than it works. */
const LIVES_AT_ONCE = Math.min(2, Math.ceil(sizeOf('kills') / KILLS_OF_A_LIFE));

const folder = temporaryFolder();

describe('killed again and again', () => {
  it('a run loses nothing, doubles nothing and asks nothing twice that is stored', SIZED, async () => {
    const kills = sizeOf('kills');
    const done = { named: 0, random: 0, lives: 0 };
    const one = async (): Promise<void> => {
      while (done.named + done.random < kills) {
        const number = done.lives;
        done.lives += 1;
        const scenario = `scenarios/${SCENARIOS[number % SCENARIOS.length]}.yaml`;
        const log = join(folder, `life-${number}.sqlite`);
        const whole = await play(scenario);
        const seed = `life-${number}`;
        const life = await live({ scenario, whole, log, seed, kills: KILLS_OF_A_LIFE });
        done.named += life.named;
        done.random += life.random;
        expect(life.faults).toEqual([]);
        expect(life.askedAgain, `stored replies that were asked for again (${seed})`).toEqual([]);
        expect(life.ended.code, life.ended.err).toBe(0);
        const calls = callsIn(log);
        expect(calls.steps).toEqual(whole.sink.steps.map(({ step }) => step));
        expect(calls.answered).toBe(whole.sink.steps.flatMap((step) => step.calls).length);
        expect(life.requests).toBeLessThanOrEqual(calls.answered + life.named + life.random);
        const verified = await orchestrate(['verify', log, '--json']);
        expect(verified.code, verified.out + verified.err).toBe(0);
        expect((await orchestrate(['resume', log, '--json'])).out).toContain(whole.end.chain);
      }
    };
    await Promise.all(Array.from({ length: LIVES_AT_ONCE }, one));
    expect(done.named).toBeGreaterThan(done.random);
    reached(
      '2 kill',
      `${grouped(done.named)} kills at named points and ${grouped(done.random)} at random instants over ${done.lives} runs: nothing lost, doubled or asked again`,
    );
  });
});
