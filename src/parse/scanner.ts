/**
 * Finds the one line of a reply that may count (DESIGN section 7): the last explicit answer; where there is none, the one
 * whole-line command. In goes the normalised text, out comes a place in it or a problem. Linear.
 *
 * Nothing is taken out of prose, quotations, negations or lists of choices, and no earlier line stands in for the last one.
 */
import { LIMITS } from '../base/limits.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { readVerb } from './command-line.js';
import { doubtOf } from './doubts.js';
import type { Label } from './labels.js';
import { commandLineOf, findLabels } from './labels.js';
import type { Answer, Place } from './place.js';
import type { Rung } from './reading.js';
import type { Vocabulary } from './protocol.js';
import { foreignShape } from './shapes.js';
import { findWholeLine } from './whole-line.js';

export function findAnswer(text: string, vocabulary: Vocabulary): Answer {
  const all = findLabels(text);
  if (all.length > LIMITS.replyCandidates) {
    const message = `Your reply holds more than ${LIMITS.replyCandidates} answers. Give exactly one.`;
    return refused(problem('ambiguous', message));
  }
  const strong = all.filter((label) => label.strength === 'strong');
  const labels = strong.length > 0 ? strong : all.filter((label) => beginsWithVerb(text, label, vocabulary));
  if (labels.length > 0) return explicitAnswer(text, labels, vocabulary);
  const shape = foreignShape(text);
  return shape === null ? findWholeLine(text, vocabulary) : refused(shape);
}

function refused(reason: Problem, rung: Rung | null = null, place: Place | null = null): Answer {
  return { ok: false, rung, place, problem: reason };
}

function beginsWithVerb(text: string, label: Label, vocabulary: Vocabulary): boolean {
  const line = commandLineOf(text, label);
  return line !== null && readVerb(text.slice(line.start, line.end), vocabulary) !== null;
}

function explicitAnswer(text: string, labels: readonly Label[], vocabulary: Vocabulary): Answer {
  const label = labels.at(-1);
  const place = label === undefined ? null : commandLineOf(text, label);
  if (label === undefined || place === null || place.start >= place.end) {
    const message = 'Your answer has nothing after ACTION:. Write the command on that same line.';
    return refused(problem('unparsable', message), label?.kind);
  }
  if (place.end - place.start > LIMITS.commandLineCharacters) {
    const message = 'The line of your command is far too long. Write the ACTION: line anew, and shorter.';
    return refused(problem('bad-argument', message), label.kind, place);
  }
  const doubt =
    foreignShape(text.slice(label.start).trimStart()) ?? doubtOf(text, { labels, label, place }, vocabulary);
  return doubt === null ? { ok: true, rung: label.kind, place } : refused(doubt, label.kind, place);
}
