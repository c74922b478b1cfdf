/**
 * A controller that decides from facts alone, as a player over the network: its input is made from the
 * observation's facts and offers.
 */
import type { Controller, ControllerInput } from '../../agent/controller.js';
import { UsageError } from '../../base/errors.js';
import type { Json } from '../../base/json.js';
import { FREE_FORM } from '../../model/chat.js';
import { Part } from '../gen/orchestrate/world/v1/world_pb.js';
import type { Observation } from '../gen/orchestrate/world/v1/world_pb.js';
import { receivedObject } from './received-json.js';
import type { Player } from './remote-agent.js';

/** Its answers are commands, so the entity's protocol must be `command`. */
export function scriptedPlayer(controller: Controller, agent: string): Player {
  let memory: Json = null;
  return {
    parts: [Part.FACTS_JSON, Part.OFFERS, Part.TEXT],
    answer: async (observation, signal) => {
      const input = inputOf(observation, agent, memory);
      const decision = await controller.decide(input, signal).catch((error: unknown) => {
        // The player reads the facts of its own worlds, and these are whatever the server sent.
        if (!(error instanceof TypeError)) throw error;
        throw new UsageError('the served world sent facts that the built-in player does not know', [], {
          cause: error,
        });
      });
      memory = decision.memory;
      return {
        case: 'words',
        value: {
          $typeName: 'orchestrate.world.v1.Words',
          content: decision.reply.content,
          reasoning: '',
          finishReason: 'stop',
          model: '',
          latencyMs: 0n,
          toolCalls: [],
        },
      };
    },
  };
}

function inputOf(received: Observation, agent: string, memory: Json): ControllerInput {
  const turn = Number(received.tick);
  const offered = received.offers.map(({ action, choices }) => ({
    action,
    slots: Object.fromEntries(choices.map(({ slot, values }) => [slot, values])),
  }));
  return {
    agent,
    turn,
    attempt: received.attempt,
    observation: {
      agent,
      turn,
      sections: received.text.map(({ section, lines }) => ({ id: section, lines })),
      scope: offered.map(({ action }) => action),
      offered,
      nouns: [],
      facts: receivedObject('facts_json', received.factsJson),
      scene: null,
    },
    messages: [],
    form: FREE_FORM,
    memory,
  };
}
