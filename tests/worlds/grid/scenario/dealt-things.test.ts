/** Things of a list in the legend are dealt to the tiles with its character: the seed chooses. */
import { expect, it } from 'vitest';
import { BASE, load } from '../../../scenario/support.js';

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
