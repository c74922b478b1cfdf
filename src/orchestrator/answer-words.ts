/**
 * What an agent itself said in a reply, for where it is shown again: in a repair call, and in the history of an agent whose reply could not be
 * read. In: a reply. Out: the end of its words without reasoning, with control tokens broken; '' if it said nothing.
 */
import { LIMITS } from '../base/limits.js';
import { breakControlTokens } from '../base/text.js';
import type { Reply } from '../model/chat.js';
import { ownWords } from '../parse/end-marks.js';

/** The end of the answer, which has the decision, without reasoning; safe to write again. */
export function answerWords({ content, toolCalls }: Reply): string {
  const words = ownWords(content)
    .map(({ start, end }) => content.slice(start, end))
    .join('');
  const calls = toolCalls.map((call) => `${call.name} ${call.arguments}`);
  const text = [words.trim(), ...calls].filter((one) => one !== '').join('\n');
  return breakControlTokens(text.slice(-LIMITS.repairedCharacters).toWellFormed());
}
