/**
 * Tiles named by their numbers, in worlds whose rules have coordinates: the form in which a verb takes them, the arguments, and how they
 * are told. Elsewhere there is no such form, so neither prompts nor replies know of it.
 */
import type { Args } from '../../../environment/action.js';
import type { Grammar } from '../../../environment/grammar.js';
import { integer, sequence, word } from '../../../environment/grammar.js';
import type { Point } from '../../../environment/space.js';
import type { GridWorld } from '../world.js';

/** `TO <x> <y>` after the word, before a form in which the numbers could be a name; none where tiles have no numbers. */
export function tileForms({ definition }: GridWorld, after: 'TO' | 'AT'): readonly Grammar[] {
  if (definition.rules.coordinates !== true) return [];
  const { width, height } = definition.size;
  const x = integer('x', { min: 0, max: width - 1 }, 'the column, from 0 in the west');
  const y = integer('y', { min: 0, max: height - 1 }, 'the row, from 0 in the north');
  return [sequence(word(after), x, y)];
}

/** The tile that is named; null where none is. */
export function tileArg(args: Args): Point | null {
  const { x, y } = args;
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : null;
}
