import { describe, expect, it } from 'vitest';
import { landmarkBound } from '../../../src/worlds/grid/landmarks.js';
import { aWorld, played } from './random-world.js';

const WIDTH = 40;

/** How far it is from the west end to the east end of a corridor, as the landmarks tell. */
function boundAlong(rows: readonly string[], row: number): number {
  const { world } = played(aWorld(rows));
  const to = row * WIDTH + WIDTH - 1;
  return landmarkBound(world, false, { from: row * WIDTH, to })(row * WIDTH);
}

describe('landmarkBound', () => {
  it('knows the way through the largest part of a map, wherever its small ones lie', () => {
    const [open, wall] = ['.'.repeat(WIDTH), '#'.repeat(WIDTH)];
    const pocket = `..${'#'.repeat(WIDTH - 2)}`;
    expect(boundAlong([open, wall], 0)).toBe(WIDTH - 1);
    expect(boundAlong([pocket, wall, open], 2)).toBe(WIDTH - 1);
    expect(boundAlong([open, wall, pocket, wall, pocket], 0)).toBe(WIDTH - 1);
  });

  it('says nothing of tiles that are not reached, nor where nothing can be walked on', () => {
    const [open, wall] = ['.'.repeat(WIDTH), '#'.repeat(WIDTH)];
    expect(boundAlong([open, wall, `..${wall.slice(2)}`], 2)).toBe(0);
    expect(boundAlong([wall, wall], 0)).toBe(0);
  });

  it('counts the detour around a wall', () => {
    const open = '.'.repeat(WIDTH);
    const gate = '.'.repeat(20) + '#' + '.'.repeat(WIDTH - 21);
    expect(boundAlong([gate, gate, gate, open], 0)).toBe(WIDTH - 1 + 6);
  });
});
