/** Which arguments of an offer go together, from what an action accepts. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Args } from '../../src/environment/action.js';
import type { Grammar } from '../../src/environment/grammar.js';
import { choice, integer, name, optional, sequence, text, word } from '../../src/environment/grammar.js';
import { offerOf } from '../../src/environment/legal-action.js';
import { waitAction } from '../../src/environment/standard-actions.js';

const nouns = ['key', 'coins', 'door', 'chest'].map((id) => ({
  id,
  name: id,
  aliases: [],
  kinds: ['thing'],
}));

function offered(grammar: Grammar, accepts: (args: Args) => boolean) {
  const action = { ...waitAction<null>(), name: 'DO', grammar };
  return offerOf(action, { nouns, spoken: (id) => `the ${id}`, accepts });
}

const thing = name('thing', ['thing'], '');
const target = name('target', ['thing'], '');
const heap = sequence(optional(integer('amount', { min: 1, max: 10_000 }, '')), thing);
const held: Readonly<Record<string, number>> = { key: 1, coins: 7, door: 0, chest: 0 };
const has = ({ thing: id = '', amount = 1 }: Args): boolean => Number(amount) <= (held[id] ?? 0);

describe('an offer', () => {
  it('lets a number go as far as it is accepted with each thing, and leaves it out where it can only be one', () => {
    expect(offered(heap, has)).toEqual({
      action: 'DO',
      slots: { amount: [], thing: ['the key', 'the coins'] },
      ways: [{ thing: ['the key', 'the coins'] }, { amount: [1, 7], thing: ['the coins'] }],
    });
  });

  it('tells pairs that go together', () => {
    const fits = (args: Args): boolean =>
      [
        ['key', 'door'],
        ['key', 'chest'],
        ['coins', 'chest'],
      ].some(([one, other]) => args['thing'] === one && args['target'] === other);
    expect(offered(sequence(thing, word('ON'), target), fits)?.ways).toEqual([
      { thing: ['the key'], target: ['the door'] },
      { thing: ['the key', 'the coins'], target: ['the chest'] },
    ]);
  });

  it('tells of no ways where all go together, with any number and text', () => {
    const grammar = sequence(
      thing,
      integer('times', { min: 1, max: 3 }, ''),
      optional(text('why', '', 20)),
      choice(word('NOW', 'when'), word('LATER', 'when')),
    );
    expect(offered(grammar, () => true)).not.toHaveProperty('ways');
    expect(offered(grammar, ({ when }) => when === 'NOW')).not.toHaveProperty('ways');
    expect(offered(grammar, ({ times }) => Number(times) > 1)?.ways).toHaveLength(4);
  });

  it('finds the end of any range', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), (most) => {
        const offer = offered(integer('n', { min: 1, max: 10_000 }, ''), ({ n }) => Number(n) <= most);
        expect(offer?.ways ?? [{ n: [1, 10_000] }]).toEqual([{ n: [1, most] }]);
      }),
    );
  });
});
