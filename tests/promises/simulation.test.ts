/**
 * Promise 10: whole runs in one process under one seed, the loop with its client, server, disk and clocks, faults and all: each ends with the
 * chain of the run that nothing disturbed. A failure prints the command that repeats it.
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
    let [sessions, faults] = [0, 0];
    for (const seed of seeds) {
      const one = await simulate(seed);
      sessions += one.sessions;
      faults += one.faults;
      const repeat = `SIMULATION_SEED=${seed} npx vitest run tests/promises/simulation.test.ts`;
      broken.push(...one.broken.map((words) => `${words}; again: ${repeat}`));
      if (broken.length > 4) break;
    }
    expect(broken).toEqual([]);
    if (only === undefined) expect(faults).toBeGreaterThan(seeds.length);
    reached(
      '10 simulation',
      `${grouped(seeds.length)} seeds, ${grouped(sessions)} sessions, ${grouped(faults)} faults: all ended with the undisturbed chain`,
    );
  });
});
