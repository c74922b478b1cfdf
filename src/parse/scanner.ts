/**
 * Finds the one line of a reply that may count (DESIGN section 7): the last explicit answer; where there is none, the one
 * whole-line command. In goes the normalised text, out comes a place in it or a problem. Linear.
 *
 * Nothing is taken out of prose, quotations, negations or lists of choices. Where two readings differ and neither is
 * marked as the answer, none counts.
 */
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { readCommandLine, readVerb, shown } from './command-line.js';
import type { Label } from './labels.js';
import { findLabels } from './labels.js';
import type { Answer, Place } from './place.js';
import { commandPlace, lineBefore, nextLine } from './place.js';
import type { Vocabulary } from './protocol.js';
import { foreignShape } from './shapes.js';
import { findWholeLine, plainCommand } from './whole-line.js';

export function findAnswer(text: string, vocabulary: Vocabulary): Answer {
  const labels = countingLabels(text, vocabulary);
  const last = labels.at(-1);
  if (last !== undefined) return explicitAnswer(text, last, labels.at(-2), vocabulary);
  const shape = foreignShape(text);
  return shape === null
    ? findWholeLine(text, vocabulary)
    : { ok: false, rung: null, place: null, problem: shape };
}

/** What a model writes when it plays the program's part as well; whatever follows an answer and this is invented. */
const INVENTED = /^[# ]{0,4}(?:observation|user|human|environment|system)\b ?(?:\d{1,4} ?)?:/gim;

/** The labels that may be the answer: strong before weak, none that is shown or told of, none of an invented turn. */
function countingLabels(text: string, vocabulary: Vocabulary): readonly Label[] {
  const all = findLabels(text).filter((label) => !isTold(text, label));
  const strong = all.filter((label) => label.strength === 'strong');
  const labels = strong.length > 0 ? strong : all.filter((label) => beginsWithVerb(text, label, vocabulary));
  const first = labels[0];
  if (first === undefined) return labels;
  INVENTED.lastIndex = first.end;
  const invented = INVENTED.exec(text)?.index ?? text.length;
  return labels.filter((label) => label.at < invented);
}

function beginsWithVerb(text: string, label: Label, vocabulary: Vocabulary): boolean {
  const line = commandLineOf(text, label);
  return line !== null && readVerb(text.slice(line.start, line.end), vocabulary) !== null;
}

/** An example, a format, somebody's words, a thing not to do: the label is talked about, not used. */
const TELLS =
  /(?:\b(?:examples?|formats?|templates?|e\.g\.?|for instance|previous(?:ly)?|last turn|earlier|instructions?|says?|said|reads?|wrote|told me|shout(?:s|ed)|heard|whisper(?:s|ed)|announced?|(?:not|never|n't) (?:do|choose|use|pick|answer|reply|say|write|send|output|give|take)|instead of|wrong|bad|incorrect|invalid)\b[^\n:]{0,60}):$/i;

/** The line right before stops in the middle of a sentence that says what not to do. */
const NEGATES = /(?:\b(?:not|never)|n't)\b[^.!?:]{0,60}[\p{L},]$/iu;

function isTold(text: string, label: Label): boolean {
  const before = lineBefore(text, label.at);
  const isBeside = text[label.at - 1] === '\n' && text[label.at - 2] !== '\n';
  return TELLS.test(before) || (isBeside && NEGATES.test(before)) || isStruck(text, label);
}

function isStruck(text: string, label: Label): boolean {
  return (
    text.slice(label.at, label.start).includes('~~') ||
    text.slice(label.start, label.start + 4).includes('~~')
  );
}

/** The command of a label: the rest of its line, or the next line where the rest is empty. */
function commandLineOf(text: string, label: Label): Place | null {
  const isOnItsLine = text.slice(label.start, label.end).trim() !== '';
  const line = isOnItsLine ? label : nextLine(text, label.end);
  return line === null ? null : commandPlace(text, withoutListMark(text, line));
}

function withoutListMark(text: string, line: Place): Place {
  const mark = /^(?:[-+>] |\d{1,2}[.)] )/.exec(text.slice(line.start, line.start + 4))?.[0] ?? '';
  return { start: line.start + mark.length, end: line.end };
}

function explicitAnswer(
  text: string,
  label: Label,
  before: Label | undefined,
  vocabulary: Vocabulary,
): Answer {
  const rung = label.kind;
  const place = commandLineOf(text, label);
  if (place === null || place.start >= place.end) {
    const nothing = problem(
      'unparsable',
      'Your answer has nothing after ACTION:. Write the command on that same line.',
    );
    return { ok: false, rung, place: null, problem: nothing };
  }
  const doubt =
    foreignShape(text.slice(label.start).trimStart()) ??
    doubtBefore(text, label, { before, place, vocabulary }) ??
    doubtAfter(text, place, vocabulary);
  return doubt === null ? { ok: true, rung, place } : { ok: false, rung, place, problem: doubt };
}

const CONDITION =
  /^[^\p{L}]*(?:if|otherwise|else|unless|alternatively|or|option|plan b|in case)\b.{0,120}[:,]?$/iu;
const SPEAKER = /^[ [(]{0,3}\p{Lu}[\p{L}' -]{0,30}[\])]?:/mu;

function doubtBefore(
  text: string,
  label: Label,
  { before, place, vocabulary }: { before: Label | undefined; place: Place; vocabulary: Vocabulary },
): Problem | null {
  const intro = lineBefore(text, label.at);
  if (CONDITION.test(intro) && /[:,]$|^\W*(?:or else|or|otherwise|else|alternatively)\W*$/i.test(intro)) {
    return problem('ambiguous', 'Your answer depends on a condition. Decide, and give exactly one action.');
  }
  const first = before === undefined ? null : commandLineOf(text, before);
  if (before === undefined || first === null) return null;
  const written = text.slice(first.start, first.end);
  if (written === text.slice(place.start, place.end)) return null;
  if (speaksBetween(text.slice(before.end, label.at))) {
    return problem(
      'ambiguous',
      'Your reply holds answers of several speakers. Answer for yourself alone, once.',
    );
  }
  const isNext = intro.endsWith(written) || SEQUENCE.test(intro);
  // "GO NORTH is blocked, so …" begins like a command and is none.
  const isCommand =
    !/[,;.?!] /.test(written.split('"', 1)[0] ?? '') && signature(written, vocabulary) !== null;
  if (!isNext || !isCommand) return null;
  return problem('ambiguous', 'Your reply holds several actions in a row. Give exactly one action a reply.');
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
  /^[^\p{L}]*(?:(?:no|wait|hmm+|sorry|oops|actually|hold on)\s?[,.!…-]|(?:wait|oh),? no\b|actually\b|correction\b|scratch that|on second thought|never ?mind|cancel that|ignore that|strike that|i (?:take|took) (?:it|that) back|that (?:is|was) wrong|i mean\b|i meant\b)/iu;

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
