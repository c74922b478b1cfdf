/** Puts the players of a batch's runs into a checked scenario. Plain data in and out. */
import { UsageError } from '../base/errors.js';
import { compareText } from '../base/ids.js';
import { lookUp } from '../base/look-up.js';
import { meantOf } from '../base/nearest.js';
import { BUILT_IN_PLAYERS } from '../scenario/controllers.js';
import type { BatchPlayer, BatchPlayers } from '../scenario/batch.js';
import type { AgentSpec, ControllerSpec, Scenario } from '../scenario/scenario.js';
import { isPartOfWorld, isWorldModel, withWorldModels } from '../scenario/world-part.js';

/** The key of the batch's model in a scenario, if one model plays all agents. */
const MODEL = 'batch';

type BatchModel = Extract<BatchPlayer, { kind: 'model' }>;

/** The models of a run's players, by their keys in its scenario: their names if different players have seats. */
export function batchModels(players: BatchPlayers): Readonly<Record<string, BatchModel>> {
  if (players.kind === 'model') return { [MODEL]: players };
  if (players.kind !== 'seats') return {};
  const models = Object.values(players.seats).flatMap(({ name, player }) =>
    player.kind === 'model' ? [[name, player] as const] : [],
  );
  // In the order of their names, because a run's id covers them in order.
  return Object.fromEntries(models.toSorted(([a], [b]) => compareText(a, b)));
}

/** By agent, the name of the player of its seat; undefined if all agents have the same player, or their own. */
export function seatNames(players: BatchPlayers): Readonly<Record<string, string>> | undefined {
  if (players.kind !== 'seats') return undefined;
  return Object.fromEntries(Object.entries(players.seats).map(([agent, { name }]) => [agent, name]));
}

/** Agents that are part of the world keep their controllers and models. */
export function withPlayers(scenario: Scenario, players: BatchPlayers): Scenario {
  if (players.kind === 'own') return scenario;
  const world = withWorldModels(scenario);
  const controllerOf = ({ id, controller }: AgentSpec): ControllerSpec => {
    const seat = players.kind === 'seats' ? lookUp(players.seats, id) : { name: MODEL, player: players };
    // Such an agent is reported by `requireSeats`.
    if (seat === undefined) return controller;
    const { name, player } = seat;
    return player.kind === 'model' ? { kind: 'model', model: name } : { kind: player.kind };
  };
  const agents = world.agents.map((agent) =>
    isPartOfWorld(agent) ? agent : { ...agent, controller: controllerOf(agent) },
  );
  const models = Object.fromEntries([
    ...Object.entries(world.models).filter(([name]) => isWorldModel(name)),
    ...Object.entries(batchModels(players)).map(([name, { spec }]) => [name, spec] as const),
  ]);
  return { ...scenario, agents, models };
}

/** Throws UsageError unless the seats are those of the agents that a player may play. `lineup`: their name. */
export function requireSeats({ name, agents }: Scenario, players: BatchPlayers, lineup: string): void {
  if (players.kind !== 'seats') return;
  const playable = agents.filter((agent) => !isPartOfWorld(agent)).map(({ id }) => id);
  for (const seat of Object.keys(players.seats).filter((id) => !playable.includes(id))) {
    const isOfWorld = agents.some(({ id }) => id === seat);
    throw new UsageError(
      isOfWorld
        ? `${lineup} has a seat for ${seat}, but in ${name} it is part of the world`
        : `${lineup} has a seat for ${seat}, but ${name} has no such agent`,
      [isOfWorld ? 'it keeps its own controller: leave it out of seats' : meantOf(seat, playable, 'agents')],
    );
  }
  const missing = playable.filter((id) => !Object.hasOwn(players.seats, id));
  if (missing.length > 0)
    throw new UsageError(`${lineup} has no seat for ${missing.join(', ')} of ${name}`, [
      `add to its seats: ${missing.map((id) => `${id}: NAME`).join(', ')}, where NAME is an entry of models or one of ${BUILT_IN_PLAYERS.join(', ')}`,
    ]);
}

/** The scenario's own players, except for the agents for which a program of the user's decides. */
export function withPrograms(scenario: Scenario, agents: readonly string[]): Scenario {
  const withProgram = (agent: AgentSpec): AgentSpec =>
    agents.includes(agent.id) ? { ...agent, controller: { kind: 'process' } } : agent;
  return { ...scenario, agents: scenario.agents.map(withProgram) };
}

/** The address of the server that a run asks, by the key of the model; empty if no model of the batch plays it. */
export type AskedServers = Readonly<Record<string, string>>;

/** The models of a run's players, each on the server that it asks. */
export function askedModels(players: BatchPlayers, servers: AskedServers): Scenario['models'] {
  const asked = Object.entries(batchModels(players)).flatMap(([key, { spec }]) => {
    const baseUrl = lookUp(servers, key);
    return baseUrl === undefined ? [] : [[key, { ...spec, baseUrl }] as const];
  });
  return Object.fromEntries(asked);
}

export function onServers(scenario: Scenario, players: BatchPlayers, servers: AskedServers): Scenario {
  return { ...scenario, models: { ...scenario.models, ...askedModels(players, servers) } };
}
