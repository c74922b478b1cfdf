/** Work that takes several actions: performs one of them and, if it was the last, the effect of the work. */
import { known } from '../../../base/assert.js';
import type { Problem } from '../../../base/problem.js';
import { problem } from '../../../base/problem.js';
import type { Event } from '../../../environment/action.js';
import { removeThing, setDoor, setMark, setThing } from '../change.js';
import { workMark } from '../conditions.js';
import type { WorkDefinition } from '../definition.js';
import { happened } from '../events.js';
import type { GridOutcome } from './grid-action.js';
import type { GridState } from '../state.js';
import type { ThingTarget } from '../targets.js';
import type { GridWorld } from '../world.js';
import { bodyAt, doorOf } from '../world.js';

export function doWork(world: GridWorld, state: GridState, agent: string, target: ThingTarget): GridOutcome {
  const remaining = known(target.item.work, 'work left') - 1;
  const work = known(target.definition.work, 'work');
  const worked = setThing(state, target.id, { work: remaining });
  const data = { id: target.id, name: target.name };
  if (remaining > 0) {
    const times = remaining === 1 ? 'once more' : `${remaining} times more`;
    return {
      state: worked,
      message: `You worked on ${target.name}. It takes ${times}.`,
      events: [happened('worked', agent, target.at, { ...data, remaining })],
    };
  }
  return {
    state: setMark(applyWorkEffect(worked, target.id, work), workMark(target.definition.id)),
    message: work.done === '' ? `You finished the work on ${target.name}.` : work.done,
    ...(work.done === '' ? {} : { told: work.done }),
    events: [
      happened('finished-work', agent, target.at, { ...data, told: work.done }),
      ...doorEvents(world, state, agent, work),
    ],
  };
}

/** `become` changes nothing in the state: the appearance of a thing follows from its finished work. */
function applyWorkEffect(state: GridState, thing: string, { effect }: WorkDefinition): GridState {
  if (effect.kind === 'remove') return removeThing(state, thing);
  return effect.kind === 'open-door' ? setDoor(state, effect.door, { state: 'open', openFor: 0 }) : state;
}

function doorEvents(
  world: GridWorld,
  state: GridState,
  agent: string,
  { effect }: WorkDefinition,
): readonly Event[] {
  if (effect.kind !== 'open-door' || doorOf(state, effect.door)?.state === 'open') return [];
  const { id, name, x, y } = known(world.doors.get(effect.door), effect.door);
  return [happened('opened', agent, { x, y }, { id, name })];
}

/** The problem if a body is on the tile that the thing would block when its work is finished. */
export function checkFinishable(state: GridState, target: ThingTarget): Problem | undefined {
  const effect = target.definition.work?.effect;
  const isLast = target.item.work === 1 && target.item.place.at === 'tile';
  if (!isLast || effect?.kind !== 'become' || !effect.blocking || bodyAt(state, target.at) === null)
    return undefined;
  return problem('illegal/blocked', `Somebody stands in the way of ${target.name}.`);
}
