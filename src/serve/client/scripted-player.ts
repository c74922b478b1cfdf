/**
 * A controller that decides from facts alone, as a player over the network: its input is made from the
 * observation's facts and offers.
 */
import type { Controller, ControllerInput } from '../../agent/controller.js';
import type { Json, JsonObject } from '../../base/json.js';
import { FREE_FORM } from '../../model/chat.js';
import { Part } from '../gen/orchestrate/world/v1/world_pb.js';
import type { Observation } from '../gen/orchestrate/world/v1/world_pb.js';
import type { Player } from './remote-agent.js';

/** Its answers are commands, so the entity's protocol must be `command`. */
export function scriptedPlayer(controller: Controller, agent: string): Player {
  let memory: Json = null;
  return {
    parts: [Part.FACTS_JSON, Part.OFFERS, Part.TEXT],
    answer: async (observation, signal) => {
      const decision = await controller.decide(inputOf(observation, agent, memory), signal);
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
      facts: JSON.parse(received.factsJson) as JsonObject,
      scene: null,
    },
    messages: [],
    form: FREE_FORM,
    memory,
  };
}
