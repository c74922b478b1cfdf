/** Things of a list in the legend are dealt to the tiles with its character: the seed chooses. */
import { expect, it } from 'vitest';
import { BASE, diagnose, load } from '../../../scenario/support.js';

const TEXT = BASE.replace('#...#...#\n  #.A', '#...#.kk#\n  #.A')
  .replace('{ thing: small-key }', '{ things: [small-key, cup, hat] }')
  .replace('\nthings:', '\nthings:\n  cup: { sprite: item/bread }\n  hat: { sprite: item/scroll }');

function placesWith(seed: string): Readonly<Record<string, string>> {
  const { things } = load(TEXT, { seed }).scenario.definition as unknown as {
    things: readonly { id: string; place: { at: string; x: number; y: number } }[];
  };
  return Object.fromEntries(things.map(({ id, place }) => [id, `${place.at} ${place.x} ${place.y}`]));
}

it('puts each on a tile of its own, the same for a seed, and in all orders for many', () => {
  const orders = new Set<string>();
  for (let seed = 1; seed <= 60; seed++) {
    const places = placesWith(String(seed));
    expect(Object.values(places).toSorted()).toEqual(['tile 6 1', 'tile 6 2', 'tile 7 1']);
    expect(placesWith(String(seed))).toEqual(places);
    orders.add(JSON.stringify(places));
  }
  expect(orders.size).toBe(6);
});

it.each([
  ['twice in a list', '{ things: [small-key, cup, small-key] }', '', '11:33'],
  ['in two lists', '{ things: [small-key, cup] }', '\n  c: { things: [small-key] }', '12:17'],
  ['in a list and alone', '{ things: [cup, small-key] }', '\n  c: { thing: small-key }', '11:22'],
])('a thing %s is a mistake of that line, whatever the seed', (_what, list, more, place) => {
  const corner = more === '' ? '.' : 'c';
  const text = TEXT.replace('{ things: [small-key, cup, hat] }', `${list}${more}`)
    .replace('#...#...#\n  ####', `#${corner}..#...#\n  ####`)
    .replace('  hat: { sprite: item/scroll }\n', '');
  for (let seed = 1; seed <= 6; seed++) {
    const found = diagnose(text, { seed: String(seed) }).map(
      ({ line, column, message }) => `${line}:${column} ${message}`,
    );
    expect(found).toContain(`${place} small-key appears twice in the map`);
  }
});

it('a hole in the outer wall is told of on every tile, whatever the seed', () => {
  const text = TEXT.replace('#########\n', '#k###k#k#\n');
  for (let seed = 1; seed <= 6; seed++) {
    const holes = load(text, { seed: String(seed) }).warnings.filter(({ message }) =>
      message.includes('a hole'),
    );
    expect(holes.map(({ line, column }) => `${line}:${column}`)).toEqual(['3:4', '3:8', '3:10']);
  }
});
