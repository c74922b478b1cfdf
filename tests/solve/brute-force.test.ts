/**
 * The solver against plain trying of everything: on tiny random worlds both say the same, and a plan wins when it is played.
 * @module-tag long
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Action, Args } from '../../src/environment/action.js';
import type { Environment } from '../../src/environment/environment.js';
import { slotsOf } from '../../src/environment/grammar.js';
import { stateHash } from '../../src/environment/state-hash.js';
import { startOfTurn } from '../../src/solve/position.js';
import { planWins, solve } from '../../src/solve/solve.js';
import type { GridCondition, GridDefinition } from '../../src/worlds/grid/definition.js';
import { openGrid } from '../../src/worlds/grid/grid.js';
import type { GridState } from '../../src/worlds/grid/state.js';
import { agent, chest, npc, thing, tinyDefinition } from '../worlds/grid/tiny-world.js';
import { LONG_SIZED, sizeOf } from '../support/sizes.js';

const TURNS = 4;
const RULES = { order: 'sequential', turnsMax: TURNS, freeActs: 2 } as const;

const CONDITIONS: readonly GridCondition[] = [
  { kind: 'holds', agent: 'ada', thing: 'coin' },
  {
    kind: 'all',
    of: [
      { kind: 'holds', agent: 'ada', thing: 'coin' },
      { kind: 'at', agent: 'ada', x: 1, y: 1 },
    ],
  },
  {
    kind: 'all',
    of: [
      { kind: 'holds', agent: 'ada', thing: 'gem' },
      { kind: 'not', of: { kind: 'caught', agent: 'ada' } },
    ],
  },
  { kind: 'thing-inside', thing: 'coin', container: 'box' },
  { kind: 'at', agent: 'ada', x: 4, y: 1 },
  { kind: 'near', agent: 'ada', target: 'box', within: 1 },
  { kind: 'near', agent: 'any', target: 'nan', within: 1 },
  {
    kind: 'all',
    of: [
      { kind: 'near', agent: 'ada', target: 'coin', within: 0 },
      { kind: 'container-is', thing: 'box', state: 'open' },
    ],
  },
];

/** A room of 4 × 3 tiles with some walls; whoever stands in it stands on different tiles. */
const worlds: fc.Arbitrary<GridDefinition> = fc
  .record({
    walls: fc.array(fc.nat(11), { maxLength: 3 }),
    places: fc.uniqueArray(fc.nat(11), { minLength: 4, maxLength: 4 }),
    success: fc.constantFrom(...CONDITIONS),
    isLocked: fc.boolean(),
    every: fc.constantFrom(1, 3),
    movement: fc.constantFrom('tile' as const, 'room' as const),
  })
  .map(({ walls, places, success, isLocked, every, movement }) => {
    const tiles: string[] = Array.from({ length: 12 }, (_, i) =>
      walls.includes(i) && !places.includes(i) ? '#' : '.',
    );
    for (const [i, letter] of ['a', 'c', 'b', 'n'].entries()) tiles[places[i] ?? 0] = letter;
    const rows = [0, 4, 8].map((at) => `#${tiles.slice(at, at + 4).join('')}#`);
    const sprites = { open: 'open', closed: 'closed', locked: 'locked' };
    const container = { state: isLocked ? 'locked' : 'closed', key: 'coin', sprites } as const;
    return tinyDefinition(
      ['######', ...rows, '######'].join('\n'),
      {
        a: agent('ada'),
        c: thing('coin'),
        b: chest('box', { container }),
        n: npc('nan', { behaviour: { kind: 'wander', every }, catches: { reach: 0 } }),
      },
      {
        rules: { movement },
        success,
        more: [thing('gem', { place: { at: 'inside', container: 'box' } })],
        failure: { kind: 'caught', agent: 'ada' },
      },
    );
  });

const VALUES = ['coin', 'gem', 'box', 'nan'];
const WAYS = ['north', 'east', 'south', 'west'];

/** Every argument that could mean anything, offered or not: nothing, one slot, or two. */
function triesFor({ grammar }: Pick<Action<GridState>, 'grammar'>): readonly Args[] {
  const slots = grammar === null ? [] : slotsOf(grammar).map(({ slot }) => slot);
  const single = slots.flatMap((slot): readonly Args[] => {
    if (slot.kind === 'direction') return WAYS.map((value) => ({ [slot.slot]: value }));
    return slot.kind === 'name' ? VALUES.map((value) => ({ [slot.slot]: value })) : [];
  });
  const pairs = single.flatMap((one) => single.map((other) => ({ ...one, ...other })));
  return [{}, ...single, ...pairs.filter((args) => Object.keys(args).length === 2)];
}

const SILENT = new Set(['SPEAK', 'ANNOUNCE', 'GIVE']);

/** The first turn in which success is reached; null where it never is. Layer by layer, states told apart by all that rules may read. */
function bruteForce(environment: Environment<GridState>): number | null {
  let layer: readonly GridState[] = [environment.create('seed')];
  const verbs = environment.actions
    .list()
    .filter(({ name, cost }) => cost === 'turn' && !SILENT.has(name))
    .map((action) => ({ name: action.name, tries: triesFor(action) }));
  for (let turn = 1; turn <= TURNS; turn++) {
    const next = new Map<string, GridState>();
    for (const state of layer) {
      if (environment.outcome(state).status === 'succeeded') return turn;
      for (const { name, tries } of verbs) {
        for (const args of tries) {
          const intent = { agent: 'ada', action: name, args };
          if (environment.check(state, intent) !== undefined) continue;
          const after = environment.advance(state, [intent]).state;
          const { status } = environment.outcome(after);
          if (status === 'succeeded') return turn;
          if (status === 'failed') continue;
          const ended = environment.endTurn(after).state;
          const endStatus = environment.outcome(ended).status;
          if (endStatus === 'succeeded') return turn + 1;
          if (endStatus === 'failed') continue;
          const { speech: _speech, ...parts } = environment.parts(ended);
          next.set(stateHash(parts), ended);
        }
      }
    }
    layer = [...next.values()];
  }
  return null;
}

describe('on tiny worlds', () => {
  it('the solver finds the shortest way that there is, or that there is none', LONG_SIZED, () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(worlds, (definition) => {
        const environment = openGrid(definition);
        const start = { state: environment.create('seed'), turn: 1 };
        const found = solve(environment, start, { ...RULES, effort: 20_000, wantsFewest: true });
        const turn = bruteForce(environment);
        seen.add(found.verdict);
        expect(found.verdict).toBe(turn === null ? 'impossible' : 'winnable');
        expect(found.turn).toBe(turn);
        const isUnattainable = environment.search?.isUnattainable?.(start.state) === true;
        if (turn !== null) expect(isUnattainable).toBe(false);
        seen.add(isUnattainable ? 'unattainable' : 'attainable');
        if (found.plan === null || found.plan.length === 0) return;
        const first = startOfTurn(environment, RULES, start);
        expect(first.kind === 'position' && planWins(environment, RULES, first.position, found.plan)).toBe(
          true,
        );
      }),
      { numRuns: sizeOf('bruteForces'), seed: 11 },
    );
    expect([...seen].sort()).toEqual(['attainable', 'impossible', 'unattainable', 'winnable']);
  });
});
