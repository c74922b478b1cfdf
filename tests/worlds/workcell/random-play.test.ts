/**
 * Random play in both orders, every state through JSON: whatever is done, each item is in exactly one place, what is offered is accepted,
 * and a step's hashes change only with what it changed.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at } from '../../../src/base/assert.js';
import { canonicalJson } from '../../../src/base/canonical.js';
import type { Args, Intent } from '../../../src/environment/action.js';
import { nounsFor } from '../../../src/binding/nouns.js';
import type { WorkcellState } from '../../../src/worlds/workcell/state.js';
import { mixedCopy } from '../../support/key-order.js';
import { Game, cell, robot, throughJson } from './cell.js';
import { SIZED, sizeOf } from '../../support/sizes.js';

const anyNumbers = fc.array(fc.nat(100_000), { minLength: 30, maxLength: 120 });

/** The items by where they are: each must be there once. */
function whereabouts({ places, shelf, burnt, robots }: WorkcellState): readonly string[] {
  const all = [
    ...Object.values(places),
    ...shelf,
    ...burnt,
    ...Object.values(robots).map(({ holds }) => holds),
  ];
  return all.filter((id) => id !== null).toSorted();
}

function intentOf({ environment, state }: Game, agent: string, number: number): Intent {
  const { offered, nouns } = environment.observe(state, agent);
  const offer = at(offered, number % offered.length);
  const args: Record<string, Args[string]> = {};
  for (const [slot, values] of Object.entries(offer.slots)) {
    const spoken = values[number % Math.max(1, values.length)] ?? 'words';
    args[slot] = nounsFor(spoken, nouns)[0]?.id ?? spoken;
  }
  return { agent, action: offer.action, args };
}

function assertState(game: Game): void {
  const { state, environment } = game;
  const { items, places } = state.world;
  expect(whereabouts(state.world)).toEqual(Object.keys(items).toSorted());
  for (const [id, item] of Object.entries(places)) if (item !== null) expect(items[item]?.part).toBe(id);
  expect(throughJson(state)).toEqual(state);
  expect(environment.parts(mixedCopy(state))).toEqual(environment.parts(state));
  for (const agent of environment.agents) {
    const { facts } = environment.observe(state, agent);
    expect(throughJson(facts)).toEqual(facts);
  }
}

describe('whatever is done', () => {
  it.each(['sequential', 'simultaneous'])(
    'in %s order, the state stays whole and offers are kept',
    SIZED,
    (order) => {
      fc.assert(
        fc.property(anyNumbers, fc.constantFrom('scan', 'eyes'), (numbers, sight) => {
          const robots = [robot('bob', { orientation: 90 }), robot('ann')];
          const game = new Game(cell({ robots, rules: { sight, isBurningSoundFatal: false } }));
          for (let i = 0; i + 1 < numbers.length && game.environment.active(game.state).length > 0; i += 2) {
            const intents = game.environment
              .active(game.state)
              .map((agent, index) => intentOf(game, agent, at(numbers, i + index)));
            for (const intent of intents) expect(game.environment.check(game.state, intent)).toBeUndefined();
            const rounds = order === 'simultaneous' ? [intents] : intents.map((intent) => [intent]);
            for (const round of rounds) {
              const before = canonicalJson(game.state);
              const { state, results } = game.environment.advance(game.state, round);
              expect(results).toHaveLength(round.length);
              expect(canonicalJson(game.state)).toBe(before);
              game.state = throughJson(state);
            }
            game.state = throughJson(game.environment.endTurn(game.state).state);
            assertState(game);
          }
        }),
        { numRuns: sizeOf('workcellGames') },
      );
    },
  );

  it('the hashes of a step differ where it changed something', () => {
    const game = new Game();
    const changes = (action: string, args: Args = {}): readonly string[] => {
      const before = game.environment.parts(game.state);
      game.act('ann', action, args);
      const after = game.environment.parts(game.state);
      return Object.keys(after).filter((part) => after[part] !== before[part]);
    };
    expect(changes('WAIT')).toEqual(['turn', 'last', 'news']);
    expect(changes('WAIT')).toEqual(['turn']);
    expect(changes('SET_ORIENTATION', { angle: '90' })).toEqual(['robots', 'turn', 'last']);
    expect(changes('SCAN_AREA')).toEqual(['knowledge', 'turn', 'last']);
    const mended = ['car', 'robots', 'knowledge', 'turn', 'last'];
    expect(changes('REMOVE_PART', { name: 'tyre' })).toEqual(mended);
    expect(changes('INCINERATE')).toEqual(mended);
  });
});
