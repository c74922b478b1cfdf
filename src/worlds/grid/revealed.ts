/**
 * What has been revealed to an agent that must LOOK to see (`rules.observe: ask`): LOOK reveals everything in
 * sight, and whatever the agent has held or has seen in an open container stays revealed. The agent's view
 * (`view.ts`) contains nothing else.
 */
import { compareText } from '../../base/ids.js';
import type { GridState } from './state.js';
import type { AgentView } from './view.js';
import { everythingInSight, idsOf, viewOf } from './view.js';
import type { GridWorld } from './world.js';
import { mindOf } from './world.js';

/** The state after LOOK has revealed what is in sight; unchanged without `observe: ask`. */
export function showAll(world: GridWorld, state: GridState, agent: string): GridState {
  return reveal(world, state, agent, everythingInSight);
}

/** The state after what an agent holds, and what is in containers that it opened, has been revealed to it. */
export function showHandled(world: GridWorld, state: GridState, agent: string): GridState {
  return reveal(world, state, agent, viewOf);
}

function reveal(
  world: GridWorld,
  state: GridState,
  agent: string,
  viewFor: (world: GridWorld, state: GridState, agent: string) => AgentView,
): GridState {
  if (world.definition.rules.observe !== 'ask') return state;
  const mind = mindOf(state, agent);
  const previousIds = mind.revealed ?? [];
  const { things, held, bodies, memories } = viewFor(world, state, agent);
  const visibleIds = [
    ...[...things, ...held].flatMap(idsOf),
    ...[...bodies, ...memories].map(({ id }) => id),
  ];
  const revealed = [...new Set([...previousIds, ...visibleIds])].toSorted(compareText);
  if (revealed.length === previousIds.length) return state;
  return { ...state, minds: { ...state.minds, [agent]: { ...mind, revealed } } };
}
