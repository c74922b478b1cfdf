/**
 * Recognises replies in the format of another protocol (an object, a tool call), so that the agent is told
 * how to answer here instead of being misunderstood. Nothing is extracted from them. `foreignShape` is for
 * the protocol `command`; the others share `toolCallProblem`.
 */
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';

const TOOL_CALL =
  /<(?:tool_call|function_call|function=|invoke|\|tool_call)|\[TOOL_CALLS\]|^tool_code\b|^(?:tool|function)_calls?\b/im;
const OBJECT = /^\s{0,8}(?:json\s{1,4})?[{[]\s{0,8}(?:["'{]|[a-z_]{1,20}"? ?:)/i;

export const USE_COMMAND = 'End your reply with one line: ACTION: followed by the command in plain words.';

/**
 * The problem for a text that is a tool call or an object; null if it is neither. An object must begin the
 * text; a tool call is searched in its first 4000 characters.
 */
export function foreignShape(text: string): Problem | null {
  if (isObjectLike(text)) {
    return problem('unparsable', `Your answer is a JSON object, which is not read here. ${USE_COMMAND}`);
  }
  if (TOOL_CALL.test(text.slice(0, 4000))) return toolCallProblem(USE_COMMAND);
  return null;
}

/** Whether a text begins like an object, well-formed or not. */
export function isObjectLike(text: string): boolean {
  return OBJECT.test(text.slice(0, 80));
}

/** `howToEnd` is a sentence about how an answer in the protocol ends. */
export function toolCallProblem(howToEnd: string): Problem {
  return problem('unparsable', `Your answer is a tool call, which is not read here. ${howToEnd}`);
}
