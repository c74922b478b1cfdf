/**
 * Finds the marks at which a model's turn may end: control tokens and closing marks of chat templates,
 * recognised by their shape. The parts of a reply that are not reasoning are split at them. Whether a mark
 * really ends the turn depends on the text before it (`choice.ts`).
 */
import { LIMITS } from '../base/limits.js';
import type { TextSpan } from './reading.js';
import { answerParts } from './reasoning.js';

/** A mark; `isOther` if it opens another speaker's turn, such as the user's. */
export interface EndMark extends TextSpan {
  isOther: boolean;
  /** A part of a call's own notation, which ends nothing. */
  isCall: boolean;
  /** Within a quotation on its line: the agent's own words, which end nothing. */
  isQuoted: boolean;
}

/**
 * `<|…|>` in any spelling, except as a quotation mark within a call, and the tokens of chat templates without
 * bars; a token that opens a turn includes the role after it.
 */
const MARK = new RegExp(
  [
    '(?<open><[|｜](?:[a-z_]{0,20}start[a-z_]{0,20}|im_[a-z]{1,12}|turn)[|｜]?>|<start_of_turn>)(?<role>[a-z]{0,12})(?=\\s|<|$)',
    '(?!<[|｜]action[|｜]>|<｜DSML｜(?:invoke|parameter)|<\\|"\\|>\\s{0,4}[,}\\]:]|(?<=[:,[{]\\s{0,4})<\\|"\\|>)<[|｜](?<name>[^<>\\n]{1,60}?)[|｜]?>',
    '<(?:[a-z]{1,12}_)?(?:end_[a-z_]{1,30}|end|eo[a-z]|bos|pad|unk)>|</s>|<[a-z_]{1,30}\\|>|<unused\\d{1,4}>|<0x[0-9a-f]{2}>|\\[/?INST\\]|<s>|\\[e~\\[|\\]~!?b[[\\]]',
  ].join('|'),
  'gi',
);

const MARKED = /[<[]/;
const OWN_ROLE = /^(?:assistant|model|bot|)$/i;
const OTHER_ROLES = /^(?:im_)?(?:user|human|system|tool|observation)$/i;
const CALL_TOKENS = /tool|call|channel|constrain|message|python/i;

export interface MarkedParts {
  parts: readonly TextSpan[];
  marks: readonly EndMark[];
}

/** Null if there are more marks than any model writes. */
export function splitAtMarks(content: string, parts: readonly TextSpan[]): MarkedParts | null {
  if (!MARKED.test(content)) return { parts, marks: [] };
  const matches = parts.flatMap(({ start, end }) =>
    [...content.slice(start, end).matchAll(MARK)].map((match) => ({ match, start })),
  );
  if (matches.length > LIMITS.replyMarks) return null;
  const marks = matches.map(({ match, start }) => markOf(match, start));
  return upToOtherSpeaker(content, { parts: parts.flatMap((part) => piecesOf(part, marks)), marks });
}

/** The text between the marks of a part. */
function piecesOf({ start, end }: TextSpan, marks: readonly EndMark[]): readonly TextSpan[] {
  const within = marks.filter((mark) => !mark.isQuoted && start <= mark.start && mark.start < end);
  const starts = [start, ...within.map((mark) => mark.end)];
  const ends = [...within.map((mark) => mark.start), end];
  return starts
    .map((from, index) => ({ start: from, end: ends[index] ?? end }))
    .filter((one) => one.start < one.end);
}

function markOf(match: RegExpExecArray, offset: number): EndMark {
  const { open, role = '', name = '' } = match.groups ?? {};
  const start = offset + match.index;
  const isOther =
    open === undefined ? OTHER_ROLES.test(name) : !OWN_ROLE.test(role) || OTHER_ROLES.test(open.slice(2, -2));
  const isQuoted = isInQuotation(match.input, match.index, match.index + match[0].length);
  return { start, end: start + match[0].length, isOther, isCall: CALL_TOKENS.test(name), isQuoted };
}

/** Whether a quotation that begins before `start` on its line ends after `end` on the same line. */
function isInQuotation(text: string, start: number, end: number): boolean {
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  return (
    hasOddQuotes(text.slice(line, start)) && hasOddQuotes(text.slice(end, next < 0 ? text.length : next))
  );
}

const QUOTES = /\\.|["“”]/g;

/** With an odd number of double quotation marks, one of them opens or closes a quotation. */
function hasOddQuotes(text: string): boolean {
  return [...text.matchAll(QUOTES)].filter(([mark]) => mark.length === 1).length % 2 === 1;
}

/** The agent did not write the text after the beginning of another speaker's turn. */
function upToOtherSpeaker(content: string, { parts, marks }: MarkedParts): MarkedParts {
  const hasTextBefore = (end: number): boolean =>
    parts.some((part) => part.end <= end && content.slice(part.start, part.end).trim() !== '');
  const otherSpeaker = marks.find((mark) => mark.isOther && !mark.isQuoted && hasTextBefore(mark.start));
  if (otherSpeaker === undefined) return { parts, marks };
  return {
    parts: parts.filter(({ end }) => end <= otherSpeaker.start),
    marks: marks.filter(({ start }) => start <= otherSpeaker.start),
  };
}

/**
 * The agent's own text, without reasoning and up to its first end mark: for callers that parse no command
 * from it.
 */
export function ownText(content: string): readonly TextSpan[] {
  const split = splitAtMarks(content, answerParts(content).parts);
  const hasText = ({ start, end }: TextSpan): boolean => content.slice(start, end).trim() !== '';
  const first = split?.parts.find(hasText);
  if (split === null || first === undefined) return split?.parts ?? [];
  const endMark = split.marks.find(({ start, isQuoted }) => !isQuoted && start >= first.end);
  return split.parts.filter(({ end }) => endMark === undefined || end <= endMark.start);
}
