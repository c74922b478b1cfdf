/**
 * The built-in default controller: plays any world whose facts one of the built-in players understands. It
 * uses only an agent's observation, and answers in text, which the same parser reads as a model's reply.
 */
import { predictable } from '../agent/controller.js';
import type { Controller } from '../agent/controller.js';
import { embeddedReply } from '../agent/controllers/embedded-reply.js';
import { NOTHING_TO_DO } from '../agent/controllers/scripted-player.js';
import type { Json, JsonObject } from '../base/json.js';
import { isObject, isRecord } from '../base/json.js';
import { DIRECTIONS } from '../environment/space.js';
import { PLAYERS } from './registry.js';

/**
 * The built-in player, which plays if no other controller is specified. It uses only the observation, without
 * a model, and answers in the protocol `command`.
 */
export function scriptedController(): Controller {
  return predictable('scripted', (input) => {
    for (const play of PLAYERS) {
      const played = play(input);
      if (played === null) continue;
      const { why, command } = played.wish ?? NOTHING_TO_DO;
      const words = inWords(command, input.observation.facts);
      return { reply: embeddedReply(`${why}\nACTION: ${words}`), memory: played.memory };
    }
    const { why, command } = NOTHING_TO_DO;
    return { reply: embeddedReply(`${why}\nACTION: ${command}`), memory: input.memory };
  });
}

/** A command whose ids are what texts call these things, as far as facts tell it and such words are understood. */
function inWords(command: string, facts: JsonObject): string {
  const names = new Map<string, string>();
  const addNames = (value: Json): void => {
    if (!isObject(value)) return;
    if (isRecord<Json>(value)) {
      const { id, door = id, name, distinctName = name } = value;
      if (typeof door === 'string' && typeof distinctName === 'string') names.set(door, distinctName);
    }
    Object.values(value).forEach(addNames);
  };
  addNames(facts);
  const isDirection = (word: string): boolean => DIRECTIONS.some((one) => one === word.toLowerCase());
  const isUnderstood = (name: string): boolean =>
    /^\p{L}[\p{L}\p{N}' -]*$/u.test(name) && !isDirection(name) && !names.has(name);
  // What is said is left as it is.
  return command.replace(/"(?:[^"\\]|\\.)*"|\S+/g, (word) => {
    const name = isDirection(word) ? undefined : names.get(word);
    return name !== undefined && isUnderstood(name) ? name : word;
  });
}
