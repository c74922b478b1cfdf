/**
 * REST: the action of a body that no one controls. The body stands idle, or sleeps if it is on something
 * restful, such as a bed; whoever sees the body sees this too. The loop uses it in place of a decision;
 * agents can't choose it. The body's next other action ends it.
 */
import { REST } from '../../../environment/action.js';
import { samePoint } from '../../../environment/space.js';
import { setBody } from '../change.js';
import { chunkAt, chunkOf } from '../chunks.js';
import { happened } from '../events.js';
import type { BodyState, GridState } from '../state.js';
import type { GridWorld } from '../world.js';
import { bodyOf, positionOf, thingDefinition, thingOf } from '../world.js';
import type { GridAction } from './grid-action.js';

export function restAction(world: GridWorld): GridAction {
  return {
    name: REST,
    aliases: [],
    description: 'Stand idle, or sleep on something restful.',
    grammar: null,
    examples: [''],
    cost: 'turn',
    check: () => undefined,
    apply: (state, agent) => {
      const resting = isOnBed(world, state, agent) ? 'asleep' : 'idle';
      const previous = bodyOf(state, agent)?.resting;
      const message = resting === 'asleep' ? 'You slept.' : 'You stood idle.';
      if (previous === resting) return { state, message, events: [] };
      const at = positionOf(state, agent);
      return {
        state: setBody(state, agent, { resting }),
        message,
        events: [happened('rested', agent, at, { as: resting })],
      };
    },
  };
}

function isOnBed(world: GridWorld, state: GridState, agent: string): boolean {
  const position = positionOf(state, agent);
  return (chunkAt(state.ground, chunkOf(position)) ?? []).some((id) => {
    const thing = thingOf(state, id);
    const isHere = thing?.place.at === 'tile' && samePoint(thing.place, position);
    return isHere && thingDefinition(world, thing).restful === true;
  });
}

/** The state in which the bodies that act no longer rest. */
export function wakeUp(state: GridState, actors: readonly string[]): GridState {
  const resting = actors.filter((id) => bodyOf(state, id)?.resting !== undefined);
  if (resting.length === 0) return state;
  const awake = resting.flatMap((id) => {
    const body = bodyOf(state, id);
    if (body === undefined) return [];
    const { resting: _resting, ...rest } = body;
    return [[id, rest satisfies BodyState] as const];
  });
  return { ...state, bodies: { ...state.bodies, ...Object.fromEntries(awake) } };
}
