/**
 * Tiles named by their numbers, in worlds whose rules have coordinates: the form in which a verb takes them,
 * the arguments, and how they are written. In other worlds there is no such form in prompts or replies. The
 * numbers go as far as those of the largest map, whatever the size of this one, which an agent has to find
 * out.
 */
import { LIMITS } from '../../../base/limits.js';
import type { Args } from '../../../environment/action.js';
import type { Grammar, Slot } from '../../../environment/grammar.js';
import { integer, sequence, word } from '../../../environment/grammar.js';
import type { Point } from '../../../environment/space.js';
import type { GridWorld } from '../world.js';

/**
 * `TO <x> <y>` after the verb, before a form in which the numbers could be a name; none if tiles have no
 * numbers.
 */
export function tileForms({ definition }: GridWorld, after: 'TO' | 'AT'): readonly Grammar[] {
  if (definition.rules.coordinates !== true || (after === 'TO' && definition.rules.goTo === false)) return [];
  const range = { min: 0, max: LIMITS.mapSideTiles - 1 };
  const x = integer('x', range, 'the column, from 0 in the west');
  const y = integer('y', range, 'the row, from 0 in the north');
  return [sequence(word(after), x, y)];
}

/** Whether a form takes the numbers of a tile and nothing else. */
export function isTileForm(form: readonly Slot[]): boolean {
  return (
    form.length === 2 && form.every(({ slot, kind }) => kind === 'integer' && (slot === 'x' || slot === 'y'))
  );
}

/** The tile that is named; null if none is. */
export function tileArg(args: Args): Point | null {
  const { x, y } = args;
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : null;
}
