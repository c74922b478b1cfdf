/**
 * Recognises replies in the shape of another protocol (an object, a tool call), so that the agent is told how to
 * answer here instead of being misread. Nothing is ever read out of such a shape by this protocol.
 */
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';

const TOOL_CALL =
  /<(?:tool_call|function_call|function=|invoke|\|tool_call)|\[TOOL_CALLS\]|^tool_code\b|^(?:tool|function)_calls?\b/im;
const OBJECT = /^\s{0,8}(?:json\s{1,4})?[{[]\s{0,8}(?:["'{]|[a-z_]{1,20}"? ?:)/i;

export const USE_COMMAND = 'End your reply with one line: ACTION: followed by the command in plain words.';

/** The problem to tell where a text is a tool call or an object; null where it is neither. Looks at its beginning only. */
export function foreignShape(text: string): Problem | null {
  if (OBJECT.test(text.slice(0, 80))) {
    return problem('unparsable', `Your answer is a JSON object, which is not read here. ${USE_COMMAND}`);
  }
  if (TOOL_CALL.test(text.slice(0, 4000))) return toolCallProblem(USE_COMMAND);
  return null;
}

/** `ending` tells how an answer of the protocol ends. */
export function toolCallProblem(ending: string): Problem {
  return problem('unparsable', `Your answer is a tool call, which is not read here. ${ending}`);
}
