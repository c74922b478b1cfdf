/**
 * The last rung: a reply without explicit answer. Its only command may count where it fills a whole line and nothing else is said but
 * what the agent means to do (`I think it is best to stay.`). Lists, quotations and lower-case lines in prose don't count.
 */
import { LIMITS } from '../base/limits.js';
import { problem } from '../base/problem.js';
import { readCommandLine, shown } from './command-line.js';
import { isClosing } from './ending.js';
import { isOwnWish } from './frame.js';
import type { Answer, Place } from './place.js';
import { commandPlace, nextLine } from './place.js';
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

function textOf(line: string): { text: string; raw: (a: number, b: number) => string; quotedOnly: boolean } {
  return { text: line, raw: (start, end) => line.slice(start, end), quotedOnly: true };
}

export function findWholeLine(text: string, vocabulary: Vocabulary): Answer {
  const only = nextLine(text, 0);
  const isOnly = only !== null && nextLine(text, only.end) === null;
  const found = candidates(text, vocabulary);
  const counting = isOnly ? found : found.filter((one) => one.isPlain && !one.isListed);
  const answer = counting.at(-1);
  if (answer === undefined) return noAnswer(found, isOnly ? text.slice(only.start, only.end) : '');
  if (found.some((one) => one.command !== answer.command) || found.length > LIMITS.replyCandidates) {
    return refused(
      'ambiguous',
      `Your reply holds several commands and none is marked as the answer. ${USE_COMMAND}`,
    );
  }
  if (ECHO.test(text) || (!isOnly && !standsAsAnswer(text, found))) {
    return refused('unparsable', `A command stands in your reply, but not as its answer. ${USE_COMMAND}`);
  }
  return { ok: true, rung: 'line', place: answer.place };
}

/** `line` is a reply of one line, '' for any other. */
function noAnswer(found: readonly Candidate[], line: string): Answer {
  const isList = found.some((one) => one.command !== found[0]?.command);
  return isList
    ? refused(
        'ambiguous',
        `Your reply lists several commands and none is marked as the answer. ${USE_COMMAND}`,
      )
    : refused('unparsable', `I found no answer in your reply${unknownVerb(line)}. ${USE_COMMAND}`);
}

/** `JUMP`, which somebody meant as a command. */
function unknownVerb(line: string): string {
  const word = /^[A-Z_]{2,24}(?![\p{L}\p{N}])/iu.exec(line)?.[0] ?? '';
  const isMeant = word !== '' && (word === word.toUpperCase() || !line.includes(' '));
  return isMeant ? `: there is no action ${shown(word)}` : '';
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
  if (line.end - line.start > LIMITS.commandLineCharacters) return null;
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

/** The rest of the reply is the same command again, closing marks, or what the agent means to do. */
function standsAsAnswer(text: string, found: readonly Candidate[]): boolean {
  const last = found.at(-1)?.line.end ?? 0;
  let before = '';
  let from = 0;
  for (const { line } of found) {
    before += text.slice(from, line.start);
    from = line.end;
  }
  return isOwnWish(before) && isClosing(text.slice(last));
}

/** An echo of the list of what may be done. */
const ECHO = /^you may now:/im;
