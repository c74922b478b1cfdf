/**
 * The protocol `command`: a short reasoning, then one last line `ACTION: <command>`. Writes its instructions from the
 * actions' grammars and reads replies back: the last labelled line, else the one whole-line command (`docs/PROTOCOLS.md`).
 */
import { LIMITS } from '../base/limits.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { commandForm } from '../forms/command-form.js';
import type { Vocabulary } from '../forms/vocabulary.js';
import type { AnswerCandidate } from './choice.js';
import { choose, readingOf } from './choice.js';
import { readCommandLine, readVerb } from './command-line.js';
import type { AnswerLabel } from './labels.js';
import { commandLineOf, findLabels } from './labels.js';
import { rawSpan } from './normalise.js';
import type { ReplyPage, ReplyText } from './page.js';
import { pageOf } from './page.js';
import type { LineSpan } from './place.js';
import { nextLine } from './place.js';
import type { Protocol } from './protocol.js';
import type { Command, ReplyReading, TextSpan } from './reading.js';
import { refusedReading } from './reading.js';
import { foreignShape, toolCallProblem, USE_COMMAND } from './shapes.js';
import { isWithin } from './structure.js';
import type { WholeLine } from './whole-line.js';
import { findWholeLine, wholeLines } from './whole-line.js';
import { writtenLine } from './written-line.js';

export const commandProtocol: Protocol = { ...commandForm, read };

function read(
  reply: ReplyText,
  vocabulary: Vocabulary,
  told: ReadonlySet<string> = NOTHING_TOLD,
): ReplyReading {
  const taken = pageOf(reply, ENDING);
  if (!taken.ok) return refusedReading(taken.problem);
  if (reply.toolCalls.length > 0) return refusedReading(toolCallProblem(USE_COMMAND));
  const page = upToTurnEnd(soleLine(taken.page), vocabulary);
  const around = { page, vocabulary, lines: wholeLines(page, vocabulary) };
  const candidates = countingLabels(page, vocabulary).map((label) => labelled(around, label));
  const choice = choose(page, candidates, told);
  if (choice === null) return unlabelled(page, vocabulary);
  return choice.ok ? readingOf(page, choice.candidate) : refusedReading(choice.problem, 'label');
}

const ENDING = 'After your reasoning, end with one line: ACTION: followed by the command.';
const NOTHING_TOLD: ReadonlySet<string> = new Set();

/** A reply that is one line in quotation marks is no quotation of somebody else. */
function soleLine(page: ReplyPage): ReplyPage {
  const { normal } = page;
  const text = normal.text.trim();
  const mark = text.charAt(0);
  const isWrapped =
    text.length > 2 && (mark === '"' || mark === "'") && text.endsWith(mark) && !text.includes('\n');
  if (!isWrapped) return page;
  const start = normal.text.indexOf(mark) + 1;
  const end = start + text.length - 2;
  return {
    ...page,
    normal: { text: normal.text.slice(start, end), offsets: normal.offsets.slice(start, end) },
  };
}

/** A command without a label that an end mark follows is the whole answer: what comes after it was made up. */
function upToTurnEnd(page: ReplyPage, vocabulary: Vocabulary): ReplyPage {
  if (page.marks.length === 0) return page;
  const { text, offsets } = page.normal;
  const lines = wholeLines(page, vocabulary).filter(({ isPlain, isListed }) => isPlain && !isListed);
  const over = lines.find(({ line }) => {
    const end = offsets[line.end] ?? page.content.length;
    return page.marks.some((mark) => mark.start <= end && mark.start >= (offsets[line.end - 1] ?? 0));
  });
  if (over === undefined) return page;
  const { end } = over.line;
  return { ...page, normal: { text: text.slice(0, end), offsets: offsets.slice(0, end) } };
}

/** The strong ones; where there is none, those weak ones that a verb follows. */
function countingLabels(page: ReplyPage, vocabulary: Vocabulary): readonly AnswerLabel[] {
  const { text, offsets } = page.normal;
  const all = findLabels(text).filter(({ start }) => !isWithin(page.quoted, offsets[start - 1] ?? 0));
  const strong = all.filter((label) => label.strength === 'strong');
  if (strong.length > 0) return strong;
  return all.filter((label) => {
    const line = commandLineOf(text, label);
    return line !== null && readVerb(text.slice(line.start, line.end), vocabulary) !== null;
  });
}

interface LabelContext {
  readonly page: ReplyPage;
  readonly vocabulary: Vocabulary;
  readonly lines: readonly WholeLine[];
}

function labelled({ page, vocabulary, lines }: LabelContext, label: AnswerLabel): AnswerCandidate {
  const { text, offsets } = page.normal;
  const place = commandLineOf(text, label);
  const at = offsets[label.at] ?? 0;
  const refuse = (reason: Problem, span: TextSpan = { start: at, end: at }): AnswerCandidate => ({
    at,
    ...span,
    rung: label.kind,
    call: { ok: false, problem: reason },
  });
  if (place === null || place.start >= place.end) return refuse(nothingAfter());
  if (place.end - place.start > LIMITS.commandLineCharacters)
    return refuse(lineTooLong(), rawSpan(page.normal, place.start, place.end));
  const written = writtenLine(page, place, false);
  const shape = foreignShape(text.slice(label.start, Math.max(place.end, place.start + 80)).trimStart());
  if (shape !== null) return refuse(shape, written);
  const call = readCommandLine(written.line, vocabulary);
  const { start } = written;
  if (!call.ok) return refuse(call.problem, { start, end: written.end });
  const end = written.rawAt(call.end);
  if (goesOn(page, label, place, { command: call.command, lines }))
    return refuse(severalLines(), { start, end });
  return { at, start, end, bareEnd: written.rawAt(call.bareEnd), rung: label.kind, call };
}

function unlabelled(page: ReplyPage, vocabulary: Vocabulary): ReplyReading {
  const { text } = page.normal;
  const shape = foreignShape(text);
  if (shape !== null) return refusedReading(shape);
  const found = findWholeLine(page, vocabulary);
  if (!found.ok) return refusedReading(found.problem);
  const { line, start, end, rawAt } = writtenLine(page, found.place, true);
  const call = readCommandLine(line, vocabulary);
  const span = call.ok ? { start, end: rawAt(call.end) } : { start, end };
  return readingOf(page, { at: start, ...span, rung: 'whole line', call });
}

/** Whether the next line is another command: a label above a list of several names none of them. */
function goesOn(
  { normal: { text } }: ReplyPage,
  label: AnswerLabel,
  place: LineSpan,
  { command, lines }: ContinuedLine,
): boolean {
  if (lines.length === 0 || (label.end < text.length && text[label.end] !== '\n')) return false;
  const end = place.start > label.end ? text.indexOf('\n', place.end) : label.end;
  const next = end < 0 ? null : nextLine(text, end);
  const said = JSON.stringify(command);
  return lines.some(
    (one) => next !== null && one.isPlain && one.line.start === next.start && one.command !== said,
  );
}

interface ContinuedLine {
  readonly command: Command;
  readonly lines: readonly WholeLine[];
}

function severalLines(): Problem {
  return problem('ambiguous', 'Your answer holds several commands in a row. Give exactly one.');
}

function nothingAfter(): Problem {
  return problem('unparsable', 'Your answer has nothing after ACTION:. Write the command on that same line.');
}

function lineTooLong(): Problem {
  const told = 'The line of your command is far too long. Write the ACTION: line anew, and shorter.';
  return problem('bad-argument', told);
}
