/** Puts the players of a batch's runs into a checked scenario. Plain data in and out. */
import type { BatchPlayers } from '../scenario/batch.js';
import type { AgentSpec, ControllerSpec, Scenario } from '../scenario/scenario.js';
import { isPartOfWorld, isWorldModel, withWorldModels } from '../scenario/world-part.js';

/** The key of the batch's model in a scenario. */
const MODEL = 'batch';

/** Agents that are part of the world keep their controllers and models. */
export function withPlayers(scenario: Scenario, players: BatchPlayers): Scenario {
  if (players.kind === 'own') return scenario;
  const world = withWorldModels(scenario);
  const controller: ControllerSpec =
    players.kind === 'model' ? { kind: 'model', model: MODEL } : { kind: players.kind };
  const agents = world.agents.map((agent) => (isPartOfWorld(agent) ? agent : { ...agent, controller }));
  const worldModels = Object.fromEntries(Object.entries(world.models).filter(([name]) => isWorldModel(name)));
  const models = players.kind === 'model' ? { ...worldModels, [MODEL]: players.spec } : worldModels;
  return { ...scenario, agents, models };
}

/** The scenario's own players, except for the agents for which a program of the user's decides. */
export function withPrograms(scenario: Scenario, agents: readonly string[]): Scenario {
  const withProgram = (agent: AgentSpec): AgentSpec =>
    agents.includes(agent.id) ? { ...agent, controller: { kind: 'process' } } : agent;
  return { ...scenario, agents: scenario.agents.map(withProgram) };
}

/** The batch's model on one of its servers. */
export function onServer(scenario: Scenario, players: BatchPlayers, baseUrl: string | null): Scenario {
  if (players.kind !== 'model' || baseUrl === null) return scenario;
  return { ...scenario, models: { ...scenario.models, [MODEL]: { ...players.spec, baseUrl } } };
}
