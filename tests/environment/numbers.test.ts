/** What bears a number in a picture, and when an answer names a noun by it. */
import { describe, expect, it } from 'vitest';
import { withMarks } from '../../src/agent/aids.js';
import type { JsonObject } from '../../src/base/json.js';
import { pictured, withToldNames } from '../../src/environment/numbers.js';
import type { Noun, Observation } from '../../src/environment/observation.js';
import { sceneOf, thing } from '../render/scenes.js';

const ROOM = sceneOf(['.....', '.....']);
const MARKS = { marks: true, channel: 'image' } as const;

function noun(id: string, name: string, kind: string): Noun {
  return { id, name, aliases: [], kinds: [kind] };
}

function observation(facts: JsonObject, nouns: readonly Noun[], things = ROOM.things): Observation {
  const scene = { ...ROOM, origin: { x: 10, y: 20 }, things };
  const rest = { sections: [], scope: [], offered: [] };
  return { agent: 'ann', turn: 1, ...rest, nouns, facts, scene, refusals: 'plain' };
}

const DOORS = [noun('a', 'door', 'door'), noun('b', 'door', 'door')];
const at = (id: string, x: number, y: number) => ({ id, x, y });
const idsIn = (seen: Observation) => pictured(seen).map(({ id, x, y }) => [id, x, y]);

describe('a door', () => {
  it('bears a number if something else has its name and the window shows it, seen or remembered, by rows', () => {
    const nouns = [...DOORS, noun('c', 'door', 'door'), noun('d', 'oak door', 'door')];
    const facts = {
      doors: [at('a', 11, 21), at('d', 13, 20)],
      remembered: [at('b', 12, 20), at('c', 15, 20)],
    };
    expect(idsIn(observation(facts, nouns))).toEqual([
      ['b', 2, 0],
      ['a', 1, 1],
    ]);
  });

  it('bears none in a world whose facts say nothing of doors, or something else', () => {
    const strange = [
      {},
      { doors: 2, remembered: { a: 1 } },
      { doors: [null, 1, [at('a', 1, 1)], { id: 'a' }] },
    ];
    for (const facts of strange) expect(idsIn(observation(facts, DOORS))).toEqual([]);
    const shut = { doors: [at('a', 11, 20), { id: 'b', x: 'east', y: 20 }] };
    expect(idsIn(observation(shut, DOORS))).toEqual([['a', 1, 0]]);
    expect(pictured({ ...observation(shut, DOORS), scene: null })).toEqual([]);
  });
});

describe('an answer', () => {
  const grammar = { kind: 'name', slot: 'thing', of: ['thing'], description: '' } as const;
  const spoken = (id: string, nouns: readonly Noun[], things: readonly [string, number, number][]) => {
    const placed = things.map(([one, x, y]) => ({ ...thing('item/coins', x, y), id: one }));
    const seen = withMarks(observation({}, nouns, placed), MARKS);
    return withToldNames(grammar, { thing: id }, seen)['thing'];
  };
  const [red, blue, coin] = [
    noun('red', 'key', 'thing'),
    noun('blue', 'key', 'thing'),
    noun('coin', 'coin', 'thing'),
  ];

  it('names a noun by its number where another has its name, and else by its name', () => {
    const things: readonly [string, number, number][] = [
      ['red', 0, 0],
      ['blue', 1, 0],
      ['coin', 2, 0],
    ];
    expect(spoken('blue', [red, blue, coin], things)).toBe('2');
    expect(spoken('coin', [red, blue, coin], things)).toBe('coin');
    expect(spoken('gone', [red, blue, coin], things)).toBe('gone');
  });

  it('names it by its name where its number is also another’s, or it has none', () => {
    expect(
      spoken(
        'blue',
        [red, blue, coin],
        [
          ['red', 0, 0],
          ['blue', 1, 0],
          ['coin', 1, 0],
        ],
      ),
    ).toBe('key');
    expect(spoken('blue', [red, blue], [['red', 0, 0]])).toBe('key');
  });
});
