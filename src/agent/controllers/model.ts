/** A controller that asks a model: the messages as they are, one reply back. */
import type { ChatModel } from '../../model/chat.js';
import type { Controller } from '../controller.js';

export function modelController(name: string, model: ChatModel): Controller {
  return {
    name: `model:${name}`,
    isRemote: true,
    settings: () => model.settings(),
    decide: async ({ messages, memory }, signal) => ({
      reply: await model.complete(messages, signal),
      memory,
    }),
  };
}
