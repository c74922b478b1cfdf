/**
 * The built-in default controller: plays any world whose facts one of the built-in players understands. It
 * uses only an agent's observation, and answers in text, which the same parser reads as a model's reply.
 */
import { predictable } from '../agent/controller.js';
import type { Controller } from '../agent/controller.js';
import { embeddedReply } from '../agent/controllers/embedded-reply.js';
import type { ReferenceTask, Sense } from '../agent/controllers/reference-player.js';
import { NOTHING_TO_DO } from '../agent/controllers/scripted-player.js';
import type { ScriptedPlayer } from '../agent/controllers/scripted-player.js';
import { UsageError } from '../base/errors.js';
import type { Json } from '../base/json.js';
import { isObject, isRecord } from '../base/json.js';
import { soleNameOf } from '../environment/numbers.js';
import type { Observation } from '../environment/observation.js';
import { DIRECTIONS } from '../environment/space.js';
import { namedValues } from '../scenario/draw.js';
import type { PossibleWorld } from '../scenario/possible-worlds.js';
import type { AgentSpec, Drawn, Scenario } from '../scenario/scenario.js';
import { isPartOfWorld } from '../scenario/world-part.js';
import type { WorldReader } from '../scenario/world.js';
import { PLAYERS, referenceWorld } from './registry.js';

/**
 * The built-in player, which plays if no other controller is specified. It uses only the observation, without
 * a model, and answers in the protocol `command`.
 */
export function scriptedController(): Controller {
  return controllerOf('scripted', PLAYERS);
}

/** A reference player of an agent. Throws UsageError if the world has none. */
export function referenceController(
  sense: Sense,
  agent: AgentSpec,
  scenario: Scenario,
  worldsOf: (reader: WorldReader) => { worlds: readonly PossibleWorld[]; told: ReadonlySet<string> },
): Controller {
  const world = referenceWorld(scenario.environment);
  if (world === undefined)
    throw new UsageError(`the environment ${scenario.environment} has no ${sense} player`, [
      `play ${agent.id} with another controller, such as scripted`,
    ]);
  const { worlds, told } = worldsOf(world.reader);
  const task: ReferenceTask = {
    sense,
    agent: agent.id,
    seed: scenario.seed,
    turnsMax: scenario.turns.max,
    others: scenario.agents.filter((one) => one.id !== agent.id && !isPartOfWorld(one)).map(({ id }) => id),
    hypotheses: worlds.map(({ drawn, definition }) => ({ drawn: drawnScalars(drawn), definition })),
    told,
  };
  return controllerOf(sense, [world.player(task)]);
}

function drawnScalars(drawn: Drawn): Record<string, string | number> {
  const named = [...namedValues(drawn)].map(
    ([name, value]) => [name, typeof value === 'boolean' ? String(value) : value] as const,
  );
  return Object.fromEntries(named);
}

function controllerOf(name: string, players: readonly ScriptedPlayer[]): Controller {
  return predictable(name, (input) => {
    for (const play of players) {
      const played = play(input);
      if (played === null) continue;
      const { why, command } = played.wish ?? NOTHING_TO_DO;
      const words = inWords(command, input.observation);
      return { reply: embeddedReply(`${why}\nACTION: ${words}`), memory: played.memory };
    }
    const { why, command } = NOTHING_TO_DO;
    return { reply: embeddedReply(`${why}\nACTION: ${command}`), memory: input.memory };
  });
}

/**
 * A command whose ids are what texts call these things, as far as facts tell it and such words are understood, or the
 * numbers that alone name them.
 */
function inWords(command: string, observation: Observation): string {
  const names = new Map<string, string>();
  const addNames = (value: Json): void => {
    if (!isObject(value)) return;
    if (isRecord<Json>(value)) {
      const { id, door = id, name, distinctName = name } = value;
      if (typeof door === 'string' && typeof distinctName === 'string') names.set(door, distinctName);
    }
    Object.values(value).forEach(addNames);
  };
  addNames(observation.facts);
  const isDirection = (word: string): boolean => DIRECTIONS.some((one) => one === word.toLowerCase());
  const isUnderstood = (name: string): boolean =>
    /^\p{L}[\p{L}\p{N}' -]*$/u.test(name) && !isDirection(name) && !names.has(name);
  // What is said is left as it is.
  return command.replace(/"(?:[^"\\]|\\.)*"|\S+/g, (word) => {
    if (isDirection(word)) return word;
    const name = names.get(word);
    return soleNameOf(word, observation) ?? (name !== undefined && isUnderstood(name) ? name : word);
  });
}
