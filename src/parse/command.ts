/**
 * The protocol `command`: brief reasoning, then one last line `ACTION: <command>`. It writes its instructions
 * from the actions' grammars and parses replies: the last labelled line, otherwise the one whole-line command
 * (`docs/reference/protocols.md`).
 */
import { LIMITS } from '../base/limits.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { commandForm } from '../forms/command-form.js';
import type { Vocabulary } from '../forms/vocabulary.js';
import type { AnswerCandidate } from './choice.js';
import { chooseAnswer, readingOf } from './choice.js';
import { readCommandLine, readVerb } from './command-line.js';
import type { AnswerLabel } from './labels.js';
import { commandLineOf, findLabels } from './labels.js';
import { partOf, rawSpan } from './normalise.js';
import type { ReplyPage, ReplyText } from './page.js';
import { pageOf } from './page.js';
import type { LineSpan } from './line-span.js';
import { nextLine, writtenLine } from './line-span.js';
import type { Protocol, ReplyOrigin } from './protocol.js';
import type { ReplyReading, TextSpan } from './reading.js';
import { refusedReading } from './reading.js';
import { foreignShape, toolCallProblem, USE_COMMAND } from './shapes.js';
import { isWithin } from './structure.js';
import type { WholeLine } from './whole-line.js';
import { findWholeLine, wholeLines } from './whole-line.js';

export const commandProtocol: Protocol = { ...commandForm, read };

function read(reply: ReplyText, vocabulary: Vocabulary, origin?: ReplyOrigin): ReplyReading {
  const pageReading = pageOf(reply, ENDING);
  if (!pageReading.ok) return refusedReading(pageReading.problem);
  if (reply.toolCalls.length > 0) return refusedReading(toolCallProblem(USE_COMMAND));
  const page = upToTurnEnd(soleLine(pageReading.page), vocabulary);
  const context = { page, vocabulary, lines: wholeLines(page, vocabulary) };
  const candidates = countingLabels(page, vocabulary, origin?.agent).map((label) =>
    labelledCandidate(context, label),
  );
  const choice = chooseAnswer(page, candidates, origin?.shownLines);
  if (choice === null) return unlabelled(page, vocabulary);
  return choice.ok ? readingOf(page, choice.candidate) : refusedReading(choice.problem, 'label');
}

const ENDING = 'After your reasoning, end with one line: ACTION: followed by the command.';

/** A reply that is one line in quotation marks is not a quotation. */
function soleLine(page: ReplyPage): ReplyPage {
  const { text } = page.normal;
  const line = text.trim();
  if (line.includes('\n') || !/^(?:".+"|'.+')$/.test(line)) return page;
  const start = text.indexOf(line) + 1;
  return { ...page, normal: partOf(page.normal, start, start + line.length - 2) };
}

/**
 * A command without a label that is followed by an end mark is the whole answer: what comes after it was made
 * up.
 */
function upToTurnEnd(page: ReplyPage, vocabulary: Vocabulary): ReplyPage {
  if (page.marks.length === 0) return page;
  const { offsets } = page.normal;
  const answerLine = wholeLines(page, vocabulary).find(({ line, isPlain, isListed }) => {
    const [last = 0, next = page.content.length] = [offsets[line.end - 1], offsets[line.end]];
    return isPlain && !isListed && page.marks.some(({ start }) => last <= start && start <= next);
  });
  return answerLine === undefined ? page : { ...page, normal: partOf(page.normal, 0, answerLine.line.end) };
}

/** The strong labels; if there is none, the weak ones that are followed by a verb. */
function countingLabels(
  page: ReplyPage,
  vocabulary: Vocabulary,
  speaker: string | undefined,
): readonly AnswerLabel[] {
  const { text, offsets } = page.normal;
  const all = findLabels(text, speaker).filter(
    ({ start }) => !isWithin(page.quoted, offsets[start - 1] ?? 0),
  );
  const strong = all.filter((label) => label.strength === 'strong');
  if (strong.length > 0) return strong;
  return all.filter((label) => {
    const line = commandLineOf(text, label);
    return line !== null && readVerb(text.slice(line.start, line.end), vocabulary) !== null;
  });
}

function labelledCandidate(
  { page, vocabulary, lines }: { page: ReplyPage; vocabulary: Vocabulary; lines: readonly WholeLine[] },
  label: AnswerLabel,
): AnswerCandidate {
  const { text, offsets } = page.normal;
  const bounds = commandLineOf(text, label);
  const at = offsets[label.at] ?? 0;
  const refuse = (reason: Problem, { start, end }: TextSpan = { start: at, end: at }): AnswerCandidate => ({
    at,
    start,
    end,
    rung: label.kind,
    call: { ok: false, problem: reason },
  });
  if (bounds === null || bounds.start >= bounds.end)
    return refuse(
      problem('unparsable', 'Your answer has nothing after ACTION:. Write the command on that same line.'),
    );
  if (bounds.end - bounds.start > LIMITS.commandLineCharacters) {
    const message = 'The line of your command is far too long. Write the ACTION: line anew, and shorter.';
    return refuse(problem('bad-argument', message), rawSpan(page.normal, bounds.start, bounds.end));
  }
  const written = writtenLine(page, bounds, false);
  const shape = foreignShape(text.slice(label.start, Math.max(bounds.end, bounds.start + 80)).trimStart());
  if (shape !== null) return refuse(shape, written);
  const call = readCommandLine(written.line, vocabulary);
  if (!call.ok) return refuse(call.problem, written);
  const span = { start: written.start, end: written.rawAt(call.end) };
  const next = lineBelow(text, label, bounds, lines);
  if (next !== undefined && next.command !== JSON.stringify(call.command))
    return refuse(
      problem('ambiguous', 'Your answer holds several commands in a row. Give exactly one.'),
      span,
    );
  return { at, ...span, bareEnd: written.rawAt(call.bareEnd), rung: label.kind, call };
}

/** The command on the next line: a label above a list of several commands names none of them. */
function lineBelow(
  text: string,
  label: AnswerLabel,
  bounds: LineSpan,
  lines: readonly WholeLine[],
): WholeLine | undefined {
  if (lines.length === 0 || (label.end < text.length && text[label.end] !== '\n')) return undefined;
  const end = bounds.start > label.end ? text.indexOf('\n', bounds.end) : label.end;
  const next = end < 0 ? null : nextLine(text, end);
  return lines.find(({ line, isPlain }) => isPlain && line.start === next?.start);
}

function unlabelled(page: ReplyPage, vocabulary: Vocabulary): ReplyReading {
  const shape = foreignShape(page.normal.text);
  if (shape !== null) return refusedReading(shape);
  const lineReading = findWholeLine(page, vocabulary);
  if (!lineReading.ok) return refusedReading(lineReading.problem);
  const { line, start, end, rawAt } = writtenLine(page, lineReading.bounds, true);
  const call = readCommandLine(line, vocabulary);
  const span = { start, end: call.ok ? rawAt(call.end) : end };
  return readingOf(page, { at: start, ...span, rung: 'whole line', call });
}
