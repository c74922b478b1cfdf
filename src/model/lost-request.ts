/**
 * A request to which an agent's server gave no answer, although it answers others: the server failed (`SERVER_ERROR`), sent no choice or
 * filtered the answer. It costs its agent an attempt, and the run goes on with a reply without an answer. After LIMITS.unansweredInARow
 * requests in a row at which the server failed, or turns in a row without any answer, ModelError is thrown, because such a server can't be used.
 */
import { ModelError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { CONTENT_FILTER, NO_CHOICE, SERVER_ERROR } from './chat.js';
import type { ChatModel, Reply } from './chat.js';

/** What a server did instead of answering, by finish reason. */
const WITHOUT_ANSWER: Readonly<Record<string, string>> = {
  [SERVER_ERROR]: 'its server failed',
  [NO_CHOICE]: 'its server sent answers without a choice or a message',
  [CONTENT_FILTER]: 'a content filter held its answers back',
};

/** Whether a reply stands for an answer that did not come, and not for something that the model said. */
export function isWithoutAnswer({ finishReason }: Pick<Reply, 'finishReason'>): boolean {
  return finishReason !== null && Object.hasOwn(WITHOUT_ANSWER, finishReason);
}

/** Asks for an agent's answer in its turn with this number. Throws ModelError only if the server can't be used. */
export type AskForTurn = (turn: number, ...request: Parameters<ChatModel['complete']>) => Promise<Reply>;

/** For one agent. */
export function withLostRequests(model: ChatModel): AskForTurn {
  let failedRequests = 0;
  let lostTurns: readonly number[] = [];
  let answeredTurn: number | null = null;
  return async (turn, ...request) => {
    const reply = await model.complete(...request).catch((error: unknown) => {
      if (!(error instanceof ModelError) || !error.isOfRequest) throw error;
      failedRequests += 1;
      if (failedRequests < LIMITS.unansweredInARow) return lostReply(error);
      throw failsAtAll(error);
    });
    if (!isWithoutAnswer(reply)) {
      [failedRequests, lostTurns, answeredTurn] = [0, [], turn];
      return reply;
    }
    if (turn !== answeredTurn && turn !== lostTurns.at(-1)) lostTurns = [...lostTurns, turn];
    // Only an answer counts from the start: what is thrown at a speculative call is not seen, and its step asks again.
    if (lostTurns.length >= LIMITS.unansweredInARow) throw neverAnswers(reply);
    return reply;
  };
}

/** It counts no tokens; what the server counted until it failed is not known (`unknownUsage` in `trajectory/run-figures.ts`). */
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

function failsAtAll({ message, gist, status, hints, isRetryable, tries }: ModelError): ModelError {
  const note = ` (so did the ${LIMITS.unansweredInARow - 1} requests before it, although the server answers other requests)`;
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

function neverAnswers({ finishReason, tries }: Reply): ModelError {
  const why = WITHOUT_ANSWER[finishReason ?? ''] ?? '';
  const hint =
    finishReason === CONTENT_FILTER
      ? "change the filter's settings, or use a server without one"
      : "read the server's log: it answers this run's requests without an answer of the model";
  return new ModelError(`the model gave no answer in ${LIMITS.unansweredInARow} turns in a row: ${why}`, {
    isRetryable: true,
    isOfRequest: true,
    tries,
    hints: [hint],
  });
}
