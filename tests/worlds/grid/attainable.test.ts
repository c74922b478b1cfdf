/** What is proven unattainable before any search, and what must not be, because a rule leads to it after all. */
import { expect, it } from 'vitest';
import type { GridDefinition } from '../../../src/worlds/grid/definition.js';
import { openGrid } from '../../../src/worlds/grid/grid.js';
import { agent, chest, npc, thing, tinyDefinition } from './tiny-world.js';

const HAS_COIN = { kind: 'holds', agent: 'any', thing: 'coin' } as const;
const sprites = { open: 'open', closed: 'closed', locked: 'locked' };
const lockedBox = chest('box', { container: { state: 'locked', key: 'pin', sprites } });
const inBox = thing('coin', { place: { at: 'inside', container: 'box' } });

const PIECES = {
  a: agent('ada'),
  c: thing('coin'),
  k: thing('pin'),
  b: lockedBox,
  n: npc('nan'),
  s: thing('stone', { portable: false }),
};

const room = (map: string, more: Parameters<typeof tinyDefinition>[2] = {}): GridDefinition =>
  tinyDefinition(map, Object.fromEntries(Object.entries(PIECES).filter(([letter]) => map.includes(letter))), {
    success: HAS_COIN,
    ...more,
  });

const opensBox = {
  id: 'open-box',
  when: { kind: 'turn-over', turn: 1 },
  condition: null,
  effects: [{ kind: 'set-lid', target: 'box', to: 'unlocked' }],
  repeats: false,
} as const;

const nearStone = (within: number) => ({ kind: 'near', agent: 'any', target: 'stone', within }) as const;

const movesStone = {
  ...opensBox,
  id: 'move-stone',
  effects: [{ kind: 'move', thing: 'stone', x: 1, y: 1 }],
} as const;

it.each([
  ['a coin that others can bring it', 'coin', false],
  ['a stone', 'stone', true],
  ['another, who walks', 'ada', false],
])('an agent that is done and not near %s', (_, target, isDeadEnd) => {
  const near = { kind: 'near', agent: 'ben', target, within: 1 } as const;
  const pieces = { a: PIECES.a, c: PIECES.c, s: PIECES.s, d: agent('ben') };
  const world = openGrid(tinyDefinition('#######\n#d.sca#\n#######', pieces, { success: near }));
  const { state } = world.advance(world.create('seed'), [{ agent: 'ben', action: 'DONE', args: {} }]);
  expect(world.search?.estimate?.(state, []) === null).toBe(isDeadEnd);
});

it.each([
  ['a coin behind a wall', room('#####\n#a#c#\n#####'), true],
  ['a coin beside a corner', room('####\n#a##\n##c#\n####'), false],
  ['a coin in a box with its key outside', room('######\n#abk.#\n######', { more: [inBox] }), false],
  ['a coin in a box with its key behind a wall', room('######\n#ab#k#\n######', { more: [inBox] }), true],
  [
    'a coin in a box that a trigger unlocks',
    { ...room('######\n#ab#k#\n######', { more: [inBox] }), triggers: [opensBox] },
    false,
  ],
  ['a stone behind a wall, to be near', room('#####\n#a#s#\n#####', { success: nearStone(1) }), true],
  ['a stone near enough behind a wall', room('#####\n#a#s#\n#####', { success: nearStone(2) }), false],
  [
    'a stone that a trigger moves',
    { ...room('#####\n#a#s#\n#####', { success: nearStone(1) }), triggers: [movesStone] },
    false,
  ],
  [
    'a coin that a creature holds',
    room('#####\n#an.#\n#####', { more: [thing('coin', { place: { at: 'held', by: 'nan' } })] }),
    true,
  ],
])('%s', (_, definition, expected) => {
  const world = openGrid(definition);
  expect(world.search?.isUnattainable?.(world.create('seed'))).toBe(expected);
});
