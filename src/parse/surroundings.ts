/**
 * What may stand around an answer that marks itself (an object, a tool call, an Action block): the same rules as around a command.
 * Before it nothing that may quote, deny or attribute it; after it nothing but closing marks and whatever the model invented of the next
 * turn. In go the raw content and a span, out comes a yes or no; only the neighbourhood is looked at.
 */
import { isClosing } from './ending.js';
import { isOwn } from './frame.js';
import { normalise } from './normalise.js';
import type { Vocabulary } from './protocol.js';
import type { Span } from './reading.js';

/** More words before an answer say nothing of it. */
const LOOK_BACK = 4000;
const OPENING =
  /(?:\s|<\|?(?:tool_call|function_call)s?\|?>|\[TOOL_CALLS\]|\[|`{1,3}(?:json|tool_code|text)?)*$/i;
/** Of a list, a heading or a quotation, at the beginning of a line. */
const LINE_MARKS = /(?<=^|\n)[ \t]*(?:[>#*+-]{1,6}|\d{1,2}[.)])[ \t]*$/;
/** A label of the object's own, on its line or the one above. */
const LABEL =
  /(?<=^|\n)[^\p{L}\p{N}\n"'“]{0,6}(?:final |next |my )?(?:action|answer|output|json)[^\p{L}\p{N}"'“]{0,6}$/iu;
/** What stands in a quotation of Markdown is somebody's words. */
const QUOTED_LINE = /(?:^|\n)[ \t]*>[ \t]*$/;
const QUOTES = /["'“”„«‘’]$/;

/** Whether the answer at `start` is the agent's own by the words before it. */
export function isOwnAt(content: string, part: Span, start: number, vocabulary: Vocabulary): boolean {
  const from = Math.max(part.start, start - LOOK_BACK);
  const opened = withoutOpening(content.slice(from, start));
  if (isTagged(opened) || QUOTES.test(opened) || QUOTED_LINE.test(content.slice(from, start))) return false;
  const above = withoutObjects(opened);
  const { text } = normalise(above, [{ start: 0, end: above.length }]);
  const plain = unlabelled(text);
  return isOwn(plain, plain.length, vocabulary);
}

/** Another object right above, whole or broken: the words before it lead to both. Whether both may stand is asked apart. */
function withoutObjects(above: string): string {
  const lines = above.split('\n');
  while (lines.length > 0 && OBJECT_LINE.test(lines.at(-1) ?? '')) lines.pop();
  return lines.length === 0 ? '' : withoutOpening(lines.join('\n'));
}

const OBJECT_LINE = /^\s*(?:[{}[\]"'“`,]|<\/?[a-z_]{1,20}>|<function=|\d{1,2}[.)] \{|[->] \{|$)/;

const THOUGHT = /^[^\p{L}\n]{0,6}(?:thought|reasoning) ?(?:\d{1,3} ?)?: ?([^\n]*)$/iu;

/** A thought that is labelled as one, on the last line, is a sentence with or without its full stop. */
function unlabelled(text: string): string {
  const start = text.lastIndexOf('\n') + 1;
  const thought = THOUGHT.exec(text.slice(start))?.[1];
  if (thought === undefined) return text;
  return text.slice(0, start) + (/[\p{L}\p{N}]$/u.test(thought) ? `${thought}.` : thought);
}

/** The words before an object or a call, without what opens it: a fence, a list, a tag of calls, a label. */
export function withoutOpening(above: string): string {
  const opened = above.replace(OPENING, '').replace(LABEL, '').replace(OPENING, '');
  return opened.replace(LINE_MARKS, '');
}

const TAG = /<(\/?)([a-z][a-z_-]{0,30})(?:\s[^<>]{0,80})?>|<!--|-->/gi;
/** `"<action>"`, as a format that was echoed has it. */
const PLACEHOLDER = /"<[^<>"]{0,40}>"/g;
const ANSWERS =
  /^(?:action|final_action|command|answer|final_answer|final|output|response|result|reply|json|tool_?calls?|function_?calls?|br|p|b|i|u|strong|em|code|pre)$/i;

/** Inside a tag that is not an answer's, such as `<example>` or a comment, as far as the words above show. */
function isTagged(above: string): boolean {
  if (!above.includes('<')) return false;
  const open: string[] = [];
  for (const [tag, slash, name = '!--'] of above.replace(PLACEHOLDER, '').matchAll(TAG)) {
    if (tag === '-->' || slash === '/') open.splice(open.lastIndexOf(name.toLowerCase()) >>> 0);
    else if (!ANSWERS.test(name)) open.push(name.toLowerCase());
  }
  return open.length > 0;
}

/** What a model writes when it plays the program's part as well. */
const INVENTED =
  /^[# <[(*]{0,4}(?:observation|user|human|environment|system|assistant|result|outcome|turn \d{1,5})\b ?(?:\d{1,4} ?)?[:>\])]/im;

/** Whether nothing follows `end` in the parts of the answer, up to an invented turn. */
export function isLast(content: string, parts: readonly Span[], end: number): boolean {
  const rest = parts
    .filter((part) => part.end > end)
    .map((part) => ({ start: Math.max(part.start, end), end: part.end }));
  const { text } = normalise(content, rest);
  const invented = INVENTED.exec(text)?.index ?? text.length;
  return isClosing(text.slice(0, invented));
}
