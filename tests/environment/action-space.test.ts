/** All actions of an entity by number: none twice, in an order that nothing of a run moves, and no more than anybody can learn. */
import { expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import type { Environment } from '../../src/environment/environment.js';
import { actionSpaceOf } from '../../src/environment/action-space.js';
import { choice, direction, name } from '../../src/environment/grammar.js';

/** A world of so many things, with an action for one of them and one for a direction. */
function worldOf(things: number): Environment<unknown> {
  const grammars = {
    WAIT: null,
    GO: direction('direction', 'where to', false),
    TAKE: choice(name('thing', ['thing'], 'what to take')),
  };
  const nouns = Array.from({ length: things }, (_, i) => ({ id: `t${i}`, name: 'thing', kinds: ['thing'] }));
  return {
    scope: () => Object.keys(grammars),
    actions: { get: (verb: keyof typeof grammars) => ({ grammar: grammars[verb] }) },
    everyNoun: () => nouns,
  } as unknown as Environment<unknown>;
}

it('has every action with everything that it can be done with, WAIT first', () => {
  const actions = actionSpaceOf(worldOf(2), 'ann')?.actions ?? [];
  expect(actions.map(({ action, args }) => [action, ...Object.values(args)].join(' '))).toEqual([
    'WAIT',
    'GO north',
    'GO east',
    'GO south',
    'GO west',
    'TAKE t0',
    'TAKE t1',
  ]);
});

it('is as large as LIMITS.actionSpace, and no larger', () => {
  const others = 5;
  expect(actionSpaceOf(worldOf(LIMITS.actionSpace - others), 'ann')?.actions).toHaveLength(
    LIMITS.actionSpace,
  );
  expect(actionSpaceOf(worldOf(LIMITS.actionSpace - others + 1), 'ann')).toBeNull();
});
