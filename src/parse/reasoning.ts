/**
 * Which parts of a reply are the answer: reasoning blocks, other channels and whatever follows the end of the model's
 * turn are cut away. In goes the raw content, out come spans of it; nothing is rewritten, so offsets stay true.
 *
 * Doubt always drops text, never keeps it: a block left open takes the rest with it, a lone closing tag takes all before.
 */
import { LIMITS } from '../base/limits.js';
import type { Span } from './reading.js';

const THOUGHT =
  '(?:[a-z]{1,12}[:_])?(?:think|thinking|thoughts?|reason|reasoning|reflection|reflect|analysis|scratch_?pad|monologue|cot|plan|draft|internal)(?:_process|_block)?';
/** What a tag may hold besides its name. */
const REST = '(?:\\s[^<>]{0,80})?';

/** One alternative per kind of mark; tags of reasoning models, chat templates and channel formats as servers leak them. */
const MARK = new RegExp(
  // Nearly every place fails at this look ahead, which keeps long runs of half marks cheap.
  `(?=<[|｜/\\s]{0,4}[a-z]|\\[/?[it]|◁|assistantfinal)(?:${[
    `(?<final><\\|channel\\|>final[^<]{0,40}<\\|message\\|>|<\\|(?:START_RESPONSE|begin_of_solution)\\|>|assistantfinal)`,
    `(?<channel><\\|channel\\|>[a-z]{0,20}[^<]{0,80}(?:<\\|constrain\\|>[a-z]{0,20})?<\\|message\\|>)`,
    `(?<open><[|｜]?\\s?${THOUGHT}${REST}[|｜]?>|\\[THINK(?:ING)?\\]|◁think▷|<\\|(?:begin_of_thought|START_THINKING)\\|>|<\\|channel>thought)`,
    `(?<close><[|｜]?\\s?/\\s?${THOUGHT}\\s?[|｜]?>|\\[/THINK(?:ING)?\\]|◁/think▷|<\\|(?:end_of_thought|END_THINKING)\\|>|<channel\\|>)`,
    `(?<begin><\\|(?:im_start|start|start_header_id)\\|>(?:assistant(?:<\\|end_header_id\\|>)?)?|<start_of_turn>(?:model)?|<\\|assistant\\|>|<\\|turn>(?:model)?)`,
    `(?<end><\\|(?:im_end|endoftext|end_of_text|eot_id|eom_id|end|return|end_of_turn|user|system)\\|>|<end_of_turn>|<turn\\|>|</s>|<eos>|\\[/?INST\\])`,
  ].join('|')})`,
  'gi',
);

/** Every mark holds one of these; most replies hold none. */
const MARKED = /[<[◁]|assistantfinal/i;

export interface AnswerParts {
  readonly parts: readonly Span[];
  /** A reasoning block was never closed. */
  readonly isOpen: boolean;
}

interface Scan {
  parts: Span[];
  from: number;
  depth: number;
  /** The open block is a channel, which ends with its message. */
  inChannel: boolean;
  isOver: boolean;
}

/** The spans of `content` that may hold the answer, in order; none where it holds more marks than any model writes. Total and linear. */
export function answerParts(content: string): AnswerParts {
  if (!MARKED.test(content))
    return { parts: content === '' ? [] : [{ start: 0, end: content.length }], isOpen: false };
  const scan: Scan = { parts: [], from: 0, depth: 0, inChannel: false, isOver: false };
  let marks = 0;
  for (const match of content.matchAll(MARK)) {
    marks += 1;
    if (marks > LIMITS.replyMarks) return { parts: [], isOpen: true };
    step(scan, content, match);
    if (scan.isOver) break;
  }
  if (!scan.isOver && scan.depth === 0) keep(scan, content.length);
  return { parts: scan.parts, isOpen: scan.depth > 0 };
}

function step(scan: Scan, content: string, match: RegExpExecArray): void {
  const groups = match.groups ?? {};
  const after = match.index + match[0].length;
  if (groups.final !== undefined) restart(scan, after);
  else if (groups.open !== undefined || groups.channel !== undefined) {
    if (scan.depth === 0) keep(scan, match.index);
    scan.inChannel = groups.channel !== undefined;
    scan.depth = scan.inChannel ? 1 : scan.depth + 1;
  } else if (groups.close !== undefined) close(scan, after);
  else turn(scan, content, match.index, after);
}

function close(scan: Scan, after: number): void {
  if (scan.depth === 0) restart(scan, after);
  else {
    scan.depth -= 1;
    scan.from = after;
  }
}

/** A turn begins or ends: what was said so far is all that this model said, unless it has said nothing yet. */
function turn(scan: Scan, content: string, index: number, after: number): void {
  if (scan.depth > 0 && scan.inChannel) scan.depth = 0;
  else if (scan.depth > 0) scan.isOver = true;
  else {
    keep(scan, index);
    scan.isOver = scan.parts.some((part) => content.slice(part.start, part.end).trim() !== '');
    if (!scan.isOver) scan.parts = [];
  }
  scan.from = after;
}

function restart(scan: Scan, after: number): void {
  scan.parts = [];
  scan.depth = 0;
  scan.from = after;
}

function keep(scan: Scan, end: number): void {
  if (end > scan.from) scan.parts.push({ start: scan.from, end });
}
