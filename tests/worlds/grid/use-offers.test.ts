/** USE is offered for whatever is in reach, since what comes of it only a try shows: an offer may not tell where a lock, work or a trigger is. */
import { describe, expect, it } from 'vitest';
import { observe } from '../../../src/worlds/grid/observe.js';
import { gridRegistry } from '../../../src/worlds/grid/registry.js';
import type { Game } from './tiny-world.js';
import { agent, chest, door, game, thing, tinyDefinition } from './tiny-world.js';

const MAP = `
  #########
  #.bA+...#
  #.cB#..f#
  #########`;
const ROOMS = { west: { x: 1, y: 1, width: 3, height: 2 }, east: { x: 5, y: 1, width: 3, height: 2 } };
const LOCKED = { state: 'locked', key: 'stick', sprites: { open: 'o', closed: 'c', locked: 'l' } } as const;
const WORK = { turns: 1, tool: null, done: '', effect: { kind: 'remove' } } as const;

/** Ada, who holds a stick, beside a ball, a chest, a closed door and bea; a flag stands far off behind the door. */
function room(pieces: { ball?: object; box?: object; gate?: object } = {}): Game {
  return game(
    tinyDefinition(
      MAP,
      {
        A: agent('ada'),
        B: agent('bea'),
        b: thing('ball', pieces.ball ?? {}),
        c: chest('box', pieces.box ?? {}),
        '+': door('gate', { state: 'closed', ...pieces.gate }),
        f: thing('flag'),
      },
      { rooms: ROOMS, more: [thing('stick', { place: { at: 'held', by: 'ada' } })] },
    ),
  );
}

function uses({ world, state }: Game) {
  const { offered } = observe(world, state, 'ada', gridRegistry(world));
  return offered.find(({ action }) => action === 'USE')?.slots;
}

describe('USE is offered', () => {
  it('for each thing in reach, and for what is held on all of them, doors and bodies too', () => {
    expect(uses(room())).toEqual({
      thing: expect.arrayContaining(['stick', 'ball', 'box']),
      target: expect.arrayContaining(['ball', 'box', 'gate door', 'Bea']),
    });
    expect(JSON.stringify(uses(room()))).not.toContain('flag');
  });

  it('alike where something is locked, worked on or used up, and where nothing is', () => {
    const plain = uses(room());
    expect(
      uses(room({ box: { container: { ...LOCKED, state: 'closed' } }, gate: { key: 'stick' } })),
    ).toEqual(plain);
    expect(uses(room({ ball: { work: WORK } }))).toEqual(plain);
    expect(uses(room({ ball: { consumable: 'Yum.' } }))).toEqual(plain);
  });

  it('and does what it does when it is tried', () => {
    expect(room().act('ada', 'USE', { thing: 'ball' })).toMatch(/^Using the ball by itself does nothing\./);
    expect(room({ ball: { work: WORK } }).act('ada', 'USE', { thing: 'ball' })).toBe(
      'You finished the work on the ball.',
    );
    const eaten = room({ ball: { consumable: 'Yum.' } });
    expect(eaten.act('ada', 'USE', { thing: 'ball' })).toBe("You don't hold the ball. TAKE it first.");
    const gate = { thing: 'stick', target: 'gate' };
    expect(room().act('ada', 'USE', gate)).toBe('The stick does not fit the gate door.');
    expect(room({ gate: { key: 'stick' } }).act('ada', 'USE', gate)).toBe(
      'You locked the gate door with the stick.',
    );
  });
});
