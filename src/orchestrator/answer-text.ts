/**
 * The agent's own words in a reply, to be shown again in a repair call, or in its history if the reply could
 * not be parsed: the end of its text without reasoning, with control tokens broken; '' if it said nothing.
 */
import { LIMITS } from '../base/limits.js';
import { breakControlTokens } from '../base/text.js';
import type { Reply } from '../model/chat.js';
import { ownText } from '../parse/end-marks.js';

/** The end of the answer, which contains the decision, without reasoning; safe to be sent again. */
export function answerText({ content, toolCalls }: Reply): string {
  const agentText = ownText(content)
    .map(({ start, end }) => content.slice(start, end))
    .join('');
  const calls = toolCalls.map((call) => `${call.name} ${call.arguments}`);
  const text = [agentText.trim(), ...calls].filter((part) => part !== '').join('\n');
  return breakControlTokens(text.slice(-LIMITS.repairedCharacters).toWellFormed());
}
