/** A win by knowledge is told from a lucky guess: in worlds that look alike the same is done until something tells them apart. */
import { describe, expect, it } from 'vitest';
import type { Environment } from '../../src/environment/environment.js';
import { solveKnowing } from '../../src/solve/knowing.js';
import { solve } from '../../src/solve/solve.js';
import { puzzle } from './shipped.js';

/** One agent before two levers; `sign` is what stands on the board, `wrong` what the red one ends. */
const levers = (sign: string, wrong: string): string => `
title: Two levers
seed: 1
map: |
  ########
  #.a..#.#
  #M...g.#
  #.b.s#.#
  ########
legend:
  M: { agent: miner }
  a: { thing: red-lever }
  b: { thing: green-lever }
  s: { thing: board }
  g: { door: gate }
rooms:
  hall: { name: hall, area: [1, 1, 4, 3] }
  vault: { name: vault, area: [6, 1, 1, 3] }
doors:
  gate: { name: gate, kind: gate, state: locked }
things:
  red-lever: { kind: lever, name: red lever, work: { done: 'Dust falls.', becomes: { name: broken red lever, sprite: furniture/lever-on } } }
  green-lever: { kind: lever, name: green lever, work: { done: 'The gate opens.', opens: gate } }
  board: { kind: sign, name: board, text: '${sign}' }
agents: [{ id: miner, name: miner, goals: [Go into the vault.] }]
success: { agent: miner, in_room: vault }
${wrong}
turns: { max: 12 }
`;
const FATAL = 'failure: { thing: red-lever, is: worked }';

const twinsOf = (environment: Environment<unknown>) => environment.search?.indistinguishableWorlds?.() ?? [];

async function found(text: string, withdrawn: readonly string[] = []) {
  const { environment, options } = await puzzle(text, 4000);
  const twins = twinsOf(environment);
  return solveKnowing(environment, twins, { ...options, seed: '1', withdrawn });
}

describe('a win by knowledge', () => {
  it('is found where something tells which is right, and the plan reads it first', async () => {
    const { verdict, plan } = await found(levers('Pull the green lever.', FATAL));
    expect(verdict).toBe('winnable');
    const acts = (plan ?? []).map(({ intent }) => intent.action);
    expect(acts.indexOf('READ')).toBeGreaterThanOrEqual(0);
    expect(acts.indexOf('READ')).toBeLessThan(acts.indexOf('USE'));
  });

  it.each([
    ['nothing tells', levers('Mind the step.', FATAL), []],
    ['what tells may not be read', levers('Pull the green lever.', FATAL), ['READ']],
  ])('is none where %s, though a guess wins', async (_why, text, withdrawn) => {
    expect((await found(text, withdrawn)).verdict).toBe('impossible');
    const { environment, start, options } = await puzzle(text, 4000);
    expect(solve(environment, start, { ...options, withdrawn }).verdict).toBe('winnable');
  });

  it('may come of trying where a wrong lever does no harm', async () => {
    expect((await found(levers('Mind the step.', ''))).verdict).toBe('winnable');
  });

  it('says so where it gives up', async () => {
    const { environment, options } = await puzzle('tests/fixtures/scenarios/levers-alike.yaml', 50);
    const twins = twinsOf(environment);
    const given = { ...options, seed: '3', withdrawn: ['SPEAK', 'ANNOUNCE'] };
    expect(solveKnowing(environment, twins, given).verdict).toBe('unknown');
  });
});

describe('twins', () => {
  it('look alike at the start to every agent, and tell another way when read', async () => {
    const { environment } = await puzzle('tests/fixtures/scenarios/levers-alike.yaml', 0);
    const twins = twinsOf(environment);
    expect(twins).toHaveLength(2);
    const told = [environment, ...twins].map((world) => {
      const state = world.create('3');
      for (const agent of world.agents) {
        expect(world.observe(state, agent)).toEqual(environment.observe(environment.create('3'), agent));
      }
      const act = { agent: 'monk', action: 'READ', args: { thing: 'inscription' } };
      const [result] = world.advance(state, [act]).results;
      return result?.ok === true ? result.message : '';
    });
    expect(told.map((text) => /Only the (\w+) lever/.exec(text)?.[1])).toEqual(['green', 'blue', 'red']);
  });

  it('are none where no two things look alike', async () => {
    const { environment } = await puzzle('scenarios/crypt.yaml', 0);
    expect(twinsOf(environment)).toEqual([]);
  });
});
