/**
 * Finds the labelled answers in a normalised reply: lines that begin with `ACTION:` or a variant of it, and
 * `<action>` tags. One pass. A label counts at the start of a line or after the end of a sentence, but not
 * between quotation marks or within a clause, where it is only mentioned.
 */
import { known } from '../base/assert.js';
import { LIMITS } from '../base/limits.js';
import type { LineSpan } from './line-span.js';
import { commandBounds, nextLine } from './line-span.js';

export interface AnswerLabel {
  /**
   * `weak`: words that also announce other things (answer, move, next action); they count only without a
   * strong one.
   */
  strength: 'strong' | 'weak';
  kind: 'label' | 'tag';
  /** Where the label begins, its decoration included. */
  at: number;
  /**
   * The position where the command begins, and the end of its line. `start` equals `end` if nothing follows.
   */
  start: number;
  end: number;
}

/** Only the label is translated; verbs are not. */
const STRONG = [
  'action',
  'acci(?:ó|o\u0301?)n|a(?:ç|c)(?:ã|a)o|azione|acció|aktion|actie|handling|handlung|åtgärd|toiminto|akcja|akce|akcia|akcija|acțiune',
  'действие|дія|действието|радња|eylem|aksiyon|hành động|tindakan|aksi|ενέργεια|δράση',
  '行动|行動|动作|動作|操作|アクション|행동|동작|액션',
  'الإجراء|إجراء|الفعل|פעולה|कार्रवाई|क्रिया|การกระทำ',
].join('|');
const WEAK = 'answer|command|move|decision|choice|réponse|respuesta|antwort|befehl|commande|comando';

/**
 * What may precede a label on its line: list and heading marks, numbers, emoji, brackets, a pair of tags, the
 * role or the agent's own name, a box.
 */
const marks = (speakers: string): string =>
  `[ :#~+\\-|(\\[\\u2190-\\u2bff\\ud83c-\\ud83e\\udc00-\\udfff\\ufe0f\\ufffd\\u3008-\\u3011]{0,12}(?:\\d{1,2}[.)] ?)?[ #~\\[(]{0,3}(?:<[a-z][a-z_-]{0,30}>){0,3}(?:(?:${speakers}) ?: ?)?(?:\\\\boxed\\{|\\\\text\\{){0,2}`;
const QUALIFIERS = '(?:(?:my|the|final|chosen|selected|best|finale|endgültige) ){0,3}';
/** The words of a label, without its marks: a pattern to ignore case with. */
export const LABEL_WORDS = `${QUALIFIERS}(?:next )?(?:${STRONG}|${WEAK})(?: taken| to take| is)?`;
/** A possible label and the spaces after it; `findLabels` decides which of them are labels. */
const labelAfter = (speakers: string): RegExp =>
  new RegExp(
    `(?:^${marks(speakers)}|(?<=[.!?…)|] |\\/[a-z_]{1,20}>)(?:[(\\[]|<[a-z][a-z_-]{0,30}>)?)(?:` +
      `${QUALIFIERS}(?<next>next )?(?:(?<strong>${STRONG})|(?<weak>${WEAK}))(?: taken| to take| is)?[ \\])]{0,3}(?<separator>: ?|= ?|[-—] |(?:->|[→⇒➡⟶]) ?|(?=\\n|$)| (?=[A-Z]{2,}\\b))[: ]{0,4}` +
      `|(?<tag><(?:action|final_action|command)>|<\\|action\\|>)[ \\n]{0,4}` +
      `|(?<weakTag><(?:answer|final_answer)>)[ \\n]{0,4}` +
      `)`,
    'gim',
  );

const ROLES = 'assistant|model|bot';
const LABEL = labelAfter(ROLES);

/**
 * A pattern for the agent's own name as its id spells it (`Old Tom` for `old-tom`); null if the text does not
 * contain it.
 */
export function ownName(speaker: string | undefined, text: string): string | null {
  const words = (speaker ?? '').match(/[\p{L}\p{N}]+/gu) ?? [];
  const pattern = words.join('[-_ ]?');
  return words.length > 0 && new RegExp(pattern, 'iu').test(text) ? pattern : null;
}

/**
 * Every explicit answer, in order. Stops one past the limit, because among so many no answer counts. `speaker`
 * is the id of the agent that answers.
 */
export function findLabels(text: string, speaker?: string): readonly AnswerLabel[] {
  const labels: AnswerLabel[] = [];
  const isQuoted = quotationTracker(text);
  let lineEnd = -1;
  const own = ownName(speaker, text);
  for (const match of text.matchAll(own === null ? LABEL : labelAfter(`${ROLES}|${own}`))) {
    if (!isLabel(match, text) || isQuoted(match.index)) continue;
    const start = match.index + match[0].length;
    if (start > lineEnd) lineEnd = (text.indexOf('\n', start) + 1 || text.length + 1) - 1;
    const label = labelOf(match, lineEnd);
    const previous = labels.at(-1);
    if (previous !== undefined && isQuotedMention(text, previous, label)) continue;
    if (previous !== undefined && previous.end > label.at)
      labels.push({ ...known(labels.pop(), 'a label'), end: label.at });
    labels.push(label);
    if (labels.length > LIMITS.replyCandidates) break;
  }
  return labels;
}

/** Whether a label is on the line of another one, between single quotation marks. */
function isQuotedMention(text: string, previous: AnswerLabel, label: AnswerLabel): boolean {
  if (previous.end <= label.at || !/ '/.test(text.slice(previous.start, label.at))) return false;
  return /'[.! ]{0,8}$/.test(text.slice(Math.max(label.start, label.end - 20), label.end));
}

/** Any label at the start of a line, except a weak one alone there; within a line, a label needs a colon. */
function isLabel({ index, 0: { length }, groups }: RegExpExecArray, text: string): boolean {
  const { separator, strong, weak = '' } = groups ?? {};
  if (separator === undefined) return true;
  if (index > 0 && text[index - 1] !== '\n') return separator.startsWith(':');
  // `ACTION GO NORTH`: without punctuation, the label must be in capitals.
  if (separator === ' ')
    return /^action$/i.test(strong ?? weak) && /^[A-Z]{2}/.test(text.slice(index + length));
  return separator !== '' || strong !== undefined;
}

function labelOf({ index, 0: { length }, groups }: RegExpExecArray, end: number): AnswerLabel {
  const { tag, weakTag, weak, next } = groups ?? {};
  return {
    strength: (weak ?? next ?? weakTag) === undefined ? 'strong' : 'weak',
    kind: (tag ?? weakTag) === undefined ? 'label' : 'tag',
    at: index,
    start: index + length,
    end,
  };
}

/**
 * The command of a label: the rest of its line, or the next line if the rest is empty. A line that is too
 * long is left as it is.
 */
export function commandLineOf(text: string, label: AnswerLabel): LineSpan | null {
  const isOnItsLine = text.slice(label.start, label.end).trim() !== '';
  const line = isOnItsLine ? label : nextLine(text, label.end);
  if (line === null || line.end - line.start > LIMITS.commandLineCharacters) return line;
  return commandBounds(text, line);
}

/**
 * For increasing positions, whether each is inside a quotation: an odd number of marks before and after,
 * because a quotation may span paragraphs. A single extra mark, as in 5" wide, makes none.
 */
function quotationTracker(text: string): (position: number) => boolean {
  const total = countMarks(text);
  let cursor = 0;
  let marksBefore = 0;
  return (position) => {
    marksBefore += countMarks(text.slice(cursor, position));
    cursor = position;
    return marksBefore % 2 === 1 && (total - marksBefore) % 2 === 1;
  };
}

function countMarks(text: string): number {
  return text.split('"').length - 1;
}
