/**
 * Promise 6: order that means nothing changes nothing. Two copies of a world are played side by side; in one of them everything that has no order of
 * its own is shuffled: things, doors, NPCs and rooms of the definition, the keys of every map in it, in the state and in the
 * YAML file, and the arrival of simultaneous intents. State, its hashes, results, events and observations stay the same.
 */
import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { randomController } from '../../src/agent/controllers/random.js';
import { known } from '../../src/base/assert.js';
import { canonicalJson, sha256 } from '../../src/base/canonical.js';
import { compareText } from '../../src/base/ids.js';
import type { Json } from '../../src/base/json.js';
import type { Event, Intent } from '../../src/environment/action.js';
import type { ActResult, Environment } from '../../src/environment/environment.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { FREE_FORM } from '../../src/model/chat.js';
import { interpret } from '../../src/binding/interpret.js';
import { protocolOf } from '../../src/parse/protocols.js';
import { moduleOf } from '../../src/worlds/environment-module.js';
import { MODULES } from '../../src/worlds/registry.js';
import { builtInTileset } from '../../src/assembly/tilesets.js';
import type { ScenarioFile } from '../../src/scenario/files.js';
import { openScenarioFile } from '../../src/scenario/folder.js';
import { loadScenario } from '../../src/scenario/load.js';
import { ROOT } from '../support/children.js';
import { partsFor } from '../support/play.js';
import { mixedKeys } from '../support/key-order.js';
import type { Below } from './chance.js';
import { chance, shuffled } from './chance.js';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';

const FILES = readdirSync(`${ROOT}/scenarios`).filter((name) => name.endsWith('.yaml'));

const TURNS = 8;

/** Lists of a definition that are told apart by ids, so that their order says nothing. Agents aren't: they act in their order. */
const UNORDERED = new Set(['things', 'doors', 'npcs', 'rooms']);

interface Game {
  plain: Environment<unknown>;
  other: Environment<unknown>;
  below: Below;
  seed: string;
}

/** What one random agent wants; null where it says nothing that can be read. */
async function wish({ plain, seed }: Game, state: unknown, agent: string): Promise<Intent | null> {
  const observation = plain.observe(state, agent);
  const vocabulary = plain.actions.list();
  const scope = vocabulary.filter(
    ({ name, outside }) => plain.scope(agent).includes(name) && outside === undefined,
  );
  const player = randomController(`${seed} ${observation.turn}`, agent, scope);
  const input = {
    agent,
    turn: observation.turn,
    attempt: 1,
    observation,
    messages: [],
    form: FREE_FORM,
    memory: null,
  };
  const { reply } = await player.decide(input, new AbortController().signal);
  return interpret(reply, protocolOf('command'), vocabulary, plain.actions, observation).intent;
}

function byAgent(intents: readonly Intent[], results: readonly ActResult[]): string {
  const told = intents.map(({ agent }, index) => [agent, results[index]] as const);
  return canonicalJson(told.toSorted(([one], [other]) => compareText(one, other)));
}

/** Steps both copies; where they differ, it is told in words. */
function advanced(game: Game, [state, other]: readonly [unknown, unknown], intents: readonly Intent[]) {
  const moved = shuffled(game.below, intents);
  const [one, two] = [game.plain.advance(state, intents), game.other.advance(other, moved)];
  same('results', byAgent(intents, one.results), byAgent(moved, two.results));
  same('events', canonicalJson(one.events), canonicalJson(two.events));
  same('the state', canonicalJson(one.state), canonicalJson(two.state));
  return mixedPair(game, one.state, two.state);
}

/** The other state with its keys in another order, which no hash may tell. */
function mixedPair({ plain, other, below }: Game, one: unknown, two: unknown): readonly [unknown, unknown] {
  const moved = mixedKeys(two as Json, below);
  same('hashes', canonicalJson(plain.parts(one)), canonicalJson(other.parts(moved)));
  return [one, moved];
}

function same(what: string, one: string, other: string): void {
  if (one === other) return;
  let place = 0;
  while (one[place] === other[place]) place += 1;
  const around = (text: string): string => text.slice(Math.max(0, place - 120), place + 120);
  throw new Error(`${what} differ: ${around(one)} | ${around(other)}`);
}

/** Plays both copies; returns how many intents were compared. */
async function playBoth(game: Game): Promise<number> {
  const { plain, other, seed } = game;
  let states: readonly [unknown, unknown] = [plain.create(seed), other.create(seed)];
  same('the first state', canonicalJson(states[0]), canonicalJson(states[1]));
  let compared = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    const agents = plain.active(states[0]);
    for (const agent of agents) {
      same(
        'an observation',
        canonicalJson(plain.observe(states[0], agent)),
        canonicalJson(other.observe(states[1], agent)),
      );
    }
    const wishes = await Promise.all(agents.map((agent) => wish(game, states[0], agent)));
    const intents = wishes.filter((intent) => intent !== null);
    const isFree = ({ action }: Intent): boolean => plain.actions.get(action)?.cost === 'free';
    for (const intent of intents.filter(isFree)) states = advanced(game, states, [intent]);
    const paid = intents.filter((intent) => !isFree(intent));
    if (paid.length > 0) states = advanced(game, states, paid);
    compared += intents.length;
    const [one, two] = [plain.endTurn(states[0]), other.endTurn(states[1])];
    same('events at the end of a turn', canonicalJson(one.events), canonicalJson(two.events));
    same('the state after a turn', canonicalJson(one.state), canonicalJson(two.state));
    states = mixedPair(game, one.state, two.state);
  }
  return compared;
}

async function opened(path: string) {
  const { scenario, environment } = await partsFor(path, new MemorySink());
  return { scenario, environment, module: moduleOf(MODULES, scenario.environment) };
}

const totals = { games: 0, intents: 0 };

afterAll(() => {
  reached(
    '6 order',
    `${FILES.length} scenarios, ${grouped(totals.games)} games, ${grouped(totals.intents)} intents, 0 differ`,
  );
});

describe.each(FILES)('%s', (file) => {
  const path = `${ROOT}/scenarios/${file}`;

  it('plays the same whatever the order of ids, keys and intents', SIZED, async () => {
    const { scenario, module } = await opened(path);
    let compared = 0;
    const games = sizeOf('orderGames');
    for (let seed = 0; seed < games; seed++) {
      const below = chance(`${file} ${seed}`);
      const definition = mixedKeys(scenario.definition, below, UNORDERED);
      const game = {
        plain: module.kind.open(scenario.definition),
        other: module.kind.open(definition),
        below,
        seed: String(seed),
      };
      compared += await playBoth(game);
    }
    totals.games += games;
    totals.intents += compared;
  });
});

describe('the keys of a YAML file', () => {
  it.each(FILES)('%s means the same in any order', SIZED, async (name) => {
    const { sprites } = await builtInTileset();
    const file = openScenarioFile(`${ROOT}/scenarios/${name}`);
    const load = (content: ScenarioFile['content']): string => {
      const options = { set: [], worlds: MODULES.map(({ reader }) => reader), known: { sprites } };
      return canonicalJson(loadScenario({ ...file, content }, () => undefined, options).scenario);
    };
    const data: Json = parse(Buffer.from(file.content).toString());
    for (let seed = 0; seed < sizeOf('orderFiles'); seed++) {
      same(
        'the scenario',
        load(file.content),
        load(JSON.stringify(mixedKeys(data, chance(`${name} ${seed}`)))),
      );
    }
  });
});

/** Two copies of one world with a planted fault. */
async function planted(fault: (plain: Environment<unknown>) => Environment<unknown>): Promise<Game> {
  const { environment } = await opened(`${ROOT}/scenarios/crypt.yaml`);
  const faulty = fault(environment);
  return { plain: faulty, other: faulty, below: chance('planted'), seed: '1' };
}

it('a world that takes intents in the order in which they come is found out', async () => {
  const game = await planted((plain) => ({
    ...plain,
    advance: (state, intents) => {
      const advance = plain.advance(state, intents);
      const first = known(intents[0], 'an intent').agent;
      return { ...advance, events: [...advance.events, happened(first)] };
    },
  }));
  await expect(playBoth(game)).rejects.toThrow('events differ');
});

function happened(actor: string): Event {
  return { kind: 'first', actor, at: null, data: {}, seenBy: [] };
}

it('a world that relies on the order of keys is found out', async () => {
  const game = await planted((plain) => ({
    ...plain,
    observe: (state, agent) => ({
      ...plain.observe(state, agent),
      facts: { first: Object.keys(state as object)[0] ?? '' },
    }),
  }));
  await expect(playBoth(game)).rejects.toThrow('an observation differ');
});

it('a world whose hashes tell the order of keys is found out', async () => {
  const game = await planted((plain) => ({
    ...plain,
    parts: (state) => ({ all: sha256(JSON.stringify(state)) }),
  }));
  await expect(playBoth(game)).rejects.toThrow('hashes differ');
});
