/** Of robots that want the same part at once none wins by its name: the seed decides, in each turn anew; `ties: id` decides by id. */
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../src/environment/action.js';
import type { WorkcellDefinition } from '../../../src/worlds/workcell/definition.js';
import { openWorkcell, workcell } from '../../../src/worlds/workcell/workcell.js';
import { load, ownSprites } from '../../scenario/support.js';

const COUNT = 12;

/** Two robots before the only part that is faulty. */
function rivals(turns: string) {
  const { scenario } = load(
    `title: Rivals
environment: workcell
car: { parts: { windscreen: {} } }
faults: [{ part: windscreen, fault: cracked }]
spares: [windscreen]
agents: [{ id: ann }, { id: bob }]
turns: { ${turns} }
`,
    { known: { sprites: ownSprites(), actions: workcell.actionNames } },
  );
  return openWorkcell(scenario.definition as unknown as WorkcellDefinition);
}

/** Who gets the part where both reach for it after so many turns of waiting. */
function winner(turns: string, { seed, waits = 0 }: { seed: number; waits?: number }) {
  const environment = rivals(turns);
  const both = (action: string, args: Intent['args'] = {}): readonly Intent[] =>
    // The order in which they answer means nothing.
    ['bob', 'ann'].map((agent) => ({ agent, action, args }));
  let state = environment.create(String(seed));
  for (const action of ['SCAN_AREA', ...Array.from({ length: waits }, () => 'WAIT')])
    ({ state } = environment.endTurn(environment.advance(state, both(action)).state));
  const { results } = environment.advance(state, both('REMOVE_PART', { name: 'windscreen' }));
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  return results[0]?.ok === true ? 'bob' : 'ann';
}

const numbers = Array.from({ length: COUNT }, (_, i) => i + 1);

describe('robots that want the same at once', () => {
  it('are told apart by the seed', () => {
    const wins = numbers.filter((seed) => winner('order: simultaneous', { seed }) === 'ann').length;
    // Of 12 fair draws fewer than 2 or more than 10 come up once in 150 times; these seeds are always the same.
    expect(wins).toBeGreaterThanOrEqual(2);
    expect(wins).toBeLessThanOrEqual(10);
  });

  it('are told apart in each turn anew', () => {
    const winners = new Set(numbers.map((waits) => winner('order: simultaneous', { seed: 1, waits })));
    expect(winners).toEqual(new Set(['ann', 'bob']));
  });

  it('are told apart by their ids where the scenario says so', () => {
    const winners = new Set(numbers.map((seed) => winner('order: simultaneous, ties: id', { seed })));
    expect(winners).toEqual(new Set(['ann']));
  });
});
