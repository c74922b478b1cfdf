/**
 * An agent's thought before it acted, taken from its reply: separate reasoning, the words before the accepted
 * answer, or the "thought" in an answered object. For people only: nothing here is ever parsed as an action.
 */
import { oneLine } from '../base/text.js';
import type { Reply } from '../model/chat.js';
import { isLooseObject, wholeLoose } from '../parse/loose-json.js';
import type { ReplyReading } from '../parse/reading.js';

export type ReplyWords = Pick<Reply, 'content' | 'reasoning'>;

/** A reasoning model may write pages; a terminal shows a few lines of them. */
const THOUGHT_CHARACTERS = 4000;

/**
 * On one safe line, '' for none. If nothing was accepted, only separate reasoning counts: the rest may be the
 * answer that could not be parsed.
 */
export function thoughtOf({ content, reasoning }: ReplyWords, reading: ReplyReading | null): string {
  const parts = [reasoning ?? '', ...(reading?.ok === true ? aroundAnswer(content, reading) : [])];
  const texts = parts.map((part) => oneLine(withoutMarks(part.slice(0, THOUGHT_CHARACTERS))));
  return texts.filter((part) => /[\p{L}\p{N}]/u.test(part)).join(' ');
}

/** A native tool call is separate from the content, so the whole content is prose. */
function aroundAnswer(content: string, { span }: ReplyReading): readonly string[] {
  if (span === null) return [content];
  return [content.slice(0, span.start), thoughtWithin(content.slice(span.start, span.end))];
}

const THOUGHT_KEYS = ['thought', 'thoughts', 'reasoning', 'thinking'];

function thoughtWithin(answer: string): string {
  const value = answer.startsWith('{') ? wholeLoose(answer) : undefined;
  const thoughts = isLooseObject(value) ? THOUGHT_KEYS.map((key) => value.get(key)) : [];
  return thoughts.filter((one) => typeof one === 'string').join(' ');
}

/** Tags of reasoning and of calls, and the tokens of chat templates. */
const TAGS =
  /<\/?[a-z][a-z_ ]{0,30}>|<[|｜][^<>]{0,40}[|｜]>|\[\/?THINK(?:ING)?\]|◁\/?think▷|```[a-z]{0,10}/gi;
const THOUGHT_LABEL = /^[\s>#*+-]{0,8}(?:thoughts?|reasoning)\s{0,3}\d{0,3}[*_]{0,3}:[*_]{0,3}\s*/gim;
/** The label before the answer's span. */
const ANSWER_LABEL = /(?:^|\s)[\s>#*_`([-]{0,8}(?:final[ _])?(?:action|answer|command)[*_]{0,3}:[\s*_`]*$/i;

/** The line that guided forms put between thought and answer. */
const ANSWER_LEAD = /(?:^|\n)\s*so my action is:\s*$/i;

function withoutMarks(text: string): string {
  const words = text.replace(TAGS, ' ').replace(THOUGHT_LABEL, '').trimEnd();
  return words.replace(ANSWER_LABEL, '').trimEnd().replace(ANSWER_LEAD, '');
}
