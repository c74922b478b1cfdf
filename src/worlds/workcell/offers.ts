/**
 * The legal actions of a robot: those that the scenario lets it use, each with the arguments against which its own `check` has nothing;
 * and `check` says only what the robot knows, so that an offer tells nothing that is hidden.
 */
import type { OfferedAction } from '../../environment/observation.js';
import { offerOf } from '../../environment/legal-action.js';
import { nounsOf } from './nouns.js';
import type { WorkcellRegistry } from './registry.js';
import type { WorkcellState } from './state.js';
import { viewOf } from './view.js';
import type { Workcell } from './world.js';
import { isAllowed } from './world.js';

/** Names of the actions that the scenario lets a robot use, sorted. */
export function scopeOf(world: Workcell, actions: WorkcellRegistry, agent: string): readonly string[] {
  return actions.list().flatMap(({ name }) => (isAllowed(world, agent, name) ? [name] : []));
}

/** The legal actions, sorted by name; none for a robot that acts no more. */
export function legalActions(
  world: Workcell,
  state: WorkcellState,
  agent: string,
  actions: WorkcellRegistry,
): readonly OfferedAction[] {
  const view = viewOf(world, state, agent);
  if (view.self.status !== 'awake') return [];
  const nouns = nounsOf(world, view);
  const spoken = (id: string): string => {
    const name = nouns.find((noun) => noun.id === id)?.name ?? id;
    return nouns.some((other) => other.id !== id && other.name === name) ? id : name;
  };
  return actions.list().flatMap((action) => {
    if (!isAllowed(world, agent, action.name)) return [];
    const accepts = (args: Parameters<typeof action.check>[2]) =>
      action.check(state, agent, args) === undefined;
    return offerOf(action, { nouns, spoken, accepts }) ?? [];
  });
}
