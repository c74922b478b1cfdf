/** A random game in pictures of the project's own tileset, so that each kind of thing looks different. */
import { openWorld } from '../../src/worlds/grid/world.js';
import type { Played } from '../worlds/grid/random-world.js';

const FIGURES = ['knight', 'wizard', 'blacksmith', 'rat', 'bat'].map((name) => `figure/${name}`);
const ITEMS = ['amulet', 'apple', 'armour', 'arrow', 'axe', 'bell', 'bomb', 'book', 'boots', 'bow', 'bread'];

export function dressed({ world, state }: Played): Played {
  const { definition } = world;
  const figure = <T>(body: T, index: number): T => ({ ...body, sprite: FIGURES[index] ?? 'figure/dog' });
  return {
    state,
    world: openWorld({
      ...definition,
      agents: definition.agents.map(figure),
      npcs: definition.npcs.map((npc, index) => figure(npc, 3 + index)),
      things: definition.things.map((thing, index) => ({
        ...thing,
        sprite: `item/${ITEMS[index % ITEMS.length] ?? 'apple'}`,
      })),
    }),
  };
}
