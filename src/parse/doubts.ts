/**
 * Doubts about an explicit answer: what stands before and after it may make it a condition, one of several actions, somebody
 * else's, or a thing taken back. A doubtful answer is not read; the agent is told to decide and answer once.
 */
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { readCommandLine, shown } from './command-line.js';
import type { Label } from './labels.js';
import { commandLineOf } from './labels.js';
import { leadOf, leadsToAnswer } from './lead-in.js';
import type { Place } from './place.js';
import { lineBefore, nextLine } from './place.js';
import type { Vocabulary } from './protocol.js';
import { isClosing, isReason } from './remark.js';

/** An explicit answer: its label, the label before it, and the place of its command. */
export interface Explicit {
  readonly label: Label;
  readonly before: Label | undefined;
  readonly place: Place;
  /** Where the agent's own words end: at an invented turn, or with the reply. */
  readonly ownEnd: number;
}

/** Why the answer may not count; null where nothing speaks against it. */
export function doubtOf(text: string, answer: Explicit, vocabulary: Vocabulary): Problem | null {
  return (
    conditionDoubt(text, answer.label) ??
    introducedDoubt(text, answer, vocabulary) ??
    otherAnswerDoubt(text, answer, vocabulary) ??
    doubtAfter(text, answer, vocabulary)
  );
}

const CONDITION =
  /^[^\p{L}]*(?:(?:(?:but|and|only|even) )?(?:if|when|once|as soon as|should|assuming|provided|after|unless|until)|otherwise|else|alternatively|or|(?:option|plan|choice|possibility) [a-d\d]|option|plan b|in (?:case|the event)|falls|wenn|sobald|si|se|если|когда|cuando|quand)(?![\p{L}]).{0,120}[:,]?$|^[^\p{L}]*(?:如果|当|若|もし)/iu;
const SPEAKER = /^[ [(]{0,3}\p{Lu}[\p{L}' -]{0,30}[\])]?:/mu;

const OTHERWISE = /^\W*(?:or else|or|otherwise|else|alternatively)\W*$/i;

function conditionDoubt(text: string, label: Label): Problem | null {
  const intro = lineBefore(text, label.at);
  if (!CONDITION.test(intro) || !(/[:,]$/.test(intro) || OTHERWISE.test(intro))) return null;
  return problem('ambiguous', 'Your answer depends on a condition. Decide, and give exactly one action.');
}

/** What stands before may quote the answer, tell of it or forbid it. */
function introducedDoubt(text: string, { label }: Explicit, vocabulary: Vocabulary): Problem | null {
  if (leadsToAnswer(leadOf(text, label.at), vocabulary)) return null;
  return problem(
    'ambiguous',
    'It is not clear that this is your answer. End the sentence before your ACTION: line, or leave it out.',
  );
}

/** A different answer before this one: it was reconsidered, unless it is another speaker's or the first of a row. */
function otherAnswerDoubt(
  text: string,
  { label, before, place }: Explicit,
  vocabulary: Vocabulary,
): Problem | null {
  const first = before === undefined ? null : commandLineOf(text, before);
  if (before === undefined || first === null) return null;
  const written = text.slice(first.start, first.end);
  if (written === text.slice(place.start, place.end)) return null;
  if (isChoice(text, before) && isChoice(text, label)) {
    return problem('ambiguous', 'Your reply lists several actions to choose from. Give exactly one.');
  }
  if (speaksBetween(text.slice(before.end, label.at))) {
    const message = 'Your reply holds answers of several speakers. Answer for yourself alone, once.';
    return problem('ambiguous', message);
  }
  const intro = lineBefore(text, label.at);
  const isNext = intro.endsWith(written) || SEQUENCE.test(intro);
  if (!isNext || !isCommand(written, vocabulary)) return null;
  return problem('ambiguous', 'Your reply holds several actions in a row. Give exactly one action a reply.');
}

/** `A) ACTION: …`, `2. ACTION: …` */
function isChoice(text: string, label: Label): boolean {
  const line = text.lastIndexOf('\n', label.at - 1) + 1;
  return /^[^\p{L}\p{N}]{0,6}(?:[A-Za-z]|\d{1,2}) ?[.):]/u.test(
    text.slice(line, Math.min(line + 12, label.start)),
  );
}

/** "GO NORTH is blocked, so …" begins like a command and is none. */
function isCommand(written: string, vocabulary: Vocabulary): boolean {
  const unquoted = written.split('"', 1)[0] ?? '';
  return !/[,;.?!] /.test(unquoted) && signature(written, vocabulary) !== null;
}

/** Answers in a row, or of several turns: the second is no second thought. */
const SEQUENCE =
  /^[^\p{L}]*(?:turn|step|round|then|next|after(?:wards| that)?|second(?:ly)?|finally|and)\b/iu;

/** Headings of a reply's own parts are no speakers. */
const PART =
  /^[ [(]{0,3}(?:(?:my |new |final |revised |updated )?(?:reason|reasoning|thoughts?|thinking|plan|note|analysis|explanation|goal|step|situation|summary|correction|reflection|decision|answer|because|wait|actually|so|however|option|result|outcome|update|conclusion|perception|memory|next)\b)/i;

/** Whether a heading is of a part of the agent's own reply. */
export function isPart(heading: string): boolean {
  return PART.test(heading);
}

function speaksBetween(between: string): boolean {
  return between.split('\n').some((line) => SPEAKER.test(line.slice(0, 50)) && !PART.test(line));
}

/** Only a plain reason may follow. */
function doubtAfter(text: string, { place, ownEnd }: Explicit, vocabulary: Vocabulary): Problem | null {
  const newline = text.indexOf('\n', place.end);
  const next = newline < 0 ? null : nextLine(text.slice(0, ownEnd), newline);
  if (next === null) return null;
  const rest = text.slice(next.start, ownEnd);
  if (isClosing(rest) || isReason(rest, vocabulary)) return null;
  const following = text.slice(next.start, next.end);
  if (/^action input ?:/i.test(following)) {
    return problem('unparsable', 'Write the action and its arguments on one line, without "Action Input".');
  }
  // A command that can't be read is refused for that, which says more.
  if (signature(text.slice(place.start, place.end), vocabulary) === null) return null;
  return problem(
    'ambiguous',
    `After your answer you wrote ${shown(following)}. Nothing may follow the ACTION: line. Decide, and answer once.`,
  );
}

function signature(line: string, vocabulary: Vocabulary): string | null {
  const read = readCommandLine(
    { text: line, raw: (a, b) => line.slice(a, b), quotedOnly: false },
    vocabulary,
  );
  return read.ok ? JSON.stringify(read.command) : null;
}
