/**
 * Hints for a search for a solution: states that differ only in texts are one, and each place without a sound
 * part and each faulty part that is not burnt counts as a number of acts. In: a state; out: a key and an
 * estimate.
 */
import { hashJson } from '../../base/canonical.js';
import type { WorkcellMindState, WorkcellState } from './state.js';
import type { Workcell } from './world.js';
import { carOf, inPlace, itemOf } from './world.js';

/**
 * Equal only for states from which the same acts lead to the same end: the turn and the texts affect no rule.
 */
export function searchKey({ turn: _turn, minds, ...state }: WorkcellState): string {
  const kept = Object.entries(minds).map(([robot, mind]) => [robot, knowledgeOf(mind)]);
  return hashJson('search', { ...state, minds: Object.fromEntries(kept) });
}

function knowledgeOf({ scanned, places, findings, shelf }: WorkcellMindState) {
  const seen = Object.entries(places).map(([place, { item }]) => [place, item]);
  return { scanned, findings, shelf, places: Object.fromEntries(seen) };
}

/** Tenths of a turn for taking a part out, carrying it away, and putting another in. */
const STAGE = 20;

/** In tenths of a turn. */
export function estimate(world: Workcell, state: WorkcellState): number {
  const held = Object.values(state.robots).flatMap(({ holds }) =>
    holds === null ? [] : [itemOf(state, holds)],
  );
  const places = carOf(world, state).parts.map(({ id }) => {
    const item = inPlace(state, id);
    if (item !== null) return itemOf(state, item).fault === null ? 0 : 2 * STAGE;
    return held.some(({ part, fault }) => part === id && fault === null) ? STAGE : 2 * STAGE;
  });
  const faulty = Object.values(state.items).filter(
    ({ id, fault }) => fault !== null && !state.burnt.includes(id),
  );
  const unburnt = faulty.map(({ id }) => (held.some((item) => item.id === id) ? STAGE : 2 * STAGE));
  return [...places, ...unburnt].reduce((sum, each) => sum + each, 0);
}
