/**
 * What has been shown to an agent that has to ask for what is in sight (`rules.observe: ask`): LOOK shows
 * everything in sight, and whatever the agent has held or has seen in an open container stays known. The
 * agent's view (`view.ts`) contains nothing else.
 */
import { compareText } from '../../base/ids.js';
import type { GridState } from './state.js';
import type { AgentView } from './view.js';
import { everythingInSight, idsOf, viewOf } from './view.js';
import type { GridWorld } from './world.js';
import { mindOf } from './world.js';

/** The state after LOOK has shown an agent what is in sight; the same state if agents don't have to ask. */
export function showAll(world: GridWorld, state: GridState, agent: string): GridState {
  return show(world, state, agent, everythingInSight);
}

/** The state after an agent has taken in what it holds and what is in the containers that it opened. */
export function showHandled(world: GridWorld, state: GridState, agent: string): GridState {
  return show(world, state, agent, viewOf);
}

function show(
  world: GridWorld,
  state: GridState,
  agent: string,
  look: (world: GridWorld, state: GridState, agent: string) => AgentView,
): GridState {
  if (world.definition.rules.observe !== 'ask') return state;
  const mind = mindOf(state, agent);
  const before = mind.revealed ?? [];
  const { things, held, bodies, memories } = look(world, state, agent);
  const now = [...[...things, ...held].flatMap(idsOf), ...[...bodies, ...memories].map(({ id }) => id)];
  const revealed = [...new Set([...before, ...now])].toSorted(compareText);
  if (revealed.length === before.length) return state;
  return { ...state, minds: { ...state.minds, [agent]: { ...mind, revealed } } };
}
