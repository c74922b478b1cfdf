/** A controller that asks a model: the messages as they are, one reply back. */
import type { ChatModel } from '../../model/chat.js';
import { withLostRequests } from '../../model/lost-request.js';
import type { Controller } from '../controller.js';

/**
 * A controller that asks a model; the log calls it `model:name`. Deciding throws ModelError if the model
 * can't be used; a request at which the server fails although it answers others becomes a reply without an
 * answer. After several turns in a row without an answer, the model can't be used.
 */
export function modelController(name: string, model: ChatModel): Controller {
  const askForTurn = withLostRequests(model);
  return {
    name: `model:${name}`,
    isRemote: true,
    mayBeAskedAhead: true,
    settings: (form) => model.settings(form),
    decide: async ({ turn, messages, form, memory, isAhead }, signal) => ({
      reply: await askForTurn(turn, messages, signal, form, isAhead),
      memory,
    }),
    answer: (messages, signal) => model.complete(messages, signal),
  };
}
