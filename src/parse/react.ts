/**
 * The protocol `react`: Thought, Action, Action Input; only the program writes the Observation. It writes its
 * instructions and parses blocks. Thoughts are ignored; inputs and final answers may have several lines.
 * `Final Answer:` is the environment's terminal action, if it has one.
 */
import { known } from '../base/assert.js';
import { LIMITS } from '../base/limits.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { answerAction, reactForm, textSlot } from '../forms/react-form.js';
import type { Vocabulary } from '../forms/vocabulary.js';
import { verbsOf } from '../forms/vocabulary.js';
import { withoutTrailingMarks } from './arguments.js';
import type { CallReading } from './call.js';
import { callOf, lineCall, namedCall } from './call.js';
import type { AnswerCandidate } from './choice.js';
import { chooseAnswer, readingOf } from './choice.js';
import { readCommandLine, readVerb } from './command-line.js';
import type { LooseJson, LooseReading } from './loose-json.js';
import { isLooseObject, readLoose } from './loose-json.js';
import { rawSpan } from './normalise.js';
import type { ReplyPage, ReplyText } from './page.js';
import { pageOf } from './page.js';
import type { LineSpan } from './line-span.js';
import { commandBounds, nextLine, writtenLine } from './line-span.js';
import type { Protocol } from './protocol.js';
import type { ReplyReading, TextSpan } from './reading.js';
import { refusedReading } from './reading.js';
import { toolCallProblem } from './shapes.js';

export const reactProtocol: Protocol = { ...reactForm, read };

const ENDING = 'End your reply with the lines Action: <action> and Action Input: {…}.';

function read(reply: ReplyText, vocabulary: Vocabulary, observedLines?: ReadonlySet<string>): ReplyReading {
  const pageReading = pageOf(reply, ENDING);
  if (!pageReading.ok) return refusedReading(pageReading.problem);
  if (reply.toolCalls.length > 0) return refusedReading(toolCallProblem(ENDING));
  const { page } = pageReading;
  const labels = labelsOf(page);
  if (labels.length > 4 * LIMITS.replyCandidates) return refusedReading(tooMany());
  const blocks = labels.flatMap(
    (label, index) => blockOf({ page, vocabulary }, label, labels[index + 1]) ?? [],
  );
  const choice = chooseAnswer(page, blocks, observedLines);
  if (choice === null) return refusedReading(noBlock());
  return choice.ok ? readingOf(page, choice.candidate) : refusedReading(choice.problem, 'block');
}

interface ReactContext {
  readonly page: ReplyPage;
  readonly vocabulary: Vocabulary;
}

const LABEL =
  /^[ >#*+|([-]{0,8}(?:\d{1,2}[.)] )?(?:<[a-z][a-z_-]{0,30}>)?(thought|action[ _]?input|action|observation|final[ _]?answer) ?(?:\d{1,3} ?)?: ?|(?<=[.!?)] )(action|final answer): /gimu;

interface ReactLabel {
  /** `action`, `actioninput`, `finalanswer`, or another label that ends the preceding part. */
  readonly kind: string;
  /** Its position in the content. */
  readonly at: number;
  /** The first line of what it labels, in the normalised text; empty if it labels nothing. */
  readonly line: LineSpan;
  /** Everything that it labels, in the content: up to the next label or end mark. */
  readonly slot: TextSpan;
}

function labelsOf(page: ReplyPage): readonly ReactLabel[] {
  const { text, offsets } = page.normal;
  const matches = [...text.matchAll(LABEL)];
  return matches.map((match, index) => {
    const end = matches[index + 1]?.index ?? text.length;
    const kind = (match[1] ?? match[2] ?? '').replace(/[ _]/g, '').toLowerCase();
    const at = offsets[match.index] ?? 0;
    const line = nextLine(text, match.index + match[0].length);
    if (line === null || line.start >= end)
      return { kind, at, line: { start: end, end }, slot: { start: at, end: at } };
    return {
      kind,
      at,
      line: { start: line.start, end: Math.min(line.end, end) },
      slot: slotOf(page, line.start, end),
    };
  });
}

function slotOf({ content, normal, parts }: ReplyPage, from: number, to: number): TextSpan {
  const { start, end } = rawSpan(normal, from, to);
  const part = parts.find((one) => one.start <= start && start < one.end);
  const text = content.slice(start, Math.min(end, part?.end ?? start));
  return { start, end: start + text.trimEnd().length };
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
  if (next?.kind === 'actioninput') return { ...block, ...inputCall(context, actionText, next) };
  const object = objectAt(page, label);
  if (object === null || !isLooseObject(object.value))
    return { ...block, call: bareCall(context, actionText, line) };
  const { start } = label.slot;
  return { ...block, start, end: object.end, call: callOf(object.value, vocabulary) ?? namelessObject() };
}

/** A final answer may have several lines. */
function finalCall({ page, vocabulary }: ReactContext, { slot }: ReactLabel): CallReading {
  const action = answerAction(vocabulary);
  const text = page.content.slice(slot.start, slot.end).trim();
  if (action !== null) return namedCall(action.action.name, new Map([[action.slot, text]]), vocabulary);
  const message = `There is no final answer to give here. ${ENDING}`;
  return { ok: false, problem: problem('unknown-action', message) };
}

/**
 * The command that the input makes of the action, and its end: from an object, otherwise from all of its
 * words, otherwise (if prose follows) from its first line.
 */
function inputCall(
  { page, vocabulary }: ReactContext,
  name: string,
  label: ReactLabel,
): { readonly call: CallReading; readonly end: number } {
  const { line, slot } = label;
  const object = objectAt(page, label);
  const spans = [slot, line.start < line.end ? rawSpan(page.normal, line.start, line.end) : slot];
  const inputs = object === null ? spans.map((span) => wordsAt(page, span)) : [object];
  const textSlotName = textSlot(verbsOf(vocabulary).get(name.toUpperCase()));
  const calls = inputs.map(({ value, end }) => {
    const isEmpty = value === undefined || (isLooseObject(value) && value.size === 0);
    if (isEmpty && name.includes(' ')) return { call: lineCall(name, vocabulary), end };
    const isMultiline = textSlotName !== null && typeof value === 'string' && value.includes('\n');
    return { call: namedCall(name, isMultiline ? new Map([[textSlotName, value]]) : value, vocabulary), end };
  });
  return known(calls.find(({ call }) => call.ok) ?? calls.at(-1), 'an input');
}

interface ReactInput {
  /** Undefined if the input says that there is none. */
  readonly value: LooseJson | undefined;
  /** Its end in the content. */
  readonly end: number;
}

/** An input in plain words. */
function wordsAt({ content }: ReplyPage, { start, end }: TextSpan): ReactInput {
  const text = content
    .slice(start, end)
    .replace(/^`+|`+$/g, '')
    .trim();
  return { value: /^(?:none|null|n\/a|empty|nothing|\(none\))?$/i.test(text) ? undefined : text, end };
}

/** An action without an input: one that needs no arguments, or a whole command. */
function bareCall({ page, vocabulary }: ReactContext, actionText: string, line: LineSpan): CallReading {
  const verb = readVerb(actionText, vocabulary);
  const isAlone = verb === null || /^(?:\(\s*\))?$/.test(actionText.slice(verb.end));
  return isAlone
    ? namedCall(actionText.slice(0, verb?.end), undefined, vocabulary)
    : readCommandLine(writtenLine(page, line, false).line, vocabulary);
}

function namelessObject(): CallReading {
  return { ok: false, problem: problem('unparsable', `Your object names no action. ${ENDING}`) };
}

/** Only marks: any other text next to a value that is not an object would belong to the words. */
const CLOSING = /^[\s.`|)\]}]*$/;

/** The JSON value at the beginning of the labelled text; prose may follow on separate lines. */
function objectAt({ content }: ReplyPage, { slot }: ReactLabel): LooseReading {
  const json = readLoose(content, slot.start, slot.end);
  if (json === null) return null;
  const restOfLine = content.slice(json.end, slot.end).split('\n', 1)[0] ?? '';
  const isAlone = isLooseObject(json.value) ? !restOfLine.includes('{') : CLOSING.test(restOfLine);
  return isAlone ? json : null;
}

function noBlock(): Problem {
  return problem('unparsable', `I found no Action in your reply. ${ENDING}`);
}

function tooMany(): Problem {
  return problem('ambiguous', 'Your reply holds far too many actions. Give exactly one.');
}
