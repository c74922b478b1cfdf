/**
 * The last rung: a reply without explicit answer. One distinct command that fills a whole line may count, if it stands
 * where answers stand (alone, last, or first before its reasons). Lists, quotations and lower-case lines in prose don't count.
 */
import { LIMITS } from '../base/limits.js';
import { problem } from '../base/problem.js';
import { readCommandLine } from './command-line.js';
import type { Answer, Place } from './place.js';
import { commandPlace, lineBefore, nextLine } from './place.js';
import type { Vocabulary } from './protocol.js';
import { USE_COMMAND } from './shapes.js';
import { verbsOf } from './verbs.js';

/** A line that begins with a word of a verb's shape, after marks of lists, headings and quotations. */
const LINE =
  /^([ #>+\-|([~"'<]{0,8}(?:\d{1,2}[.)] ?)?[ "'<[(]{0,3})([A-Za-z][A-Za-z_]{0,23})(?=[ :.(,!;\n"'\])>]|$)/gm;

interface Candidate {
  readonly place: Place;
  readonly line: Place;
  readonly command: string;
  readonly isListed: boolean;
  readonly isPlain: boolean;
}

/** The command that a line says in whole and in capitals, in a form to compare; null where it says none. */
export function plainCommand(line: string, vocabulary: Vocabulary): string | null {
  const stripped = line.replace(/^(?:[-+>] |\d{1,2}[.)] )/, '');
  const first = /^[A-Z][A-Z_]*/.exec(stripped)?.[0] ?? '';
  if (!verbsOf(vocabulary).has(first)) return null;
  const read = readCommandLine(textOf(stripped), vocabulary);
  return read.ok ? JSON.stringify(read.command) : null;
}

function textOf(line: string): { text: string; raw: (a: number, b: number) => string; quotedOnly: boolean } {
  return { text: line, raw: (start, end) => line.slice(start, end), quotedOnly: true };
}

export function findWholeLine(text: string, vocabulary: Vocabulary): Answer {
  const only = nextLine(text, 0);
  const isOnly = only !== null && nextLine(text, only.end) === null;
  const found = candidates(text, vocabulary);
  const counting = isOnly ? found : found.filter((one) => one.isPlain && !one.isListed);
  const answer = counting.at(-1);
  if (answer === undefined) return noAnswer(found);
  const others = found.filter((one) => one.command !== answer.command);
  const isDisputed = others.some((one) => !one.isListed || one.place.start > answer.place.start);
  if (isDisputed || found.length > LIMITS.replyCandidates) {
    return refused(
      'ambiguous',
      `Your reply holds several commands and none is marked as the answer. ${USE_COMMAND}`,
    );
  }
  if (!isOnly && !standsAsAnswer(text, answer)) {
    return refused('unparsable', `A command stands in your reply, but not as its answer. ${USE_COMMAND}`);
  }
  return { ok: true, rung: 'line', place: answer.place };
}

function noAnswer(found: readonly Candidate[]): Answer {
  const isList = found.some((one) => one.command !== found[0]?.command);
  return isList
    ? refused(
        'ambiguous',
        `Your reply lists several commands and none is marked as the answer. ${USE_COMMAND}`,
      )
    : refused('unparsable', `I found no answer in your reply. ${USE_COMMAND}`);
}

function refused(code: 'unparsable' | 'ambiguous', message: string): Answer {
  return { ok: false, rung: null, place: null, problem: problem(code, message) };
}

function candidates(text: string, vocabulary: Vocabulary): readonly Candidate[] {
  const verbs = verbsOf(vocabulary);
  const found: Candidate[] = [];
  for (const match of text.matchAll(LINE)) {
    if (found.length > LIMITS.replyCandidates) break;
    const word = match[2] ?? '';
    if (!verbs.has(word.toUpperCase())) continue;
    const candidate = candidateAt(text, match.index, match[1] ?? '', vocabulary);
    if (candidate !== null) found.push(candidate);
  }
  return found;
}

function candidateAt(text: string, at: number, marks: string, vocabulary: Vocabulary): Candidate | null {
  const newline = text.indexOf('\n', at);
  const line = { start: at, end: newline < 0 ? text.length : newline };
  const listMark = marks.replace(/["'<[( ]+$/, '');
  const place = commandPlace(text, { start: at + listMark.length, end: line.end });
  const written = text.slice(place.start, place.end);
  if (listMark.includes('~~') || written.includes('~~')) return null;
  const isPlain = /^[A-Z][A-Z_]*(?![a-z])/.test(written);
  const read = readCommandLine(textOf(written), vocabulary);
  // "Look, a rat!" and "Go north or south?" begin with verbs and are prose.
  if (!read.ok || (!isPlain && /[,;:?]/.test(written.split('"', 1)[0] ?? ''))) return null;
  return {
    place,
    line,
    command: JSON.stringify(read.command),
    isListed: /[->+|\d"']/.test(marks),
    isPlain,
  };
}

const REASONS = /^[^\p{L}]{0,8}(?:reason|reasoning|because|explanation|rationale|justification|note)\b/iu;
const TALKED_ABOUT = /:$|\b(?:not|never|or|if)$/i;

/** Last in the reply or followed by its reasons, and not introduced as something said, shown or not to be done. */
function standsAsAnswer(text: string, answer: Candidate): boolean {
  const next = nextLine(text, answer.line.end);
  const isPlaced = next === null || REASONS.test(text.slice(next.start, Math.min(next.end, next.start + 60)));
  return isPlaced && !TALKED_ABOUT.test(lineBefore(text, answer.line.start));
}
