/**
 * The protocol `react`: Thought, Action, Action Input; only the program writes the Observation. It writes its
 * instructions and parses blocks. Thoughts are ignored; inputs and final answers may have several lines.
 * `Final Answer:` is the environment's terminal action, if it has one.
 */
import { known } from '../base/assert.js';
import { LIMITS } from '../base/limits.js';
import { problem } from '../base/problem.js';
import { answerAction, reactForm, textSlot } from '../forms/react-form.js';
import type { Vocabulary } from '../forms/vocabulary.js';
import { verbsOf } from '../forms/vocabulary.js';
import { withoutTrailingMarks } from './arguments.js';
import type { CallReading } from './call.js';
import { callOf, namedCall } from './call.js';
import type { AnswerCandidate } from './choice.js';
import { chooseAnswer, readingOf } from './choice.js';
import { readCommandLine, readVerb } from './command-line.js';
import { brokenArguments } from './named-calls.js';
import type { LooseJson, LooseReading } from './loose-json.js';
import { isLooseObject, readLoose } from './loose-json.js';
import type { NormalisedText } from './normalise.js';
import { rawSpan } from './normalise.js';
import type { ReplyPage, ReplyText } from './page.js';
import { pageOf } from './page.js';
import { ownName } from './labels.js';
import type { LineSpan } from './line-span.js';
import { commandBounds, nextLine, writtenLine } from './line-span.js';
import type { Protocol, ReplyOrigin } from './protocol.js';
import type { ReplyReading, TextSpan } from './reading.js';
import { refusedReading } from './reading.js';
import { isObjectLike, toolCallProblem } from './shapes.js';

export const reactProtocol: Protocol = { ...reactForm, read };

const ENDING = 'End your reply with the lines Action: <action> and Action Input: {…}.';

function read(reply: ReplyText, vocabulary: Vocabulary, origin?: ReplyOrigin): ReplyReading {
  const pageReading = pageOf(reply, ENDING);
  if (!pageReading.ok) return refusedReading(pageReading.problem);
  if (reply.toolCalls.length > 0) return refusedReading(toolCallProblem(ENDING));
  const { page } = pageReading;
  const labels = labelsOf(page, origin?.agent);
  if (labels.length > 4 * LIMITS.replyCandidates)
    return refusedReading(problem('ambiguous', 'Your reply holds far too many actions. Give exactly one.'));
  const blocks = labels.flatMap(
    (label, index) => blockOf({ page, vocabulary }, label, labels[index + 1]) ?? [],
  );
  const choice = chooseAnswer(page, blocks, origin?.shownLines);
  if (choice === null)
    return refusedReading(problem('unparsable', `I found no Action in your reply. ${ENDING}`));
  return choice.ok ? readingOf(page, choice.candidate) : refusedReading(choice.problem, 'block');
}

interface ReactContext {
  page: ReplyPage;
  vocabulary: Vocabulary;
}

/** `speaker`: a pattern that may match before a label. */
const labelAfter = (speaker: string): RegExp =>
  new RegExp(
    `^[ >#*+|([-]{0,8}(?:\\d{1,2}[.)] )?(?:<[a-z][a-z_-]{0,30}>)?${speaker}(thought|action[ _]?input|action|observation|final[ _]?answer) ?(?:\\d{1,3} ?)?: ?|(?<=[.!?)] )(action|final answer): `,
    'dgimu',
  );
const LABEL = labelAfter('');

interface ReactLabel {
  /** `action`, `actioninput`, `finalanswer`, or another label that ends the preceding part. */
  kind: string;
  /** Its position in the content. */
  at: number;
  /** The first line of what it labels, in the normalised text; empty if it labels nothing. */
  line: LineSpan;
  /** Everything that it labels, in the content: up to the next label or end mark. */
  slot: TextSpan;
}

function labelsOf(page: ReplyPage, speaker: string | undefined): readonly ReactLabel[] {
  const { text, offsets } = page.normal;
  const own = ownName(speaker, text);
  const matches = [...text.matchAll(own === null ? LABEL : labelAfter(`(?:${own} ?: ?)?`))];
  return matches.map((match, index) => {
    const end = matches[index + 1]?.index ?? text.length;
    const kind = (match[1] ?? match[2] ?? '').replace(/[ _]/g, '').toLowerCase();
    const at = offsets[match.index] ?? 0;
    const labelEnd = match.index + match[0].length;
    const line = nextLine(text.slice(labelEnd, end), 0);
    const [word = 0] = match.indices?.[1] ?? match.indices?.[2] ?? [];
    const slot = slotOf(page, { start: word, end: labelEnd }, end);
    if (line === null) return { kind, at, line: { start: end, end }, slot };
    return { kind, at, line: { start: labelEnd + line.start, end: labelEnd + line.end }, slot };
  });
}

/**
 * The beginning of a code fence: its mark, and a language if a line end or an object follows, or a usual one
 * before other words.
 */
const FENCE =
  /^(`{3,}|~{3,})[^\S\n]{0,8}(?:[\w+-]{0,20}[^\S\n]{0,8}(?:\n\s{0,8}|(?=\{))|(?:text|txt|plaintext|json|markdown|md)[^\S\n]{1,8})?/;

/** What the fence at the beginning of a text holds, and its position; null if it is only code among words. */
function fenced(text: string): { at: number; text: string } | null {
  const [opening, mark] = FENCE.exec(text) ?? [];
  if (opening === undefined || mark === undefined) return null;
  const at = opening.length;
  const body = text.slice(at);
  const line = known(body.split('\n', 1)[0], 'a line').trimEnd();
  if (!opening.includes('\n') && line.endsWith(mark)) return { at, text: line.slice(0, -mark.length) };
  const [held = '', ...after] = body.split(new RegExp(`(?:^|\\n)[^\\S\\n]{0,8}${mark}`));
  if (after.length > 0) return { at, text: held };
  const whole = body.trimEnd();
  if (whole.endsWith(mark)) return { at, text: whole.slice(0, -mark.length) };
  return line.includes(mark) ? null : { at, text: body };
}

/**
 * What a label labels, in the raw content: up to the end of the line before the next label (`to`, in the
 * normalised text), without a fence around its beginning and without the emphasis of the label itself.
 */
function slotOf({ content, normal, parts }: ReplyPage, label: LineSpan, to: number): TextSpan {
  const { start: word, end: labelEnd } = rawSpan(normal, label.start, label.end);
  const part = parts.find((one) => one.start < labelEnd && labelEnd <= one.end);
  const rest = content.slice(labelEnd, Math.min(restEnd(content, normal, label.end, to), part?.end ?? 0));
  const emphasis = /[*_`]{0,3}$/.exec(content.slice(Math.max(0, word - 3), word))?.[0] ?? '';
  const isClosed = emphasis === '' || content.slice(word, labelEnd).includes(emphasis);
  const closing = !isClosed && rest.trimStart().startsWith(emphasis) ? emphasis.length : 0;
  const given = rest.trimStart().slice(closing).trimStart();
  const fence = fenced(given);
  const start = labelEnd + rest.length - given.length + (fence?.at ?? 0);
  const text = fence?.text ?? withoutClosing(given, isClosed || closing > 0 ? '' : emphasis);
  return { start, end: start + text.trimEnd().length };
}

/** The end of the line on which the normalised text from `from` to `to` ends, or the next label. */
function restEnd(content: string, { text, offsets }: NormalisedText, from: number, to: number): number {
  const written = text.slice(from, to).trimEnd().length;
  const last = (offsets[from + written - 1] ?? 0) + 1;
  const next = to < text.length ? (offsets[to] ?? content.length) : content.length;
  const newline = content.slice(last, next).indexOf('\n');
  return newline < 0 ? next : last + newline;
}

/** The text without the emphasis that its label opened, on the first line. */
function withoutClosing(text: string, emphasis: string): string {
  const line = text.split('\n', 1)[0]?.trimEnd() ?? '';
  return emphasis !== '' && line.endsWith(emphasis) ? line.slice(0, -emphasis.length) : text;
}

function blockOf(
  context: ReactContext,
  label: ReactLabel,
  next: ReactLabel | undefined,
): AnswerCandidate | null {
  const { page, vocabulary } = context;
  if (label.kind === 'finalanswer')
    return { at: label.at, ...label.slot, rung: 'block', call: finalCall(context, label) };
  if (label.kind !== 'action') return null;
  const line = commandBounds(page.normal.text, label.line);
  const actionText = withoutTrailingMarks(page.normal.text.slice(line.start, line.end));
  const span =
    line.start < line.end ? rawSpan(page.normal, line.start, line.end) : { start: label.at, end: label.at };
  const block = { at: label.at, ...span, rung: 'block' as const };
  if (next?.kind === 'actioninput') return { ...block, ...inputCall(context, actionText, line, next) };
  const object = objectAt(page, label);
  if (object === null || !isLooseObject(object.value))
    return { ...block, call: bareCall(context, actionText, line) };
  const { start } = label.slot;
  return {
    ...block,
    start,
    end: object.end,
    call: callOf(object.value, vocabulary) ?? {
      ok: false,
      problem: problem('unparsable', `Your object names no action. ${ENDING}`),
    },
  };
}

/** A final answer may have several lines. */
function finalCall({ page, vocabulary }: ReactContext, { slot }: ReactLabel): CallReading {
  const action = answerAction(vocabulary);
  const text = unwrapped(page.content.slice(slot.start, slot.end).trim());
  if (action !== null) return namedCall(action.action.name, new Map([[action.slot, text]]), vocabulary);
  const message = `There is no final answer to give here. ${ENDING}`;
  return { ok: false, problem: problem('unknown-action', message) };
}

/**
 * The command that the input makes of the action, and its end: from an object, otherwise from all of its
 * words, otherwise (if prose follows) from its first line.
 */
function inputCall(
  context: ReactContext,
  name: string,
  nameLine: LineSpan,
  label: ReactLabel,
): { call: CallReading; end: number } {
  const { page, vocabulary } = context;
  const { line, slot } = label;
  const object = objectAt(page, label);
  const text = page.content.slice(slot.start, slot.end);
  if (object === null && isObjectLike(text))
    return { call: { ok: false, problem: brokenArguments(name) }, end: slot.end };
  const first = line.start < line.end ? rawSpan(page.normal, line.start, line.end) : slot;
  const firstLine = { start: Math.max(first.start, slot.start), end: Math.min(first.end, slot.end) };
  const inputs = object === null ? wordInputs(page, slot, firstLine) : [object];
  const action = verbsOf(vocabulary).get(name.toUpperCase());
  const textSlotName = textSlot(action);
  const calls = inputs.map(({ value, end }) => {
    const isEmpty = value == null || (isLooseObject(value) && value.size === 0);
    if (isEmpty && /[ (]/.test(name)) return { call: bareCall(context, name, nameLine), end };
    const isMultiline = textSlotName !== null && typeof value === 'string' && value.includes('\n');
    return { call: namedCall(name, isMultiline ? new Map([[textSlotName, value]]) : value, vocabulary), end };
  });
  return known(calls.find(({ call }) => call.ok) ?? calls.at(-1), 'an input');
}

interface ReactInput {
  /** Undefined if the input says that there is none. */
  value: LooseJson | undefined;
  /** Its end in the content. */
  end: number;
}

/** What an input in plain words may be: all of them, without a pair of marks around them, their first line. */
function wordInputs(page: ReplyPage, slot: TextSpan, firstLine: TextSpan): readonly ReactInput[] {
  const all = wordsAt(page, slot);
  const inner = typeof all.value === 'string' ? unwrapped(all.value) : all.value;
  return [all, ...(inner === all.value ? [] : [{ ...all, value: inner }]), wordsAt(page, firstLine)];
}

/** Bold, or code. */
const WRAPPED = /^(?:\*\*([^*\n]+)\*\*|`([^`\n]+)`)$/;

/** A text without the marks around the whole of it. */
function unwrapped(text: string): string {
  const [, bold, code] = WRAPPED.exec(text) ?? [];
  return bold ?? code ?? text;
}

/** Words after a label. */
function wordsAt({ content }: ReplyPage, { start, end }: TextSpan): ReactInput {
  const text = content.slice(start, end).trim();
  return { value: NOTHING.test(text) ? undefined : text, end };
}

/** Words that say that there is no input. */
const NOTHING = /^`*(?:none|null|n\/a|empty|nothing|\(none\))?`*$/i;

/** An action without an input: one that needs no arguments, or a whole command. */
function bareCall({ page, vocabulary }: ReactContext, actionText: string, line: LineSpan): CallReading {
  const verb = readVerb(actionText, vocabulary);
  const isAlone = verb === null || /^(?:\(\s*\))?$/.test(actionText.slice(verb.end));
  return isAlone
    ? namedCall(actionText.slice(0, verb?.end), undefined, vocabulary)
    : readCommandLine(writtenLine(page, line, false).line, vocabulary);
}

/** Only marks: any other text next to a value that is not an object would belong to the words. */
const CLOSING = /^[\s.`|)\]}]*$/;

/** What may stand before a value: its language, or the mark of code. */
const BEFORE_VALUE = /^(?:json\s{1,4}(?=\{)|`{1,2}(?=["{[]))/i;

/** The JSON value at the beginning of the labelled text; prose may follow on separate lines. */
function objectAt({ content }: ReplyPage, { slot }: ReactLabel): LooseReading {
  const before = BEFORE_VALUE.exec(content.slice(slot.start, Math.min(slot.end, slot.start + 16)));
  const json = readLoose(content, slot.start + (before?.[0].length ?? 0), slot.end);
  if (json === null) return null;
  const restOfLine = content.slice(json.end, slot.end).split('\n', 1)[0] ?? '';
  const isAlone = isLooseObject(json.value) ? !restOfLine.includes('{') : CLOSING.test(restOfLine);
  return isAlone ? json : null;
}
