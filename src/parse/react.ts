/**
 * The protocol `react`: Thought, Action, Action Input; the Observation is the program's alone. Writes its instructions and reads blocks back.
 * What is thought is never judged; inputs and final answers may have several lines. `Final Answer:` is the environment's terminal action, where
 * it has one.
 */
import { known } from '../base/assert.js';
import { LIMITS } from '../base/limits.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { answerAction, reactForm, textSlot } from '../forms/react-form.js';
import type { Vocabulary } from '../forms/vocabulary.js';
import { verbsOf } from '../forms/vocabulary.js';
import { withoutStop } from './arguments.js';
import type { CallReading } from './call.js';
import { callOf, lineCall, namedCall } from './call.js';
import type { AnswerCandidate } from './choice.js';
import { choose, readingOf } from './choice.js';
import { readCommandLine, readVerb } from './command-line.js';
import type { LooseJson } from './loose-json.js';
import { isLooseObject, readLoose } from './loose-json.js';
import { rawSpan } from './normalise.js';
import type { ReplyPage, ReplyText } from './page.js';
import { pageOf } from './page.js';
import type { LineSpan } from './place.js';
import { commandPlace, nextLine } from './place.js';
import type { Protocol } from './protocol.js';
import type { ReplyReading } from './reading.js';
import { refusedReading } from './reading.js';
import { toolCallProblem } from './shapes.js';
import { writtenLine } from './written-line.js';

export const reactProtocol: Protocol = { ...reactForm, read };

const ENDING = 'End your reply with the lines Action: <action> and Action Input: {…}.';

function read(
  reply: ReplyText,
  vocabulary: Vocabulary,
  told: ReadonlySet<string> = NOTHING_TOLD,
): ReplyReading {
  const taken = pageOf(reply, ENDING);
  if (!taken.ok) return refusedReading(taken.problem);
  if (reply.toolCalls.length > 0) return refusedReading(toolCallProblem(ENDING));
  const { page } = taken;
  const labels = labelsOf(page);
  if (labels.length > 4 * LIMITS.replyCandidates) return refusedReading(tooMany());
  const blocks = labels.flatMap(
    (label, index) => blockOf({ page, vocabulary }, label, labels[index + 1]) ?? [],
  );
  const choice = choose(page, blocks, told);
  if (choice === null) return refusedReading(noBlock());
  return choice.ok ? readingOf(page, choice.candidate) : refusedReading(choice.problem, 'block');
}

const NOTHING_TOLD: ReadonlySet<string> = new Set();

interface ReactContext {
  readonly page: ReplyPage;
  readonly vocabulary: Vocabulary;
}

const LABEL =
  /^[ >#*+|([-]{0,8}(?:\d{1,2}[.)] )?(?:<[a-z][a-z_-]{0,30}>)?(thought|action[ _]?input|action|observation|final[ _]?answer) ?(?:\d{1,3} ?)?: ?|(?<=[.!?)] )(action|final answer): /gimu;

interface ReactLabel extends LineSpan {
  /** `action`, `actioninput`, `finalanswer`, or another that ends what stands before it. */
  readonly kind: string;
  readonly at: number;
}

/** Every label with what it labels, which goes up to the next one. */
function labelsOf({ normal: { text } }: ReplyPage): readonly ReactLabel[] {
  const found = [...text.matchAll(LABEL)];
  return found.map((match, index) => ({
    kind: (match[1] ?? match[2] ?? '').replace(/[ _]/g, '').toLowerCase(),
    at: match.index,
    start: match.index + match[0].length,
    end: found[index + 1]?.index ?? text.length,
  }));
}

function blockOf(
  around: ReactContext,
  label: ReactLabel,
  next: ReactLabel | undefined,
): AnswerCandidate | null {
  if (label.kind === 'finalanswer') return finalBlock(around, label);
  if (label.kind !== 'action') return null;
  return next?.kind === 'actioninput' ? inputBlock(around, label, next) : bareBlock(around, label);
}

function block(
  { normal }: ReplyPage,
  label: ReactLabel,
  place: LineSpan,
  call: CallReading,
): AnswerCandidate {
  const at = normal.offsets[label.at] ?? 0;
  const span = place.end > place.start ? rawSpan(normal, place.start, place.end) : { start: at, end: at };
  return { at, ...span, rung: 'block', call };
}

/** What is said last may have several lines; it ends at an end mark. */
function finalBlock({ page, vocabulary }: ReactContext, label: ReactLabel): AnswerCandidate {
  const action = answerAction(vocabulary);
  const place = slotPlace(page, label);
  if (action === null) {
    const told = `There is no final answer to give here. ${ENDING}`;
    return block(page, label, place, { ok: false, problem: problem('unknown-action', told) });
  }
  const said = rawText(page, place).trim();
  return block(page, label, place, namedCall(action.action.name, new Map([[action.slot, said]]), vocabulary));
}

/** An action with its input: an object, or plain words. */
function inputBlock(
  { page, vocabulary }: ReactContext,
  label: ReactLabel,
  next: ReactLabel,
): AnswerCandidate {
  const line = commandPlace(page.normal.text, lineOf(page, label));
  const name = withoutStop(page.normal.text.slice(line.start, line.end));
  const { call, end } = inputCall({ page, vocabulary }, name, next);
  return block(page, label, { start: line.start, end }, call);
}

/** What the input makes of the action, and where it ends: all of it, else its first line, where prose follows. */
function inputCall(
  { page, vocabulary }: ReactContext,
  name: string,
  label: ReactLabel,
): { call: CallReading; end: number } {
  const found = objectAt(page, label);
  const places = [slotPlace(page, label), lineOf(page, label)];
  const inputs =
    found === null ? places.map((place) => ({ value: wordsAt(page, place), end: place.end })) : [found];
  const spoken = textSlot(verbsOf(vocabulary).get(name.toUpperCase()));
  const calls = inputs.map(({ value, end }) => {
    const isEmpty = value === undefined || (value instanceof Map && value.size === 0);
    const isWhole = isEmpty && name.includes(' ');
    const isLines = spoken !== null && typeof value === 'string' && value.includes('\n');
    const given = isLines ? new Map([[spoken, value]]) : value;
    return { call: isWhole ? lineCall(name, vocabulary) : namedCall(name, given, vocabulary), end };
  });
  return known(calls.find(({ call }) => call.ok) ?? calls.at(-1), 'an input');
}

/** Plain words of an input; undefined where it says that there is none. */
function wordsAt(page: ReplyPage, place: LineSpan): string | undefined {
  const said = rawText(page, place)
    .replace(/^`+|`+$/g, '')
    .trim();
  return /^(?:none|null|n\/a|empty|nothing|\(none\))?$/i.test(said) ? undefined : said;
}

/** An action alone: one that needs nothing, a whole command, or an object that holds both. */
function bareBlock({ page, vocabulary }: ReactContext, label: ReactLabel): AnswerCandidate {
  const object = objectAt(page, label);
  if (object !== null && isLooseObject(object.value)) {
    const call = callOf(object.value, vocabulary) ?? noAction();
    return block(page, label, { start: label.start, end: object.end }, call);
  }
  const line = commandPlace(page.normal.text, lineOf(page, label));
  const said = withoutStop(page.normal.text.slice(line.start, line.end));
  const verb = readVerb(said, vocabulary);
  const isAlone = verb === null || verb.end === said.length || /^\(\s*\)$/.test(said.slice(verb.end));
  const name = verb !== null && isAlone ? said.slice(0, verb.end) : said;
  if (isAlone) return block(page, label, line, namedCall(name, undefined, vocabulary));
  const written = writtenLine(page, line, false);
  return block(page, label, line, readCommandLine(written.line, vocabulary));
}

function noAction(): CallReading {
  return { ok: false, problem: problem('unparsable', `Your object names no action. ${ENDING}`) };
}

/** What is labelled, up to the end mark after it. */
function slotPlace({ normal, parts }: ReplyPage, { start, end }: LineSpan): LineSpan {
  const at = normal.offsets[start] ?? 0;
  const part = parts.find((one) => one.start <= at && at < one.end);
  let last = end;
  while (last > start && (normal.offsets[last - 1] ?? 0) >= (part?.end ?? at)) last--;
  return { start, end: start + normal.text.slice(start, last).trimEnd().length };
}

/** The first line of what is labelled. */
function lineOf({ normal }: ReplyPage, label: LineSpan): LineSpan {
  const line = nextLine(normal.text, label.start);
  return line === null || line.start >= label.end
    ? { start: label.start, end: label.start }
    : { start: line.start, end: Math.min(line.end, label.end) };
}

interface FoundValue {
  readonly value: LooseJson;
  /** Where it ends in the normalised text. */
  readonly end: number;
}

/** The JSON value that begins what is labelled; prose may follow it on lines of its own. */
function objectAt(page: ReplyPage, label: ReactLabel): FoundValue | null {
  const { content, normal, parts } = page;
  const line = lineOf(page, label);
  if (line.start >= line.end) return null;
  const raw = rawSpan(normal, line.start, label.end);
  const part = parts.find((one) => one.start <= raw.start && raw.start < one.end);
  const json = readLoose(content, raw.start, Math.min(raw.end, part?.end ?? raw.start));
  if (!json.ok) return null;
  let end = line.start;
  while (end < label.end && (normal.offsets[end] ?? json.end) < json.end) end++;
  const newline = normal.text.indexOf('\n', end);
  const rest = normal.text.slice(end, newline < 0 ? label.end : Math.min(newline, label.end));
  const isAlone = isLooseObject(json.value) ? !rest.includes('{') : CLOSING.test(rest);
  return isAlone ? { value: json.value, end } : null;
}

/** Nothing but marks: what stands beside a value that is no object would belong to the words. */
const CLOSING = /^[\s.`|)\]}]*$/;

/** The raw spelling; where reasoning stands in between, the uniform one. */
function rawText({ content, normal, parts }: ReplyPage, { start, end }: LineSpan): string {
  if (start >= end) return '';
  const span = rawSpan(normal, start, end);
  const isWhole = parts.some((part) => part.start <= span.start && span.end <= part.end);
  return isWhole ? content.slice(span.start, span.end) : normal.text.slice(start, end);
}

function noBlock(): Problem {
  return problem('unparsable', `I found no Action in your reply. ${ENDING}`);
}

function tooMany(): Problem {
  return problem('ambiguous', 'Your reply holds far too many actions. Give exactly one.');
}
