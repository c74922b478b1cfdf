/** Puts the players of a batch's runs into a checked scenario. Plain data in and out. */
import type { BatchPlayers } from '../scenario/batch.js';
import type { AgentSpec, ControllerSpec, Scenario } from '../scenario/scenario.js';

/** The key of the batch's model in a scenario. */
const MODEL = 'batch';

/** Agents with fixed replies keep them: they are part of the scenario, not players. */
export function withPlayers(scenario: Scenario, players: BatchPlayers): Scenario {
  if (players.kind === 'own') return scenario;
  const controller: ControllerSpec =
    players.kind === 'model' ? { kind: 'model', model: MODEL } : { kind: players.kind };
  const agents = scenario.agents.map((agent) =>
    agent.controller.kind === 'replies' ? agent : { ...agent, controller },
  );
  const models = players.kind === 'model' ? { [MODEL]: players.spec } : {};
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
  return { ...scenario, models: { [MODEL]: { ...players.spec, baseUrl } } };
}
