/**
 * The built-in default controller: plays any world whose facts one of the built-in players understands. It
 * uses only an agent's observation, and answers in text, which the same parser reads as a model's reply.
 */
import type { Controller } from '../agent/controller.js';
import { embeddedReply } from '../agent/controllers/embedded-reply.js';
import { NOTHING_TO_DO } from '../agent/controllers/scripted-player.js';
import type { CandidateAction } from '../agent/controllers/scripted-player.js';
import { PLAYERS } from './registry.js';

/**
 * The built-in player, which plays if no other controller is specified. It uses only the observation, without
 * a model, and answers in the protocol `command`.
 */
export function scriptedController(): Controller {
  return {
    name: 'scripted',
    isRemote: false,
    decide: async (input) => {
      for (const play of PLAYERS) {
        const played = play(input);
        if (played !== null)
          return { reply: embeddedReply(formatReply(played.wish ?? NOTHING_TO_DO)), memory: played.memory };
      }
      return { reply: embeddedReply(formatReply(NOTHING_TO_DO)), memory: input.memory };
    },
  };
}

function formatReply(wish: CandidateAction): string {
  return `${wish.why}\nACTION: ${wish.command}`;
}
