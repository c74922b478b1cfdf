/**
 * A request at which the server failed although it answers others: it costs its agent an attempt, and the run
 * goes on with a reply without an answer (`SERVER_ERROR`). After several in a row the error is thrown, because
 * a server that fails at all of them can't be used.
 */
import { ModelError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { SERVER_ERROR } from './chat.js';
import type { ChatModel, Reply } from './chat.js';

/** The same model for one agent. Its `complete` throws ModelError only if the server can't be used. */
export function withLostRequests(model: ChatModel): ChatModel {
  let lostInARow = 0;
  return {
    settings: (form) => model.settings(form),
    prepare: (signal) => model.prepare(signal),
    complete: async (...request) => {
      try {
        const reply = await model.complete(...request);
        lostInARow = 0;
        return reply;
      } catch (error) {
        if (!(error instanceof ModelError) || !error.isOfRequest) throw error;
        lostInARow += 1;
        if (lostInARow < LIMITS.lostRequestsInARow) return lostReply(error);
        lostInARow = 0;
        throw unusable(error);
      }
    },
  };
}

/** Its tokens are known: none were answered. */
function lostReply({ tries }: ModelError): Reply {
  return {
    content: '',
    reasoning: null,
    toolCalls: [],
    finishReason: SERVER_ERROR,
    model: null,
    usage: {
      promptTokens: 0,
      completionTokens: 0,
      cachedTokens: null,
      imageTokens: null,
      reasoningTokens: null,
    },
    raw: null,
    adaptations: [],
    latencyMs: tries.at(-1)?.afterMs ?? 0,
    tries,
  };
}

function unusable({ message, gist, status, hints, isRetryable, tries }: ModelError): ModelError {
  const note = ` (so did the ${LIMITS.lostRequestsInARow - 1} requests before it, although the server answers other requests)`;
  return new ModelError(`${message}${note}`, {
    isRetryable,
    isOfRequest: true,
    tries,
    status,
    gist: `${gist}${note}`,
    hints: [
      ...hints,
      "read the server's log: it fails at this run's requests, for example at their pictures",
    ],
  });
}
