/**
 * When the run ends. Success: every place has a sound part, and every faulty part is burnt. Failure: a sound
 * part was burnt and the scenario forbids it, or nothing is left that fits some place. Otherwise it
 * continues.
 */
import type { Outcome } from '../../environment/environment.js';
import type { ItemState, WorkcellState } from './state.js';
import type { Workcell } from './world.js';
import { carOf, inPlace, itemName, itemOf } from './world.js';
import { listed, nameText } from './wording.js';

const RUNNING: Outcome = { status: 'running', reason: '' };

export function outcomeOf(world: Workcell, state: WorkcellState): Outcome {
  const burntSound = state.burnt.find((id) => itemOf(state, id).fault === null);
  if (world.definition.rules.isBurningSoundFatal && burntSound !== undefined)
    return failed(`The ${itemName(world, state, burntSound)} was burnt, and nothing was wrong with it.`);
  const items = Object.values(state.items);
  const { parts } = carOf(world, state);
  const hopeless = parts.find(({ id }) => !items.some((item) => isLeft(state, item) && item.part === id));
  if (hopeless !== undefined)
    return failed(`No sound part is left for the place of the ${nameText(hopeless.name)}.`);
  const isWhole = parts.every(({ id }) => isSound(state, inPlace(state, id)));
  const faulty = items.filter(({ fault }) => fault !== null);
  if (!isWhole || !faulty.every(({ id }) => state.burnt.includes(id))) return RUNNING;
  const names = listed(faulty.map(({ id }) => itemName(world, state, id)));
  return {
    status: 'succeeded',
    reason: `The faulty ${names} was burnt, and every part of the car is sound.`,
  };
}

function failed(reason: string): Outcome {
  return { status: 'failed', reason };
}

function isLeft(state: WorkcellState, { id, fault }: ItemState): boolean {
  return fault === null && !state.burnt.includes(id);
}

function isSound(state: WorkcellState, item: string | null): boolean {
  return item !== null && itemOf(state, item).fault === null;
}
