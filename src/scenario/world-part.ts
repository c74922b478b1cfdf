/**
 * Agents that are part of the world, such as one who rings a bell or errs on purpose. They keep their
 * controllers and models, whoever plays the other agents, and are not named as players. Plain data in and
 * out.
 */
import { lookUp } from '../base/look-up.js';
import type { AgentSpec, Scenario } from './scenario.js';

/** An agent with fixed replies is part of the world too. */
export function isPartOfWorld({ part, controller }: AgentSpec): boolean {
  return part === 'world' || controller.kind === 'replies';
}

/** Ids of the agents that are not; if all others have fixed replies, of these. */
export function playedAgents({ agents }: Pick<Scenario, 'agents'>): readonly string[] {
  const played = agents.filter((agent) => !isPartOfWorld(agent));
  const fixed = agents.filter(({ part }) => part !== 'world');
  return (played.length === 0 ? fixed : played).map(({ id }) => id);
}

/** No author can write a name with a space, so it is no other model's. */
const WORLD_MODEL = 'world ';

/** Whether a model is asked only by agents of the world, after `withWorldModels`. */
export function isWorldModel(name: string): boolean {
  return name.startsWith(WORLD_MODEL);
}

/** The same scenario, in which agents of the world ask models of their own, which the others don't share. */
export function withWorldModels(scenario: Scenario): Scenario {
  const models = { ...scenario.models };
  const agents = scenario.agents.map((agent): AgentSpec => {
    const { controller } = agent;
    if (!isPartOfWorld(agent) || controller.kind !== 'model' || isWorldModel(controller.model)) return agent;
    const spec = lookUp(scenario.models, controller.model);
    if (spec === undefined) return agent;
    const model = `${WORLD_MODEL}${controller.model}`;
    models[model] = spec;
    return { ...agent, controller: { ...controller, model } };
  });
  return { ...scenario, agents, models };
}
