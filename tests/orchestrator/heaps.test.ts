/** Several heaps with one name: the one is meant with which the action can be done, and if there are several, none. */
import { expect, it } from 'vitest';
import { play } from '../support/play.js';

/** Ann stands between two heaps of red berries, on one of which she soon is. */
const heaps = (replies: readonly string[]): string => `title: Heaps
map: |
  #########
  #.A.b.c.#
  #########
legend:
  A: { agent: ann }
  b: { thing: north }
  c: { thing: south }
things:
  north: &red
    { kind: food, name: red berries, sprite: item/berries-red, stack: { kind: red, amount: 5 }, consumable: Sour. }
  south: *red
agents:
  - { id: ann, sprite: figure/knight, replies: ${JSON.stringify(replies.map((one) => `ACTION: ${one}`))} }
rules: { movement: tile, use_amounts: true }
turns: { max: ${replies.length}, attempts: 1 }
`;

it('takes by kind and amount from the heap that is in reach, with another one in sight', async () => {
  const replies = ['GO EAST', 'GO EAST', 'TAKE 2 red berries', 'DROP 1 red berries', 'USE 1 red berries'];
  const { sink } = await play(heaps(replies));
  const told = sink.steps.flatMap(({ acts }) =>
    acts.map(({ result }) => (result.ok ? result.message : result.problem.message)),
  );
  expect(told.slice(2)).toEqual([
    'You took 2 of the red berries. 3 more remain there.',
    'You put down 1 of the red berries.',
    'You used the red berries. Sour.',
  ]);
  // What is held, not the heap on the tile.
  const used = sink.steps.findLast(({ agent }) => agent === 'ann')?.acts[0]?.intent?.args;
  expect(Object.values(used ?? {})).toContainEqual(expect.stringMatching(/^north-/));
});

it('asks which one if several are in reach', async () => {
  const replies = [
    'GO EAST',
    'GO EAST',
    'TAKE red berries',
    'GO EAST',
    'DROP red berries',
    'LOOK AT red berries',
  ];
  const { sink } = await play(heaps(replies));
  const last = sink.steps.at(-2)?.acts[0]?.result;
  expect(last).toMatchObject({ ok: false, problem: { code: 'ambiguous' } });
});
