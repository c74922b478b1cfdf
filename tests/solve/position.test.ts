/** In which turn a position was won, by an act and by what the world does at the end of a turn. */
import { describe, expect, it } from 'vitest';
import type { Environment } from '../../src/environment/environment.js';
import { afterAct, startOfTurn } from '../../src/solve/position.js';
import { puzzle } from './shipped.js';

const { environment, start, options } = await puzzle(
  `title: Hall
map: |
  #####
  #A..#
  #####
legend: { A: { agent: ann } }
agents: [{ id: ann, sprite: figure/knight, goals: [Be east.] }]
success: { agent: ann, at: [2, 1] }
rules: { movement: tile }
turns: { max: 5 }
`,
  1,
);

/** After this act in turn 3. */
function after(world: Environment<unknown>, action: string, args: Record<string, string> = {}) {
  const first = startOfTurn(world, options, { ...start, turn: 3 });
  if (first.kind !== 'position') throw new Error('the turn begins');
  return afterAct(world, options, first.position, { agent: 'ann', action, args });
}

describe('the turn of a win', () => {
  it('is that of the act', () => {
    expect(after(environment, 'GO', { direction: 'east' })).toEqual({ kind: 'won', turn: 3 });
  });

  it('is the one that ends with it, not the next', () => {
    let isOver = false;
    const world: Environment<unknown> = {
      ...environment,
      endTurn: (state) => {
        isOver = true;
        return environment.endTurn(state);
      },
      outcome: (state) => (isOver ? { status: 'succeeded', reason: '' } : environment.outcome(state)),
    };
    expect(after(world, 'WAIT')).toEqual({ kind: 'won', turn: 3 });
  });
});
