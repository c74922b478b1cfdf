/** An action of one's own has its arguments typed by its grammar, and is refused where it can't be called so. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import { defineAction, grammar, gridWith, UsageError } from '../../src/index.js';
import type { ArgsOf } from '../../src/index.js';

const { choice, integer, name, optional, sequence, text, word } = grammar;

const away = sequence(
  name('thing', ['held'], 'what'),
  optional(integer('tiles', { min: 1, max: 9 }, 'how far')),
);
const either = choice(
  sequence(word('to', 'how'), name('whom', ['person'], 'whom')),
  sequence(word('at', 'how'), text('what', 'what', 9), name('whom', ['person'], 'whom')),
);

interface State {
  count: number;
}

describe('the arguments of an action', () => {
  it('have the types that the grammar gives', () => {
    expectTypeOf<ArgsOf<typeof away>>().toHaveProperty('thing').toEqualTypeOf<string>();
    expectTypeOf<ArgsOf<typeof away>>().toHaveProperty('tiles').toEqualTypeOf<number | undefined>();
    expectTypeOf<ArgsOf<typeof either>['how']>().toEqualTypeOf<'to' | 'at'>();
    expectTypeOf<ArgsOf<typeof either>['whom']>().toEqualTypeOf<string>();
    expectTypeOf<ArgsOf<typeof either>['what']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<ArgsOf<grammar.Grammar>>().toEqualTypeOf<Readonly<Record<string, string | number>>>();
  });

  it('reach `check` and `apply` with their types', () => {
    const action = defineAction({
      name: 'THROW',
      description: 'Throw it.',
      grammar: away,
      examples: ['ball 3'],
      check: (_state: State, _agent, { tiles }) => {
        expectTypeOf(tiles).toEqualTypeOf<number | undefined>();
        return undefined;
      },
      apply: (state: State, _agent, { thing, tiles = 1 }) => ({
        state: { count: state.count + tiles },
        message: `You threw ${thing.toUpperCase()}.`,
      }),
    });
    expect(action.apply({ count: 1 }, 'ann', { thing: 'ball', tiles: 2 })).toEqual({
      state: { count: 3 },
      message: 'You threw BALL.',
    });
  });
});

describe('an action that can’t be called so', () => {
  const spec = { description: 'x', examples: [''], apply: (state: State) => ({ state, message: '' }) };

  it('is refused in words for its author', () => {
    expect(() => defineAction({ ...spec, name: 'throw' })).toThrow(UsageError);
    expect(() =>
      defineAction({ ...spec, name: 'THROW', grammar: integer('how-far', { min: 1, max: 2 }, 'x') }),
    ).toThrow(/"how-far" is not a valid parameter name/);
    const tiles = integer('tiles', { min: 1, max: 9 }, 'x');
    const twice = choice(word('at', 'how'), optional(sequence(tiles, word('by'), tiles)));
    expect(() => defineAction({ ...spec, name: 'THROW', grammar: twice })).toThrow(
      /THROW: one form has two parameters called "tiles"/,
    );
    const taken = () => gridWith(() => defineAction({ ...spec, name: 'SHOUT' }) as never).kind.actionNames;
    expect(taken).toThrow(UsageError);
  });

  it('is refused where its own grammar does not read an example', () => {
    const define = (...examples: readonly string[]) =>
      defineAction({ ...spec, name: 'THROW', grammar: either, examples });
    expect(define('to Ann', 'towards Ann', 'at “Catch!” Ann', 'AT "Catch!" Ann').name).toBe('THROW');
    expect(() => define('to Ann', 'near Ann')).toThrow(
      'THROW: its example "near Ann" can\'t be parsed: I read THROW, but not what follows: "near Ann".',
    );
    expect(() => define('at "Catch, if you can!" Ann')).toThrow(/longer than 9 characters/);
    const bare = () => defineAction({ ...spec, name: 'RING', examples: ['bell'] });
    expect(bare).toThrow(/RING: its example "bell" can't be parsed: .*nothing may follow it/);
  });
});
