/** What was worked out for an agent in a state: once, and for nobody and nothing else. */
import { expect, test } from 'vitest';
import { memoised } from '../../../src/worlds/grid/recent-answers.js';
import { openWorld } from '../../../src/worlds/grid/world.js';
import { agent, game, tinyDefinition } from './tiny-world.js';

test('an answer is given again for the very world, state and agent alone, and forgotten after a few states', () => {
  const definition = tinyDefinition('ab', { a: agent('ada'), b: agent('ben') });
  const { world, state } = game(definition);
  const asked: string[] = [];
  const work = memoised((_world, { turn }, id) => ({ id, turn, nth: asked.push(id) }));
  const first = work(world, state, 'ada');
  expect(work(world, state, 'ada')).toBe(first);
  expect(work(world, state, 'ben')).toEqual({ id: 'ben', turn: 1, nth: 2 });
  expect(work(world, { ...state, turn: 2 }, 'ada')).toEqual({ id: 'ada', turn: 2, nth: 3 });
  expect(work(openWorld(definition), state, 'ada')).toEqual({ id: 'ada', turn: 1, nth: 4 });
  expect(work(world, state, 'ada')).toBe(first);
  for (let turn = 3; turn < 7; turn++) work(world, { ...state, turn }, 'ada');
  expect(work(world, state, 'ada')).toEqual({ ...first, nth: 9 });
});
