/**
 * Which parts of a reply are not reasoning: blocks in tags and channels of thought are cut away. In goes the raw content, out come spans of
 * it; nothing is rewritten, so offsets stay true. Where the turn ends is asked later (`end-marks.ts`).
 *
 * Doubt always drops text, never keeps it: a block left open takes the rest with it, a lone closing tag takes all before.
 */
import { LIMITS } from '../base/limits.js';
import type { TextSpan } from './reading.js';

const THOUGHT =
  '(?:[a-z]{1,12}[:_])?(?:think|thinking|thoughts?|reason|reasoning|reflection|reflect|analysis|scratch_?pad|monologue|cot|plan|draft|internal)(?:_process|_block)?';
/** What a tag may hold besides its name. */
const REST = '(?:\\s[^<>]{0,80})?';
/** The content type between a channel and its message. */
const TYPE = '(?:<\\|constrain\\|>[a-z]{0,20})?';

/** One alternative per kind of mark; tags of reasoning models, chat templates and channel formats as servers leak them. */
const MARK = new RegExp(
  // Nearly every place fails at this look ahead, which keeps long runs of half marks cheap.
  `(?=<[|｜/\\s]{0,4}[a-z]|\\[/?[it]|◁|assistantfinal)(?:${[
    `(?<final><\\|channel\\|>final[^<]{0,40}${TYPE}<\\|message\\|>|<\\|(?:START_RESPONSE|begin_of_solution)\\|>|assistantfinal)`,
    // A channel with a recipient is a call.
    `(?<channel><\\|channel\\|>(?![a-z]{0,20} to=)[a-z]{0,20}[^<]{0,80}${TYPE}<\\|message\\|>)`,
    `(?<open><[|｜]?\\s?${THOUGHT}${REST}[|｜]?>|\\[THINK(?:ING)?\\]|◁think▷|<\\|(?:begin_of_thought|START_THINKING)\\|>|<\\|channel>thought|<unused94>thought)`,
    `(?<close><[|｜]?\\s?/\\s?${THOUGHT}\\s?[|｜]?>|\\[/THINK(?:ING)?\\]|◁/think▷|<\\|(?:end_of_thought|END_THINKING)\\|>|<channel\\|>|<unused95>)`,
    `(?<end><[|｜][^<>|｜]{1,40}[|｜]>|<end_of_turn>|</s>)`,
  ].join('|')})`,
  'gi',
);

/** Every mark holds one of these; most replies hold none. */
const MARKED = /[<[◁]|assistantfinal/i;

export interface AnswerParts {
  readonly parts: readonly TextSpan[];
  /** A reasoning block was never closed. */
  readonly isOpen: boolean;
}

interface ReasoningScan {
  parts: TextSpan[];
  from: number;
  depth: number;
  /** The open block is a channel, which ends with its message. */
  inChannel: boolean;
  /** What is kept so far was said in the channel of the answer. */
  isFinal: boolean;
  isOver: boolean;
}

/** The spans of `content` that may hold the answer, in order; none where it holds more marks than any model writes. Total and linear. */
export function answerParts(content: string): AnswerParts {
  if (!MARKED.test(content))
    return { parts: content === '' ? [] : [{ start: 0, end: content.length }], isOpen: false };
  const scan: ReasoningScan = {
    parts: [],
    from: 0,
    depth: 0,
    inChannel: false,
    isFinal: false,
    isOver: false,
  };
  let marks = 0;
  for (const match of content.matchAll(MARK)) {
    marks += 1;
    if (marks > LIMITS.replyMarks) return { parts: [], isOpen: true };
    step(scan, match);
    if (scan.isOver) break;
  }
  if (!scan.isOver && scan.depth === 0) keep(scan, content.length);
  return { parts: scan.parts, isOpen: scan.depth > 0 };
}

function step(scan: ReasoningScan, match: RegExpExecArray): void {
  const groups = match.groups ?? {};
  const after = match.index + match[0].length;
  if (groups.final !== undefined) final(scan, match.index, after);
  else if (groups.open !== undefined || groups.channel !== undefined) open(scan, match, after);
  else if (groups.close !== undefined) close(scan, after);
  else if (scan.inChannel && scan.depth > 0) {
    scan.depth = 0;
    scan.from = after;
  }
}

/** The channel of the answer: all before it was thought. A second one belongs to a turn that never was. */
function final(scan: ReasoningScan, index: number, after: number): void {
  if (scan.isFinal) {
    keep(scan, index);
    scan.isOver = true;
    return;
  }
  restart(scan, after);
  scan.isFinal = true;
}

function open(scan: ReasoningScan, { index, groups }: RegExpExecArray, after: number): void {
  if (scan.depth === 0) keep(scan, index);
  scan.inChannel = groups?.['channel'] !== undefined;
  scan.depth = scan.inChannel ? 1 : scan.depth + 1;
  scan.from = after;
}

function close(scan: ReasoningScan, after: number): void {
  if (scan.depth === 0) restart(scan, after);
  else {
    scan.depth -= 1;
    scan.from = after;
  }
}

function restart(scan: ReasoningScan, after: number): void {
  scan.parts = [];
  scan.depth = 0;
  scan.from = after;
}

function keep(scan: ReasoningScan, end: number): void {
  if (end > scan.from) scan.parts.push({ start: scan.from, end });
}
