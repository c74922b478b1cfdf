/**
 * The protocol `react`: Thought, Action, Action Input; the Observation is the program's alone. A reply is first cut where it invents
 * one. Of the blocks before that, all must ask for the same. `Final Answer:` is the environment's terminal action, where it has one.
 */
import { LIMITS } from '../base/limits.js';
import { oneLine } from '../base/text.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { slotsOf } from '../environment/grammar.js';
import { withoutStop } from './arguments.js';
import type { CallReading } from './call.js';
import { callOf, lineCall, namedCall, onlyCall } from './call.js';
import { guidedReact, guidedBy } from './guided.js';
import type { ReplyText } from './intake.js';
import { takeIn } from './intake.js';
import { refusedReading } from './found-calls.js';
import type { Loose } from './loose-json.js';
import { isLooseObject, readLoose } from './loose-json.js';
import type { Normal } from './normalise.js';
import { rawSpan } from './normalise.js';
import { actionHelp, argumentsText, objectLines } from './object-help.js';
import type { Place } from './place.js';
import { commandPlace, nextLine } from './place.js';
import type { Protocol, Vocabulary } from './protocol.js';
import type { Command, Reading, Span } from './reading.js';
import { toolCallProblem } from './shapes.js';
import { isClosing } from './ending.js';
import { isOwnAt } from './surroundings.js';
import { readVerb } from './command-line.js';
import type { VocabularyAction } from './verbs.js';

export const reactProtocol: Protocol = {
  name: 'react',
  instructions,
  actionLines: objectLines,
  form: (vocabulary, offered) => guidedBy(() => guidedReact(vocabulary, offered)),
  replyText: ({ command }) => blockText(command),
  repair: ({ message }) =>
    `${message} Write only the two lines Action: <action> and Action Input: {…}, with the action that you meant.`,
  read,
};

const ENDING = 'End your reply with the lines Action: <action> and Action Input: {…}.';

/** An answer as it shall be written. */
export function blockText({ action, args }: Command): string {
  return `Action: ${action}\nAction Input: ${argumentsText(args)}`;
}

function instructions(vocabulary: Vocabulary): string {
  const final = answerAction(vocabulary);
  return [
    'How to answer: write exactly these three lines and then stop:',
    'Thought: <one to three short sentences>',
    'Action: <action>',
    'Action Input: {"<parameter>": <value>}',
    'Never write an Observation yourself; you are told what happened. One action a reply. Name things as they are named to you; leave out what is marked with a question mark if you do not need it.',
    ...(final === null
      ? []
      : [`Instead of ${final.action.name} you may write the line Final Answer: <your answer>.`]),
    'The actions, each with its input:',
    ...actionHelp(vocabulary),
  ].join('\n');
}

/** The one action that says something last, such as a final answer, with the slot of what is said. */
function answerAction(vocabulary: Vocabulary): AnswerAction | null {
  const found = vocabulary.flatMap((action) => answerSlot(action) ?? []);
  const [first] = found;
  return first !== undefined && found.length === 1 ? first : null;
}

interface AnswerAction {
  readonly action: VocabularyAction;
  readonly slot: string;
}

function answerSlot(action: VocabularyAction): AnswerAction | null {
  const slots = action.grammar === null ? [] : slotsOf(action.grammar);
  const [only] = slots;
  if (action.terminal !== true || slots.length !== 1 || only?.slot.kind !== 'text') return null;
  return { action, slot: only.slot.slot };
}

function read(reply: ReplyText, vocabulary: Vocabulary): Reading {
  const taken = takeIn(reply, ENDING);
  if (!taken.ok) return refusedReading(taken.problem);
  if (reply.toolCalls.length > 0) return refusedReading(toolCallProblem(ENDING));
  const { normal, parts } = taken;
  const own = ownBlocks({ content: reply.content, normal, parts, vocabulary, end: normal.text.length });
  return own === null ? refusedReading(tooMany()) : decided(own.text, own.blocks);
}

interface ReactText {
  readonly content: string;
  readonly normal: Normal;
  /** Where the normalised text stands in the content. */
  readonly parts: readonly Span[];
  readonly vocabulary: Vocabulary;
  /** Where the agent's own words end in the normalised text: at the first Observation. */
  readonly end: number;
}

interface Block extends Span {
  /** Where its label begins. */
  readonly at: number;
  readonly call: CallReading;
}

const LABEL =
  /^[ >#*+|([-]{0,8}(?:\d{1,2}[.)] )?(thought|action[ _]?input|action|observation|final[ _]?answer) ?(?:\d{1,3} ?)?: ?/gimu;

interface Label {
  readonly kind: string;
  readonly at: number;
  /** Where what it labels begins and ends. */
  readonly start: number;
  readonly end: number;
}

/** The blocks before the first Observation; null where there are too many labels. */
function ownBlocks(all: ReactText): { readonly text: ReactText; readonly blocks: readonly Block[] } | null {
  const found = [...all.normal.text.matchAll(LABEL)];
  const kinds = found.map((match) => (match[1] ?? '').replace(/[ _]/g, '').toLowerCase());
  const cut = kinds.indexOf('observation');
  const own = cut < 0 ? found : found.slice(0, cut);
  if (own.length > 4 * LIMITS.replyCandidates) return null;
  const end = cut < 0 ? all.end : (found[cut]?.index ?? all.end);
  const labels = own.map((match, index) => ({
    kind: kinds[index] ?? '',
    at: match.index,
    start: match.index + match[0].length,
    end: own[index + 1]?.index ?? end,
  }));
  const text = { ...all, end };
  return { text, blocks: labels.flatMap((label, index) => blockOf(text, label, labels[index + 1]) ?? []) };
}

function blockOf(text: ReactText, label: Label, next: Label | undefined): Block | null {
  if (label.kind === 'finalanswer') return finalBlock(text, label);
  if (label.kind !== 'action') return null;
  return next?.kind === 'actioninput' ? inputBlock(text, label, next) : bareBlock(text, label);
}

function finalBlock(text: ReactText, label: Label): Block {
  const action = answerAction(text.vocabulary);
  const said = rawText(text, label.start, label.end).trim();
  const call: CallReading =
    action === null
      ? { ok: false, problem: problem('unknown-action', `There is no final answer to give here. ${ENDING}`) }
      : namedCall(action.action.name, new Map([[action.slot, said]]), text.vocabulary);
  return { at: label.at, start: label.start, end: label.end, call };
}

/** An action with its input: an object, or plain words, with nothing but closing marks after it. */
function inputBlock(text: ReactText, label: Label, next: Label): Block {
  const line = commandPlace(text.normal.text, lineOf(text, label));
  const name = withoutStop(text.normal.text.slice(line.start, line.end));
  const input = inputOf(text, next);
  const isEmpty = input.value === undefined || (input.value instanceof Map && input.value.size === 0);
  const call =
    isEmpty && name.includes(' ')
      ? lineCall(name, text.vocabulary)
      : namedCall(name, input.value, text.vocabulary);
  return { at: label.at, start: line.start, end: input.end, call };
}

/** An action alone: one that needs nothing, a whole command, or an object that holds both. */
function bareBlock(text: ReactText, label: Label): Block {
  const line = commandPlace(text.normal.text, lineOf(text, label));
  const object = objectAt(text, label);
  if (object !== null && isLooseObject(object.value)) {
    const call = callOf(object.value, text.vocabulary) ?? noAction();
    return { at: label.at, start: label.start, end: object.end, call };
  }
  const said = withoutStop(text.normal.text.slice(line.start, line.end));
  const verb = readVerb(said, text.vocabulary);
  const isAlone = verb === null || verb.end === said.length;
  const call = isAlone ? namedCall(said, undefined, text.vocabulary) : lineCall(said, text.vocabulary);
  return { at: label.at, start: line.start, end: line.end, call };
}

function noAction(): CallReading {
  return { ok: false, problem: problem('unparsable', `Your object names no action. ${ENDING}`) };
}

/** The first line of what is labelled. */
function lineOf(text: ReactText, label: Label): Place {
  const line = nextLine(text.normal.text, label.start);
  return line === null || line.start >= label.end
    ? { start: label.start, end: label.start }
    : { start: line.start, end: Math.min(line.end, label.end) };
}

interface Found {
  readonly value: Loose;
  /** Where it ends in the normalised text. */
  readonly end: number;
}

function inputOf(text: ReactText, label: Label): { readonly value: Loose | undefined; readonly end: number } {
  const found = objectAt(text, label);
  if (found !== null) return found;
  const line = lineOf(text, label);
  const said = rawText(text, line.start, line.end)
    .replace(/^`+|`+$/g, '')
    .trim();
  const value = /^(?:none|n\/a|empty|nothing|\(none\))?$/i.test(said) ? undefined : said;
  return { value, end: line.end };
}

/** The JSON value that begins what is labelled, where its line ends with it. */
function objectAt({ content, normal, ...text }: ReactText, label: Label): Found | null {
  const line = lineOf({ content, normal, ...text }, label);
  if (line.start >= line.end) return null;
  const raw = rawSpan(normal, line.start, label.end);
  const part = text.parts.find((one) => one.start <= raw.start && raw.start < one.end);
  const json = readLoose(content, raw.start, Math.min(raw.end, part?.end ?? raw.start));
  if (!json.ok) return null;
  let end = line.start;
  while (end < label.end && (normal.offsets[end] ?? json.end) < json.end) end++;
  const newline = normal.text.indexOf('\n', end);
  const rest = normal.text.slice(end, newline < 0 ? label.end : Math.min(newline, label.end));
  return isClosing(rest) ? { value: json.value, end } : null;
}

/** The raw spelling; where reasoning stands in between, the uniform one. */
function rawText({ content, normal, parts }: ReactText, start: number, end: number): string {
  if (start >= end) return '';
  const span = rawSpan(normal, start, end);
  const isWhole = parts.some((part) => part.start <= span.start && span.end <= part.end);
  return isWhole ? content.slice(span.start, span.end) : normal.text.slice(start, end);
}

/** All blocks must ask for the same, and the last must be the agent's own and end its words. */
function decided(text: ReactText, blocks: readonly Block[]): Reading {
  const last = blocks.at(-1);
  const call = onlyCall(blocks.map((block) => block.call));
  if (last === undefined || call === null) return refusedReading(noBlock(text));
  const span = last.end > last.start ? rawSpan(text.normal, last.start, last.end) : null;
  const stray = strayProblem(text, last);
  if (stray !== null || !call.ok) {
    const reason = stray ?? (call.ok ? noBlock(text) : call.problem);
    return { ok: false, problem: reason, rung: 'react', span };
  }
  const words = span === null ? call.command.action : oneLine(text.content.slice(span.start, span.end));
  return { ok: true, command: call.command, rung: 'react', span, words };
}

function strayProblem({ content, normal, vocabulary, end }: ReactText, last: Block): Problem | null {
  if (!isClosing(normal.text.slice(last.end, end))) {
    return problem('ambiguous', 'Something follows your Action Input. Nothing may stand after it.');
  }
  const at = normal.offsets[last.at] ?? 0;
  if (isOwnAt(content, { start: 0, end: at }, at, vocabulary)) return null;
  return problem(
    'ambiguous',
    'The words before your Action leave in doubt whether you mean it. Let a finished sentence stand before it.',
  );
}

function noBlock({ end, normal }: ReactText): Problem {
  const told =
    end < normal.text.length
      ? 'Only what stands before your first Observation counts, and no Action stands there; never write an Observation.'
      : 'I found no Action in your reply.';
  return problem('unparsable', `${told} ${ENDING}`);
}

function tooMany(): Problem {
  return problem('ambiguous', 'Your reply holds far too many actions. Give exactly one.');
}
