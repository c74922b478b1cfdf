import { describe, expect, it } from 'vitest';
import {
  choice,
  direction,
  name,
  optional,
  sequence,
  slotsOf,
  text,
  word,
} from '../../src/environment/grammar.js';

describe('slots of a grammar', () => {
  it('are required where every form fills them', () => {
    const grammar = sequence(
      name('thing', ['held'], 'what'),
      optional(sequence(word('ON'), name('target', ['thing'], 'on what'))),
    );
    expect(slotsOf(grammar).map(({ slot, required }) => [slot.slot, required])).toEqual([
      ['thing', true],
      ['target', false],
    ]);
  });

  it('of a choice are required only where each alternative has them', () => {
    const grammar = choice(
      direction('way', 'where'),
      sequence(word('TO'), name('target', ['thing'], 'what')),
      text('way', 'words', 10),
    );
    expect(slotsOf(grammar).map(({ slot, required }) => [slot.slot, required])).toEqual([
      ['way', false],
      ['target', false],
    ]);
    expect(slotsOf(choice(word('LEFT', 'way'), word('RIGHT', 'way')))).toMatchObject([{ required: true }]);
  });
});
