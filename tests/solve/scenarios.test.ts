/** What the solver finds out about the shipped scenarios, and that what it finds is true. */
import { describe, expect, it } from 'vitest';
import { planWins, solve } from '../../src/solve/solve.js';
import { startOfTurn } from '../../src/solve/position.js';
import { SIZED, someOf } from '../support/sizes.js';
import { puzzle } from './shipped.js';

const EFFORT = 4000;

describe('the shipped scenarios', () => {
  const SHORTEST = [
    ['watchman', 23],
    ['brass-key', 6],
    ['crypt', 20],
    ['one-glance', 5],
    ['two-keepers', 4],
    ['car-repair', 9],
  ] as const;

  it.each(someOf(SHORTEST, 'scenarios'))(
    'find %s winnable in at most %i turns, by acts that win when they are played',
    SIZED,
    async (name, turns) => {
      const { environment, start, options } = await puzzle(`scenarios/${name}.yaml`, EFFORT);
      const { verdict, plan, turn, tried } = solve(environment, start, options);
      expect(verdict).toBe('winnable');
      expect(turn).toBeLessThanOrEqual(turns);
      expect(turn).toBe(plan?.at(-1)?.turn);
      expect(tried).toBeLessThan(EFFORT + 100);
      const first = startOfTurn(environment, options, start);
      if (first.kind !== 'position' || plan === null) throw new Error('a run that begins');
      expect(planWins(environment, options, first.position, plan)).toBe(true);
      expect(planWins(environment, options, first.position, plan.slice(0, -1))).toBe(false);
    },
  );

  it('is sure that the brass key takes six turns', async () => {
    const { environment, start, options } = await puzzle('scenarios/brass-key.yaml', EFFORT);
    expect(solve(environment, start, options)).toMatchObject({ turn: 6, steps: 6, isFewest: true });
  });

  it('gives the same answer every time, and says so where it gives up', async () => {
    const { environment, start, options } = await puzzle('scenarios/crypt.yaml', 300);
    const one = solve(environment, start, options);
    expect(one).toMatchObject({ verdict: 'unknown', plan: null, turn: null });
    expect(solve(environment, start, options)).toEqual(one);
  });
});
