/**
 * Doubts about an explicit answer: what stands before and after it may make it a condition, one of several actions, somebody
 * else's, or a thing taken back. A doubtful answer is not read; the agent is told to decide and answer once.
 */
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { readCommandLine, shown } from './command-line.js';
import type { Label } from './labels.js';
import { commandLineOf } from './labels.js';
import type { Place } from './place.js';
import { lineBefore, nextLine } from './place.js';
import type { Vocabulary } from './protocol.js';
import { plainCommand } from './whole-line.js';

/** An explicit answer: its label, the label before it, and the place of its command. */
export interface Explicit {
  readonly label: Label;
  readonly before: Label | undefined;
  readonly place: Place;
}

/** Why the answer may not count; null where nothing speaks against it. */
export function doubtOf(text: string, answer: Explicit, vocabulary: Vocabulary): Problem | null {
  return (
    conditionDoubt(text, answer.label) ??
    introducedDoubt(text, answer) ??
    otherAnswerDoubt(text, answer, vocabulary) ??
    doubtAfter(text, answer.place, vocabulary)
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

const ANNOUNCES =
  /\b(?:action|answer|command|decision|choice|move|therefore|so|thus|hence|i (?:will|shall|'ll|choose|do|take)|let me|final|next|now|best|conclusion)\b/i;
const GIVES_REASONS =
  /^[^\p{L}]{0,8}(?:this|it|with this|by|in order|so that|because|since|reason|reasoning|explanation|rationale|justification|thought|note)\b/iu;

/** Announced by a heading in words that we don't know, and not the end of the reply: it may be an example, or another's. */
function introducedDoubt(text: string, { label, place }: Explicit): Problem | null {
  const intro = lineBefore(text, label.at);
  if (!/[:：]$/.test(intro) || ANNOUNCES.test(intro) || PART.test(intro)) return null;
  const newline = text.indexOf('\n', place.end);
  const next = newline < 0 ? null : nextLine(text, newline);
  if (next === null || GIVES_REASONS.test(text.slice(next.start, next.start + 60))) return null;
  return problem(
    'ambiguous',
    'It is not clear that this is your answer. End your reply with one ACTION: line.',
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
  if (speaksBetween(text.slice(before.end, label.at))) {
    const message = 'Your reply holds answers of several speakers. Answer for yourself alone, once.';
    return problem('ambiguous', message);
  }
  const intro = lineBefore(text, label.at);
  const isNext = intro.endsWith(written) || SEQUENCE.test(intro);
  if (!isNext || !isCommand(written, vocabulary)) return null;
  return problem('ambiguous', 'Your reply holds several actions in a row. Give exactly one action a reply.');
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

function speaksBetween(between: string): boolean {
  return between.split('\n').some((line) => SPEAKER.test(line.slice(0, 50)) && !PART.test(line));
}

const TAKES_BACK =
  /^[^\p{L}]*(?:(?:no|wait|hmm+|sorry|oops|actually|hold on)\s?[,.!…-]|(?:wait|oh),? no\b|actually\b|correction\b|scratch that|on second thought|never ?mind|cancel that|ignore that|strike that|i (?:take|took) (?:it|that) back|that (?:is|was) wrong|i mean\b|i meant\b|(?:but|or|oh|not)\b|wait\b|however\b|on (?:second thought|reflection)|let me (?:reconsider|think|re-?check)|i (?:have )?changed my mind|that (?:would be|is) (?:a mistake|a trap|wrong)|just kidding|forget (?:that|it)|disregard|ignore the|undo\b|stop!|nein\b|non\b|нет(?!\p{L})|espera\b|等等|不对|いや)/iu;

function doubtAfter(text: string, place: Place, vocabulary: Vocabulary): Problem | null {
  const newline = text.indexOf('\n', place.end);
  const next = newline < 0 ? null : nextLine(text, newline);
  if (next === null) return null;
  const following = text.slice(next.start, next.end);
  if (/^action input ?:/i.test(following)) {
    return problem('unparsable', 'Write the action and its arguments on one line, without "Action Input".');
  }
  if (TAKES_BACK.test(following)) {
    return problem('ambiguous', `After your answer you wrote ${shown(following)}. Decide, and answer once.`);
  }
  const second = plainCommand(following, vocabulary);
  if (second === null || second === signature(text.slice(place.start, place.end), vocabulary)) return null;
  return problem(
    'ambiguous',
    `Your answer is followed by another command, ${shown(following)}. Give exactly one.`,
  );
}

function signature(line: string, vocabulary: Vocabulary): string | null {
  const read = readCommandLine(
    { text: line, raw: (a, b) => line.slice(a, b), quotedOnly: false },
    vocabulary,
  );
  return read.ok ? JSON.stringify(read.command) : null;
}
