/**
 * Doubts about the last explicit answer: what stands around it may quote, deny or follow it, and other answers may stand beside it. A
 * doubtful answer is not read; the agent is told what to leave out and answers again.
 */
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { readCommandLine, shown } from './command-line.js';
import { isClosing } from './ending.js';
import { announces, isOwn, leadOf } from './frame.js';
import type { Label } from './labels.js';
import { commandLineOf } from './labels.js';
import type { Place } from './place.js';
import { lineBefore, nextLine } from './place.js';
import type { Vocabulary } from './protocol.js';

/** An explicit answer: all labels up to its own, which is the last, and the place of its command. */
export interface Explicit {
  readonly labels: readonly Label[];
  readonly label: Label;
  readonly place: Place;
}

/** Why the answer may not count; null where nothing speaks against it. */
export function doubtOf(text: string, answer: Explicit, vocabulary: Vocabulary): Problem | null {
  return (
    doubtBefore(text, answer, vocabulary) ??
    otherAnswerDoubt(text, answer, vocabulary) ??
    doubtAfter(text, answer, vocabulary)
  );
}

/** What stands before may quote the answer, tell of it, forbid it or make it a condition. */
function doubtBefore(text: string, { label }: Explicit, vocabulary: Vocabulary): Problem | null {
  if (isStruck(text, label) || isWrapped(text, label)) {
    return problem('unparsable', 'Your answer is crossed out or shown as a quotation, so it was not read.');
  }
  return isOwn(text, label.at, vocabulary) ? null : notYours(leadOf(text, label.at));
}

/** What is told of an answer after words that may make it somebody else's. */
export function notYours(lead: string): Problem {
  return problem(
    'ambiguous',
    `Before your answer you wrote ${shown(lead)}, so it is not clear that the answer is yours. End your reasoning with a whole sentence about what you do, then write the ACTION: line.`,
  );
}

const TAG = /<(\/?)([a-z][a-z_-]{0,30})(?:\s[^<>]{0,80})?>|<!--|-->/gi;
const ANSWERS =
  /^(?:action|final_action|command|answer|final_answer|final|output|response|result|reply|br|p|b|i|u|strong|em|code|pre)$/i;

/** Inside a pair of tags that are not an answer's, such as `<example>` or a comment. Looks 2,000 characters around. */
function isWrapped(text: string, label: Label): boolean {
  const above = text.slice(Math.max(0, label.at - 2000), label.at);
  if (!above.includes('<')) return false;
  const open: string[] = [];
  for (const [tag, slash, name = '!--'] of above.matchAll(TAG)) {
    if (tag === '-->' || slash === '/') open.splice(open.lastIndexOf(name.toLowerCase()) >>> 0);
    else if (!ANSWERS.test(name)) open.push(name.toLowerCase());
  }
  const rest = text.slice(label.end, label.end + 2000).toLowerCase();
  return open.some((name) => rest.includes(name === '!--' ? '-->' : `</${name}>`));
}

/** Struck out, crossed or negated by a sign: `~~ACTION: …~~`, `❌ ACTION: …`, `ACTION: !GO EAST`. */
const CROSSED = /~~|[❌❎✗✘✖🚫⛔🛑👎🙅]/u;

function isStruck(text: string, label: Label): boolean {
  const line = text.slice(label.at, Math.min(label.end, label.at + 300));
  const unquoted = line.split('"', 1)[0] ?? '';
  return CROSSED.test(unquoted) || /^[!¬≠~]/.test(text.slice(label.start, label.start + 1));
}

/**
 * What a model writes when it plays the program's part as well, or a chat role glued to its answer: an answer after
 * this was given to a turn that never was.
 */
const INVENTED =
  /^[# <[(]{0,4}(?:(?:observation|user|human|environment|system|assistant|result|outcome|game|world|narrator|用户|系统)\b ?(?:\d{1,4} ?)?(?:[:>\])]|$)|(?:用户|系统|观察) ?:|turn \d{1,5}\.? ?$|you may now:)|\S(?:assistant|user|model|system)$/im;

/** Different answers: the last was thought over, unless it is another speaker's, one to choose from, or the next of a row. */
function otherAnswerDoubt(
  text: string,
  { labels, label, place }: Explicit,
  vocabulary: Vocabulary,
): Problem | null {
  const [first, before] = [labels[0], labels.at(-2)];
  const other = before === undefined ? null : commandLineOf(text, before);
  if (first === undefined || before === undefined || other === null) return null;
  const between = text.slice(first.start, label.at);
  if (INVENTED.test(between) || speaksBetween(between.slice(before.end - first.start))) {
    const message =
      'Your reply holds answers of several turns or speakers. Give your own answer, once, and end there.';
    return problem('ambiguous', message);
  }
  const written = text.slice(other.start, other.end);
  if (written === text.slice(place.start, place.end)) return null;
  if (isChoice(text, before) && isChoice(text, label)) {
    return problem('ambiguous', 'Your reply lists several actions to choose from. Give exactly one.');
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
  return !/[,;.?!] /.test(unquoted) && isReadable(written, vocabulary);
}

/** Answers in a row, or of several turns: the second is no second thought. */
const SEQUENCE =
  /^[^\p{L}]*(?:turn|step|round|then|next|after(?:wards| that)?|second(?:ly)?|finally|and)\b/iu;

const SPEAKER = /^[ [(]{0,3}\p{Lu}[\p{L}' -]{0,30}[\])]?:/u;
/** Headings of a reply's own parts are no speakers. */
const PART =
  /^[ [(]{0,3}(?:(?:my |new |final |revised |updated )?(?:reason|reasoning|thoughts?|thinking|plan|note|analysis|explanation|goal|step|situation|summary|correction|reflection|decision|answer|because|wait|actually|so|however|option|result|outcome|update|conclusion|perception|memory|next)\b)/i;

/** Whether a heading is of a part of the agent's own reply. */
export function isPart(heading: string): boolean {
  return PART.test(heading);
}

function speaksBetween(between: string): boolean {
  return between
    .split('\n')
    .some((line) => SPEAKER.test(line.slice(0, 50)) && !isPart(line) && !announces(line));
}

/** Nothing may follow the answer's line but marks that close something. */
function doubtAfter(text: string, { place }: Explicit, vocabulary: Vocabulary): Problem | null {
  const newline = text.indexOf('\n', place.end);
  const next = newline < 0 ? null : nextLine(text, newline);
  if (next === null || isClosing(text.slice(next.start))) return null;
  const following = text.slice(next.start, next.end);
  if (/^action input ?:/i.test(following)) {
    return problem('unparsable', 'Write the action and its arguments on one line, without "Action Input".');
  }
  // A command that can't be read is refused for that, which says more.
  if (!isReadable(text.slice(place.start, place.end), vocabulary)) return null;
  return problem(
    'ambiguous',
    `After your answer you wrote ${shown(following)}. Reason first; nothing may follow the ACTION: line.`,
  );
}

function isReadable(line: string, vocabulary: Vocabulary): boolean {
  const text = { text: line, raw: (a: number, b: number) => line.slice(a, b), quotedOnly: false };
  return readCommandLine(text, vocabulary).ok;
}
