/** A reply made in this process: it ended properly, cost nothing and was not measured. */
import { NO_USAGE } from '../../model/chat.js';
import type { Reply } from '../../model/chat.js';

/**
 * A reply made in this process: ended properly (`stop`), without tool calls, with no usage and no latency.
 */
export function embeddedReply(content: string): Reply {
  return {
    content,
    reasoning: null,
    toolCalls: [],
    finishReason: 'stop',
    model: null,
    usage: NO_USAGE,
    raw: null,
    adaptations: [],
    latencyMs: 0,
    tries: [],
  };
}
