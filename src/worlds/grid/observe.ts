/**
 * The observation of one agent: text, facts, nouns, offered actions and scene, all made from what it
 * perceives (`perception.ts`). It only reads. What the agent heard and noticed comes from its inbox.
 */
import type { Observation } from '../../environment/observation.js';
import { factsOf } from './facts.js';
import { offersOf, scopeOf } from './legal-actions.js';
import { perceptionOf } from './perception.js';
import { sceneOf } from './scene.js';
import type { GridState } from './state.js';
import { sectionsOf } from './text.js';
import type { GridWorld } from './world.js';
import { isPlain } from './world.js';
import type { ActionRegistry } from '../../environment/action.js';

export function observe(
  world: GridWorld,
  state: GridState,
  agent: string,
  actions: ActionRegistry<GridState>,
): Observation {
  const perception = perceptionOf(world, state, agent);
  return {
    agent,
    turn: state.turn,
    sections: sectionsOf(world, state, perception),
    scope: scopeOf(world, actions, agent),
    offered: offersOf(world, state, perception, actions),
    nouns: perception.nouns,
    facts: factsOf(world, state, perception),
    scene: sceneOf(world, state, perception.view),
    ...(isPlain(world) ? { refusals: 'plain' } : {}),
  };
}
