/** What tells things of one name apart in words, and that each of these words is understood. */
import { describe, expect, it } from 'vitest';
import type { Noun } from '../../../src/environment/observation.js';
import { nounsFor } from '../../../src/binding/nouns.js';
import type { NounPlace } from '../../../src/worlds/grid/distinct-names.js';
import { withDistinctNames } from '../../../src/worlds/grid/distinct-names.js';

const noun = (id: string, name: string, aliases: readonly string[] = []): Noun => ({
  id,
  name,
  aliases,
  kinds: ['thing'],
});
const tile = (x: number, y: number): NounPlace => ({ kind: 'tile', x, y });

function namesOf(nouns: readonly Noun[], places: Readonly<Record<string, NounPlace>>) {
  const named = withDistinctNames(nouns, new Map(Object.entries(places)));
  for (const { id, name, distinctName } of named) {
    const understood = nounsFor(distinctName ?? name, named).map((each) => each.id);
    if (distinctName !== undefined) expect([distinctName, understood]).toEqual([distinctName, [id]]);
  }
  return named.map(({ name, distinctName }) => distinctName ?? name);
}

describe('things of one name', () => {
  it('are called after where they lie among each other, whose they are or what they are in', () => {
    const nouns = ['a', 'b', 'c', 'd'].map((id) => noun(id, 'coin'));
    const places = {
      a: tile(2, 9),
      b: tile(2, 1),
      c: { kind: 'held' },
      d: { kind: 'inside', container: 'the chest' },
    } as const;
    expect(namesOf([...nouns, noun('e', 'key')], places)).toEqual([
      'south coin',
      'north coin',
      'your coin',
      'coin in the chest',
      'key',
    ]);
  });

  it('are counted from the north-west where that is not enough', () => {
    const nouns = ['a', 'b', 'c'].map((id) => noun(id, 'coin'));
    expect(namesOf(nouns, { a: tile(4, 4), b: tile(4, 4), c: tile(4, 4) })).toEqual([
      'first coin',
      'second coin',
      'third coin',
    ]);
    expect(namesOf(nouns, { a: tile(9, 1), b: tile(1, 1), c: tile(2, 1) })).toEqual([
      'east coin',
      'first west coin',
      'second west coin',
    ]);
    expect(namesOf(nouns, { a: { kind: 'held' }, b: { kind: 'held' }, c: tile(1, 1) })).toEqual([
      'your first coin',
      'your second coin',
      'other coin',
    ]);
  });

  it('never take a name that something else has', () => {
    const nouns = [
      noun('a', 'gate'),
      noun('b', 'Gate'),
      noun('c', 'north gate'),
      noun('gate number 1', 'sign'),
    ];
    expect(namesOf(nouns, { a: tile(1, 1), b: tile(1, 5), c: tile(9, 9) })).toEqual([
      'gate number 2',
      'south Gate',
      'north gate',
      'sign',
    ]);
  });

  it('are told apart from a thing that may be called the same', () => {
    const nouns = [noun('a', 'key'), noun('b', 'brass key', ['key'])];
    expect(namesOf(nouns, { a: tile(1, 1), b: tile(1, 5) })).toEqual(['other key', 'brass key']);
  });
});
