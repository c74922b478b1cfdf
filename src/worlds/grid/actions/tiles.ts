/**
 * Tiles named by coordinates, in worlds whose rules have `coordinates`: the form in which an action takes
 * them, and its arguments. In other worlds, neither prompts nor replies have this form. The range of the
 * coordinates is the same for every map, so that it does not reveal the size of this one.
 */
import { LIMITS } from '../../../base/limits.js';
import type { Args } from '../../../environment/action.js';
import type { Grammar, Slot } from '../../../environment/grammar.js';
import { integer, sequence, word } from '../../../environment/grammar.js';
import type { Point } from '../../../environment/space.js';
import type { GridWorld } from '../world.js';

/**
 * `TO <x> <y>` or `AT <x> <y>`, as a list of at most one form, which must precede a form with a name, because
 * the numbers could be read as one. Empty if the rules have no coordinates.
 */
export function tileForms({ definition }: GridWorld, after: 'TO' | 'AT'): readonly Grammar[] {
  if (definition.rules.coordinates !== true || (after === 'TO' && definition.rules.goTo === false)) return [];
  const range = { min: 0, max: LIMITS.coordinateTiles - 1 };
  const x = integer('x', range, 'the column, from 0 in the west');
  const y = integer('y', range, 'the row, from 0 in the north');
  return [sequence(word(after), x, y)];
}

/** Whether a form takes the coordinates of a tile and nothing else. */
export function isTileForm(form: readonly Slot[]): boolean {
  return (
    form.length === 2 && form.every(({ slot, kind }) => kind === 'integer' && (slot === 'x' || slot === 'y'))
  );
}

/** The requested tile; null if the arguments name none. */
export function tileArg(args: Args): Point | null {
  const { x, y } = args;
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : null;
}
