/** What the embedded player wins without being told how: general manners, several seeds, no scenario's answers. */
import { describe, expect, it } from 'vitest';
import { SIZED, someOf } from '../support/sizes.js';
import { play } from '../support/play.js';

const WON: readonly (readonly [scenario: string, seeds: readonly number[]])[] = [
  ['crypt', [7, 8, 9]],
  ['brass-key', [1, 2, 3]],
  ['two-keepers', [3, 4, 5]],
  ['lever-gate', [1, 2, 3]],
  ['door-puzzle', [1, 2, 3]],
  ['lost-ring', [11, 12, 13]],
  ['car-repair', [1, 2, 3]],
  ['two-robots', [1, 2]],
];

const EACH = WON.flatMap(([name, seeds]) => seeds.map((seed) => [name, seed] as const));

it.each(someOf(EACH, 'scriptedWins'))('%s is won with seed %i', SIZED, async (name, seed) => {
  const { end } = await play(`scenarios/${name}.yaml`, { set: [`seed=${seed}`] });
  expect(end).toMatchObject({ status: 'succeeded' });
});

describe('react', () => {
  it.each(['lookup', 'sum', 'both', 'unknown', 'injection'])(
    'is won where the question is %s',
    async (question) => {
      const { end } = await play('scenarios/react.yaml', { set: [`question=${question}`] });
      expect(end).toMatchObject({ status: 'succeeded' });
    },
  );
});
