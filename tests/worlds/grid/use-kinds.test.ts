/** USE … ON … is offered where something may come of it, as far as its agent can tell; which thing fits which only a try shows. */
import { describe, expect, it } from 'vitest';
import type { Trigger } from '../../../src/worlds/grid/definition.js';
import { ANY_AGENT } from '../../../src/worlds/grid/definition.js';
import { observe } from '../../../src/worlds/grid/observe.js';
import { gridRegistry } from '../../../src/worlds/grid/registry.js';
import { agent, chest, door, game, thing, tinyDefinition } from './tiny-world.js';

const MAP = `
  #######
  #.bA+.#
  #.cB#.#
  #######`;
const ROOMS = { west: { x: 1, y: 1, width: 3, height: 2 }, east: { x: 5, y: 1, width: 1, height: 2 } };

const LOCKED = { state: 'locked', key: 'coin', sprites: { open: 'o', closed: 'c', locked: 'l' } } as const;

interface Setup {
  readonly gate?: ReturnType<typeof door>;
  readonly box?: ReturnType<typeof chest>;
  readonly ball?: ReturnType<typeof thing>;
  readonly used?: string;
}

/** What ada, who holds a stick, is offered to use it on, beside a ball, a chest, a closed door and bea. */
function targets({ gate, box, ball, used }: Setup): readonly string[] {
  const pieces = {
    A: agent('ada'),
    B: agent('bea'),
    b: ball ?? thing('ball'),
    c: box ?? chest('box'),
    '+': gate ?? door('gate', { state: 'closed' }),
  };
  const more = [
    thing('stick', { place: { at: 'held', by: 'ada' } }),
    thing('coin', { place: { at: 'inside', container: 'box' } }),
  ];
  const triggers: readonly Trigger[] =
    used === undefined
      ? []
      : [
          {
            id: 't',
            when: { kind: 'used', thing: 'coin', on: used, agent: ANY_AGENT },
            condition: null,
            effects: [],
            repeats: false,
          },
        ];
  const { world, state } = game(tinyDefinition(MAP, pieces, { rooms: ROOMS, more, triggers }));
  const { offered } = observe(world, state, 'ada', gridRegistry(world));
  return (offered.find(({ action }) => action === 'USE')?.slots['target'] ?? []).toSorted();
}

describe('a thing is offered to be used', () => {
  it('on nothing where nothing can be used on anything', () => {
    expect(targets({})).toEqual([]);
  });

  it('on what is shut, where something has a lock, whatever its key', () => {
    expect(targets({ gate: door('gate', { state: 'locked', key: 'coin' }) })).toEqual(['gate door']);
    expect(targets({ box: chest('box', { container: LOCKED }) })).toEqual(['box', 'gate door']);
  });

  it('on things where one is worked on with a tool, on all of them alike', () => {
    const effect = { kind: 'remove' } as const;
    const work = { turns: 1, tool: 'coin', done: '', effect };
    expect(targets({ ball: thing('ball', { work }) })).toEqual(['ball', 'box', 'coin']);
    expect(targets({ ball: thing('ball', { work: { ...work, tool: null } }) })).toEqual([]);
  });

  it('on each thing of a kind that a trigger waits for', () => {
    expect(targets({ used: 'ball' })).toEqual(['ball', 'coin']);
    expect(targets({ used: 'bea' })).toEqual(['Bea']);
    expect(targets({ used: 'gate' })).toEqual(['box', 'gate door']);
  });
});
