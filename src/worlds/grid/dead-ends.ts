/**
 * Whether a condition can certainly never come true any more: because only an agent could bring it about that acts no more, or because it
 * takes words and nobody may speak. In: a state and the actions that nobody may use; out: certainty or none.
 */
import { isAllowed } from './world.js';
import { activeAgents, isTrue } from './conditions.js';
import type { GridCondition } from './definition.js';
import { ANY_AGENT, EVERY_AGENT } from './definition.js';
import type { GridState } from './state.js';
import type { GridWorld } from './world.js';

/** The actions that carry words. */
const SPEECH = ['SPEAK', 'ANNOUNCE'];

/** What only the agent itself can do: walk, speak, read. */
const ITS_OWN_DOING: readonly GridCondition['kind'][] = ['in-room', 'at', 'heard', 'read'];

export function isHopeless(
  world: GridWorld,
  state: GridState,
  condition: GridCondition,
  withdrawn: readonly string[],
): boolean {
  if (isTrue(world, state, condition)) return false;
  const isLost = (each: GridCondition): boolean => isHopeless(world, state, each, withdrawn);
  if (condition.kind === 'all') return condition.of.some(isLost);
  if (condition.kind === 'any') return condition.of.every(isLost);
  if (!('agent' in condition) || !ITS_OWN_DOING.includes(condition.kind)) return false;
  const { kind, agent } = condition;
  const active = activeAgents(world, state);
  const able = active.filter((id) => kind !== 'heard' || canSpeak(world, id, withdrawn));
  if (agent === ANY_AGENT) return able.length === 0;
  if (agent === EVERY_AGENT) {
    const others = world.definition.agents.filter(({ id }) => !able.includes(id));
    return others.some(({ id }) => !isTrue(world, state, { ...condition, agent: id }));
  }
  return !able.includes(agent);
}

function canSpeak(world: GridWorld, agent: string, withdrawn: readonly string[]): boolean {
  return SPEECH.some((action) => !withdrawn.includes(action) && isAllowed(world, agent, action));
}
