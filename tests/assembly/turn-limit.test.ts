/** `turns.times_best`: a run has a multiple of the turns that the seed's best solution needs, and at most `turns.max`. */
import { describe, expect, it } from 'vitest';
import { openScenario } from '../../src/assembly/open.js';
import { openScenarioFile } from '../../src/scenario/folder.js';
import { runScenario } from '../../src/assembly/run-scenario.js';
import { LIMITS } from '../../src/base/limits.js';
import { winnable } from '../../src/assembly/winnable.js';

const limitOf = async (set: readonly string[], file = 'scenarios/brass-key.yaml') => {
  const { scenario, warnings } = await openScenario(openScenarioFile(file), { set });
  return { max: scenario.turns.max, warned: warnings.map(({ message }) => message) };
};

describe('turns.times_best', () => {
  // The brass key takes six turns: tests/solve/scenarios.test.ts.
  it.each([
    [['turns.times_best=1'], 6],
    [['turns.times_best=3', 'turns.max=60'], 18],
    [['turns.times_best=3', 'turns.max=10'], 10],
  ])('%j gives %i turns', async (set, turns) => {
    expect(await limitOf(set)).toEqual({ max: turns, warned: [] });
  });

  it('differs between the seeds of a generated world as their solutions do', async () => {
    const file = 'examples/train/families/goblet.yaml';
    const limits = new Set<number>();
    for (const seed of ['1', '2', '3', '4', '5', '6']) {
      const opened = await openScenario(openScenarioFile(file), {
        set: ['turns.max=50', 'turns.times_best=2'],
        seed,
      });
      const free = await openScenario(openScenarioFile(file), { set: ['turns.max=50'], seed });
      const best = winnable(free, { effort: LIMITS.searchedSteps, withdrawn: [] })?.turn ?? 0;
      expect(opened.scenario.turns.max).toBe(2 * best);
      limits.add(opened.scenario.turns.max);
    }
    expect(limits.size).toBeGreaterThan(1);
  });

  it('leaves the turns as they are and says so where no solution is found', async () => {
    const { max, warned } = await limitOf(['turns.times_best=2', 'turns.max=5']);
    expect(max).toBe(5);
    expect(warned).toEqual([expect.stringContaining('no solution was found for seed')]);
  });

  // High Water has 12 agents and 250 turns, far too many positions for any search.
  it('searches no seed without end', async () => {
    const { max, warned } = await limitOf(['turns.times_best=2'], 'scenarios/high-water.yaml');
    expect(max).toBe(250);
    expect(warned).toEqual([expect.stringContaining('no solution was found for seed')]);
  });

  it('ends a run', async () => {
    const waits = Array.from({ length: 20 }, () => 'ACTION: WAIT');
    const { end, run } = await runScenario('scenarios/brass-key.yaml', {
      set: ['turns.times_best=1', `agents.0.replies=${JSON.stringify(waits)}`],
    });
    expect(end).toMatchObject({ status: 'failed', turns: 6, reason: 'the 6 turns are over' });
    expect(run.scenario.turns).toMatchObject({ max: 6, timesBest: 1 });
  });
});
