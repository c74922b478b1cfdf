/**
 * The worlds that agents can't tell apart before they have perceived something, for a search that decides
 * without a lucky guess: those in which things that look alike have exchanged their effects, and those with
 * other draws. Where things are on a generated map is taken as known.
 */
import { canonicalJson, hashJson } from '../base/canonical.js';
import type { Environment } from '../environment/environment.js';
import { namedValues } from '../scenario/draw.js';
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

type Briefing = Readonly<Record<string, string>>;

/**
 * The actual world is the first. By world and agent, what the agent is told at the beginning, which may tell it what
 * was drawn.
 */
export function alikeWorlds({
  scenario,
  environment,
  module,
  loaded,
}: Pick<OpenedScenario, 'scenario' | 'environment' | 'module' | 'loaded'>): {
  worlds: readonly Environment<unknown>[];
  briefings: readonly Briefing[];
  /** Its agents of the world, which may know what was drawn. */
  worldAgents: ReadonlyMap<string, WorldAgent>;
  untried: number;
} {
  const lookalikes = environment.search?.indistinguishableWorlds?.() ?? [];
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
  const ownBriefing = briefingOf(scenario.agents);
  // What all are told the difference of is no other world to any of them.
  const isToldToAll = (briefing: Briefing): boolean => seats.every((id) => briefing[id] !== ownBriefing[id]);
  const others = (possible ?? []).filter((world) => !isToldToAll(briefingOf(world.agents)) && isNew(world));
  const tried = others.slice(0, WORLDS_TRIED);
  const alike = [
    ...[environment, ...lookalikes].map((world) => ({ world, agents: scenario.agents })),
    ...tried.map(({ definition, agents }) => {
      return { world: environmentOf(module, { ...scenario, definition, agents }), agents };
    }),
  ];
  const phrases = alike.flatMap(({ world }) => {
    const state = world.create(scenario.seed);
    return world.agents.flatMap((agent) => world.search?.texts?.(state, agent) ?? []);
  });
  // Whoever knows a word that is drawn can say it.
  const words = (possible ?? []).flatMap(({ drawn }) => [...namedValues(drawn).values()]);
  const said = [...new Set([...phrases, ...words.filter((word) => typeof word === 'string')])];
  const saying = alike.map(({ world, agents }) => ({ world: withTexts(world, said), agents }));
  const agentsByWorld = new Map<unknown, ReadonlyMap<string, WorldAgent> | undefined>(
    saying.map(({ world, agents }) => [
      world,
      agents === scenario.agents ? ownAgents : searchRules({ ...scenario, agents }, world).world,
    ]),
  );
  const worldAgents = [...ownAgents].map(([id, own]): [string, WorldAgent] => [
    id,
    (world, ...call) => (agentsByWorld.get(world)?.get(id) ?? own)(world, ...call),
  ]);
  return {
    worlds: saying.map(({ world }) => world),
    worldAgents: new Map(worldAgents),
    briefings: alike.map(({ agents }) => briefingOf(agents)),
    untried: possible === null ? Infinity : others.length - tried.length,
  };
}

function briefingOf(agents: readonly AgentSpec[]): Briefing {
  return Object.fromEntries(
    agents.map(({ id, name, persona, goals }) => [id, hashJson('briefing', { name, persona, goals })]),
  );
}

function contentOf({ definition, agents }: PossibleWorld): string {
  return canonicalJson({ definition, agents });
}

function withTexts(world: Environment<unknown>, added: readonly string[]): Environment<unknown> {
  const { search } = world;
  if (search?.texts === undefined) return world;
  const texts: typeof search.texts = (state, agent) => [
    ...new Set([...(search.texts?.(state, agent) ?? []), ...added]),
  ];
  return { ...world, search: { ...search, texts } };
}
