/** How an answer ended, in one set of words: OpenAI's, and this program's own for answers that are none. */
import { CONTENT_FILTER, SERVER_ERROR } from './chat.js';

/**
 * Other servers' names (Together, TGI, Anthropic, Google, DeepSeek, vLLM …) for a reply's own end, an end with a
 * call, a limit, a filter, and a failure of the server.
 */
const FINISHED_AS: Readonly<Record<string, string>> = {
  eos: 'stop',
  eos_token: 'stop',
  stop_sequence: 'stop',
  end_turn: 'stop',
  STOP: 'stop',
  function_call: 'tool_calls',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  MAX_TOKENS: 'length',
  model_length: 'length',
  SAFETY: CONTENT_FILTER,
  RECITATION: CONTENT_FILTER,
  BLOCKLIST: CONTENT_FILTER,
  PROHIBITED_CONTENT: CONTENT_FILTER,
  SPII: CONTENT_FILTER,
  safety: CONTENT_FILTER,
  recitation: CONTENT_FILTER,
  sensitive: CONTENT_FILTER,
  guardrail_intervened: CONTENT_FILTER,
  error: SERVER_ERROR,
  abort: SERVER_ERROR,
  network_error: SERVER_ERROR,
  insufficient_system_resource: SERVER_ERROR,
};

/** The reason itself if it has another meaning. */
export function finishedAs(reason: string | null): string | null {
  if (reason === null || !Object.hasOwn(FINISHED_AS, reason)) return reason;
  return FINISHED_AS[reason] ?? reason;
}
