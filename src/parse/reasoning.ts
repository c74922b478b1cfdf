/**
 * Removes reasoning from a reply: blocks in tags such as `<think>`, and reasoning channels. Nothing is
 * rewritten, so offsets stay valid. The end of the turn is determined later (`end-marks.ts`). In case of
 * doubt, text counts as reasoning: an unclosed block extends to the end, and a lone closing tag removes
 * everything before it.
 */
import { LIMITS } from '../base/limits.js';
import type { TextSpan } from './reading.js';

const THOUGHT =
  '(?:[a-z]{1,12}[:_])?(?:think|thinking|thoughts?|reason|reasoning|reflection|reflect|analysis|scratch_?pad|monologue|cot|plan|draft|internal)(?:_process|_block)?';
/** What a tag may contain besides its name. */
const ATTRIBUTES = '(?:\\s[^<>]{0,80})?';
/** The content type between a channel and its message. */
const CONTENT_TYPE = '(?:<\\|constrain\\|>[a-z]{0,20})?';

/**
 * One alternative per kind of mark: tags of reasoning models, chat templates and channel formats as servers
 * leak them.
 */
const MARK = new RegExp(
  // This lookahead fails at nearly every position, which keeps long runs of half marks cheap.
  `(?=<[|｜/\\s]{0,4}[a-z]|\\[/?[it]|◁|assistantfinal)(?:${[
    `(?<final><\\|channel\\|>final[^<]{0,40}${CONTENT_TYPE}<\\|message\\|>|<\\|(?:START_RESPONSE|begin_of_solution)\\|>|assistantfinal)`,
    // A channel with a recipient contains a call.
    `(?<channel><\\|channel\\|>(?![a-z]{0,20} to=)[a-z]{0,20}[^<]{0,80}${CONTENT_TYPE}<\\|message\\|>)`,
    `(?<open><[|｜]?\\s?${THOUGHT}${ATTRIBUTES}[|｜]?>|\\[THINK(?:ING)?\\]|◁think▷|<\\|(?:begin_of_thought|START_THINKING)\\|>|<\\|channel>thought|<unused94>thought)`,
    `(?<close><[|｜]?\\s?/\\s?${THOUGHT}\\s?[|｜]?>|\\[/THINK(?:ING)?\\]|◁/think▷|<\\|(?:end_of_thought|END_THINKING)\\|>|<channel\\|>|<unused95>)`,
    `(?<end><[|｜][^<>|｜]{1,40}[|｜]>|<end_of_turn>|</s>)`,
  ].join('|')})`,
  'gi',
);

/** Every mark contains one of these; most replies contain none. */
const MARKED = /[<[◁]|assistantfinal/i;

export interface AnswerParts {
  parts: readonly TextSpan[];
  /** A reasoning block was never closed. */
  isOpen: boolean;
}

/** The state of the scan up to a mark. */
interface ReasoningState {
  parts: readonly TextSpan[];
  /** The beginning of the part that is currently kept or removed. */
  from: number;
  /** The number of open reasoning blocks. */
  depth: number;
  /** The open block is a channel, which ends with its message. */
  inChannel: boolean;
  /**
   * The kept text is in the answer's channel; over if a second one begins, which belongs to an invented turn.
   */
  final: 'none' | 'open' | 'over';
}

/**
 * The spans of `content` that may contain the answer, in order; none if it has more marks than any model
 * writes. Total and linear.
 */
export function answerParts(content: string): AnswerParts {
  const marks = MARKED.test(content) ? [...content.matchAll(MARK)] : [];
  if (marks.length > LIMITS.replyMarks) return { parts: [], isOpen: true };
  const start: ReasoningState = { parts: [], from: 0, depth: 0, inChannel: false, final: 'none' };
  const end = marks.reduce(afterMark, start);
  return { parts: answerPartsUpTo(end, content.length), isOpen: end.depth > 0 && end.final !== 'over' };
}

function afterMark(state: ReasoningState, { 0: mark, index, groups = {} }: RegExpExecArray): ReasoningState {
  const from = index + mark.length;
  const { depth, inChannel, final } = state;
  if (final === 'over') return state;
  if (groups.final !== undefined && final === 'open')
    return { ...state, parts: answerPartsUpTo(state, index), final: 'over' };
  // The answer's channel: everything before it was a thought.
  if (groups.final !== undefined) return { ...state, parts: [], from, depth: 0, final: 'open' };
  const isChannel = groups.channel !== undefined;
  if (isChannel || groups.open !== undefined) {
    const newDepth = isChannel ? 1 : depth + 1;
    return { ...state, parts: answerPartsUpTo(state, index), from, depth: newDepth, inChannel: isChannel };
  }
  if (groups.close !== undefined)
    return depth === 0 ? { ...state, parts: [], from } : { ...state, from, depth: depth - 1 };
  return inChannel && depth > 0 ? { ...state, from, depth: 0 } : state;
}

/** Including the text before `end`, unless it is reasoning. */
function answerPartsUpTo({ parts, from, depth, final }: ReasoningState, end: number): readonly TextSpan[] {
  return depth > 0 || final === 'over' || end <= from ? parts : [...parts, { start: from, end }];
}
