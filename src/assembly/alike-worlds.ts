/**
 * The worlds that agents can't tell apart before they have perceived something, for a search that decides
 * without a lucky guess: those in which things that look alike have exchanged their effects, and those with
 * other draws. Where things are on a generated map is taken as known.
 */
import { known } from '../base/assert.js';
import { canonicalJson, hashJson } from '../base/canonical.js';
import type { Environment } from '../environment/environment.js';
import { possibleWorlds } from '../scenario/possible-worlds.js';
import type { PossibleWorld } from '../scenario/possible-worlds.js';
import type { AgentSpec } from '../scenario/scenario.js';
import { isPartOfWorld } from '../scenario/world-part.js';
import type { OpenedScenario } from './opened-scenario.js';
import type { WorldAgent } from '../solve/position.js';
import { environmentOf } from './scenario-environment.js';
import { searchRules } from './seats.js';

/** The maximum number of worlds in which a policy is searched. */
const WORLDS_TRIED = 32;

/**
 * The worlds that an agent can't tell apart before it has perceived something: those with exchanged lookalikes,
 * and those with other draws. The actual one is the first. By world and agent, what the agent is told at the
 * beginning, which may tell it what was drawn.
 */
export function alikeWorlds({
  scenario,
  environment,
  module,
  loaded,
}: Pick<OpenedScenario, 'scenario' | 'environment' | 'module' | 'loaded'>): {
  worlds: readonly Environment<unknown>[];
  briefings: readonly Readonly<Record<string, string>>[];
  /** Its agents of the world, which may know what was drawn. */
  worldAgents: ReadonlyMap<string, WorldAgent>;
  untried: number;
} {
  const briefingOf = (agents: readonly AgentSpec[]): Readonly<Record<string, string>> =>
    Object.fromEntries(
      agents.map(({ id, name, persona, goals }) => [id, hashJson('briefing', { name, persona, goals })]),
    );
  const lookalikes = environment.search?.indistinguishableWorlds?.() ?? [];
  const ownBriefing = briefingOf(scenario.agents);
  const ownAgents = searchRules(scenario, environment).world ?? new Map<string, WorldAgent>();
  if (scenario.draw === undefined)
    return { worlds: [environment, ...lookalikes], briefings: [], worldAgents: ownAgents, untried: 0 };
  const possible = possibleWorlds(scenario, { reader: module.reader, sprites: loaded.sprites });
  const actual = canonicalJson(scenario.draw.drawn);
  // Other draws may give the same world: a shuffled list of which only the first is used.
  const same = (possible ?? []).filter(({ drawn }) => canonicalJson(drawn) === actual);
  const contents = new Set(same.map(contentOf));
  const isNew = (world: PossibleWorld): boolean => contents.size < contents.add(contentOf(world)).size;
  const seats = scenario.agents.filter((agent) => !isPartOfWorld(agent)).map(({ id }) => id);
  // What all are told the difference of is no other world to any of them.
  const isToldToAll = (briefing: Readonly<Record<string, string>>): boolean =>
    seats.every((id) => briefing[id] !== ownBriefing[id]);
  const others = (possible ?? []).filter((world) => !isToldToAll(briefingOf(world.agents)) && isNew(world));
  const tried = others.slice(0, WORLDS_TRIED);
  const drawn = tried.map(({ definition, agents }) =>
    environmentOf(module, { ...scenario, definition, agents }),
  );
  const worlds = [environment, ...lookalikes, ...drawn];
  const phrases = worlds.flatMap((world) => {
    const state = world.create(scenario.seed);
    return world.agents.flatMap((agent) => world.search?.texts?.(state, agent) ?? []);
  });
  const said = [...new Set([...phrases, ...wordsOf(possible ?? [])])];
  const sayingWorlds = worlds.map((world) => withTexts(world, said));
  const agentsByWorld = new Map<unknown, ReadonlyMap<string, WorldAgent>>(
    tried.map(({ agents }, index) => {
      const world = known(sayingWorlds[1 + lookalikes.length + index], 'a world with other draws');
      return [world, searchRules({ ...scenario, agents }, world).world ?? new Map()];
    }),
  );
  const worldAgents = [...ownAgents].map(([id, own]): [string, WorldAgent] => [
    id,
    (world, ...call) => (agentsByWorld.get(world)?.get(id) ?? own)(world, ...call),
  ]);
  return {
    worlds: sayingWorlds,
    worldAgents: new Map(worldAgents),
    briefings: [
      ownBriefing,
      ...lookalikes.map(() => ownBriefing),
      ...tried.map(({ agents }) => briefingOf(agents)),
    ],
    untried: possible === null ? Infinity : others.length - tried.length,
  };
}

function contentOf({ definition, agents }: PossibleWorld): string {
  return canonicalJson({ definition, agents });
}

/** The words that are drawn: whoever knows one can say it. */
function wordsOf(possible: readonly PossibleWorld[]): readonly string[] {
  const words = (value: unknown): readonly string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(words);
  return possible.flatMap(({ drawn }) => Object.values(drawn).flatMap((value) => words(value)));
}

function withTexts(world: Environment<unknown>, added: readonly string[]): Environment<unknown> {
  const { search } = world;
  if (search?.texts === undefined) return world;
  return {
    ...world,
    search: {
      ...search,
      texts: (state, agent) => [...new Set([...(search.texts?.(state, agent) ?? []), ...added])],
    },
  };
}
