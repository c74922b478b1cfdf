/**
 * A reply whose answer is rewritten in its protocol's own form, for a model that is to learn it: the words
 * before the answer, then the answer as the instructions ask for it. The decoration that the reader tolerated
 * (emphasis, tags, fences, other labels) is left out, and so is what followed the answer. No world is needed:
 * the reading in the log says what was meant.
 */
import { breakControlTokens } from '../base/text.js';
import { commandText } from '../forms/command-form.js';
import type { ToolCall } from '../model/chat.js';
import { LABEL_WORDS } from './labels.js';
import { protocolNamed } from './protocols.js';
import type { ReplyReading } from './reading.js';

/** What a model says. */
export interface SaidAnswer {
  text: string;
  toolCalls: readonly ToolCall[];
}

/** Unchanged if nothing was understood, or if the protocol is not one of the built-in ones. */
export function inOwnForm(said: SaidAnswer, reading: ReplyReading | null, protocol: string): SaidAnswer {
  const form = protocolNamed(protocol);
  // Without a span, the answer was a native tool call.
  if (reading?.ok !== true || reading.span === null || form === null) return said;
  const before = wordsBefore(said.text.slice(0, reading.span.start));
  if (protocol === 'tools') {
    const { action, args } = reading.command;
    return { text: before, toolCalls: [{ name: action, arguments: JSON.stringify(args) }] };
  }
  const answer =
    protocol === 'command'
      ? commandText(said.text.slice(reading.span.start, reading.span.end).replace(/\s*\n\s*/g, ' '))
      : form.replyText(reading);
  // A form for the history breaks what looks like a control token, so it would say something else.
  if (protocol !== 'command' && Object.values(reading.command.args).some(hasControlToken)) return said;
  const text = said.text.trimEnd();
  if (text === answer || text.endsWith(`\n${answer}`)) return said;
  return { text: before === '' ? answer : `${before}\n${answer}`, toolCalls: [] };
}

function hasControlToken(value: string | number): boolean {
  return typeof value === 'string' && breakControlTokens(value) !== value;
}

/** What opens an answer, directly before it on its line. */
const OPENING = /(?:<[^<>\n/]{1,40}>|`{3}[a-z]{0,10}|\[TOOL_CALLS\]|\\(?:boxed|text)\{|[\s*_~`#|([{"'“«])+$/u;
/** A label that ends the line, from the beginning of the line or the end of a sentence. */
const LABEL = new RegExp(
  `(?:^|(?<=[.!?…)|] |/[a-z_]{1,20}>))[^\\p{L}\\p{N}\\n]{0,12}(?:\\d{1,2}[.)] ?)?[^\\p{L}\\p{N}\\n]{0,4}(?:<[a-z][a-z_-]{0,30}>){0,3}${LABEL_WORDS}[^\\p{L}\\p{N}]{0,12}$`,
  'iu',
);
const WITHOUT_WORDS = /^[^\p{L}\p{N}]*(?:\d{1,2}[.)])?[^\p{L}\p{N}]*$/u;

/** The text up to an answer, without the answer's label and what opens it, on its line or on lines above. */
function wordsBefore(text: string): string {
  const lines = text.split('\n');
  for (;;) {
    const line = lines.pop();
    if (line === undefined) return '';
    const words = wordsOf(line);
    if (words !== '') return [...lines, words].join('\n').trimEnd();
  }
}

function wordsOf(line: string): string {
  const words = line.replace(OPENING, '').replace(LABEL, '').replace(OPENING, '');
  return WITHOUT_WORDS.test(words) ? '' : words;
}
