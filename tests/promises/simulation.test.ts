/**
 * Promise 10: whole runs in one process under one seed, the loop with its client, server, disk and clocks, faults and all: each ends with the
 * chain of the run that nothing disturbed, or, if its log says that requests were lost to the server, of the run that loses just these. A failure prints the command that repeats it.
 */
import { describe, expect, it } from 'vitest';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';
import { simulate } from './simulated-run.js';

describe('the whole system under one seed', () => {
  const only = process.env['SIMULATION_SEED'];

  it('ends as if nothing had failed, whatever fails', SIZED, async () => {
    const seeds =
      only === undefined ? Array.from({ length: sizeOf('simulations') }, (_, i) => i) : [Number(only)];
    const broken: string[] = [];
    let [sessions, faults, losses, whole] = [0, 0, 0, 0];
    for (const seed of seeds) {
      const one = await simulate(seed);
      sessions += one.sessions;
      faults += one.faults;
      losses += one.losses;
      whole += one.losses === 0 ? 1 : 0;
      const repeat = `SIMULATION_SEED=${seed} npx vitest run tests/promises/simulation.test.ts`;
      broken.push(...one.broken.map((words) => `${words}; again: ${repeat}`));
      if (broken.length > 4) break;
    }
    expect(broken).toEqual([]);
    if (only === undefined) {
      expect(faults).toBeGreaterThan(seeds.length);
      // Both kinds are tried: runs that lose nothing, and runs that lose something.
      expect(whole).toBeGreaterThan(0);
      if (seeds.length >= 100) expect(losses).toBeGreaterThan(0);
    }
    reached(
      '10 simulation',
      `${grouped(seeds.length)} seeds, ${grouped(sessions)} sessions, ${grouped(faults)} faults: ${grouped(whole)} ended with the undisturbed chain, the others with that of a run with the same ${grouped(losses)} losses`,
    );
  });
});
