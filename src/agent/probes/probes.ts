/**
 * Which questions are asked at a moment, and how an answer is read. Kinds and questions are drawn from a
 * stream of the run's seed, so the same run asks the same questions. An answer is read strictly: apart from
 * reasoning blocks, it must be one of the options or a whole number and nothing else.
 */
import { nextBelow, shuffled, stream } from '../../base/rng.js';
import type { RngState } from '../../base/rng.js';
import { oneLine } from '../../base/text.js';
import type { Reply } from '../../model/chat.js';
import { ownText } from '../../parse/end-marks.js';
import type { ProbeKind, ProbesSpec } from '../../scenario/scenario.js';
import { askedProbes } from './asked.js';
import { besideProbes } from './beside.js';
import { countProbes } from './count.js';
import { doorProbes } from './door.js';
import { holdsProbes } from './holds.js';
import { namedProbes } from './named.js';
import { plainQuestions } from './plain.js';
import type { PlainQuestion } from './plain.js';
import type { ProbeContext, KnowledgeProbe, ProbeMaker } from './probe.js';
import { sideProbes } from './side.js';
import { tileProbes } from './tile.js';
import { unknowableProbes } from './unknowable.js';

const MAKERS: Readonly<Record<ProbeKind, ProbeMaker>> = {
  beside: besideProbes,
  tile: tileProbes,
  count: countProbes,
  side: sideProbes,
  door: doorProbes,
  holds: holdsProbes,
  named: namedProbes,
  unknowable: unknowableProbes,
};

/** Every question of a kind that the moment allows, whatever its words tell. */
export function allProbes(context: ProbeContext, kind: ProbeKind): readonly KnowledgeProbe[] {
  const named = MAKERS[kind](context);
  if (context.observation.refusals !== 'plain') return named;
  const asked = new Set(named.map(probeText));
  const plain = plainQuestions(context, kind).filter(hasAnswer);
  return [...named, ...plain.filter((one) => !asked.has(probeText(one)))];
}

function hasAnswer(one: PlainQuestion): one is PlainQuestion & KnowledgeProbe {
  return one.expected !== null;
}

/**
 * At most `each` questions, each of a different kind, or about a different entry of `ask`; none if the moment allows
 * none. `draw` names the stream of the seed.
 */
export function probesFor(
  context: ProbeContext,
  { kinds, each, ask }: Pick<ProbesSpec, 'kinds' | 'each' | 'ask'>,
  seeding: { seed: string; label: string },
): readonly KnowledgeProbe[] {
  let state = stream(seeding.seed, `probe/${seeding.label}`);
  if (ask !== undefined) {
    const order = shuffled(state, ask);
    state = order.state;
    return order.value.slice(0, each).flatMap((spec) => {
      const questions = askedProbes(context, spec);
      if (questions.length === 0) return [];
      const question = drawFrom(state, questions);
      state = question.state;
      return [question.value];
    });
  }
  if (context.observation.refusals === 'plain') return plainProbesFor(context, { kinds, each }, state);
  let pools = kinds.map((kind) => MAKERS[kind](context)).filter((pool) => pool.length > 0);
  const chosen: KnowledgeProbe[] = [];
  while (chosen.length < each && pools.length > 0) {
    const pool = drawFrom(state, pools);
    const probe = drawFrom(pool.state, pool.value);
    state = probe.state;
    chosen.push(probe.value);
    pools = pools.filter((candidates) => candidates !== pool.value);
  }
  return chosen;
}

/** Kinds and questions are drawn before it is known which have an answer, because that depends on the picture. */
function plainProbesFor(
  context: ProbeContext,
  { kinds, each }: Pick<ProbesSpec, 'kinds' | 'each'>,
  initial: RngState,
): readonly KnowledgeProbe[] {
  let state = initial;
  let left: readonly ProbeKind[] = kinds;
  const drawn: PlainQuestion[] = [];
  while (drawn.length < each && left.length > 0) {
    const kind = drawFrom(state, left);
    const question = drawFrom(kind.state, plainQuestions(context, kind.value));
    state = question.state;
    drawn.push(question.value);
    left = left.filter((other) => other !== kind.value);
  }
  return drawn.filter(hasAnswer);
}

function drawFrom<T>(before: RngState, list: readonly T[]): { value: T; state: RngState } {
  const { value: index, state } = nextBelow(before, list.length);
  return { value: list[index] as T, state };
}

/** The question as it is put, with the form of its answer. */
export function probeText({ question, options }: KnowledgeProbe): string {
  const form =
    options === null
      ? 'Answer with a whole number alone, in digits.'
      : `Answer with one of these alone, and nothing else: ${options.join('; ')}.`;
  return `${question}\n${form}`;
}

export interface ProbeAnswer {
  /** One of the options or a number if the answer could be read, otherwise the beginning of the answer. */
  answer: string;
  verdict: 'right' | 'wrong' | 'unreadable';
}

const ANSWER_CHARACTERS = 200;

export function readProbe({ options, expected }: KnowledgeProbe, reply: Reply): ProbeAnswer {
  const { content, finishReason } = reply;
  const ownTexts = ownText(content).map(({ start, end }) => content.slice(start, end));
  const normalizedAnswer = normalize(ownTexts.join(' '));
  const answer =
    options === null
      ? wholeNumber(normalizedAnswer)
      : options.find((option) => normalize(option) === normalizedAnswer);
  if (answer === undefined || finishReason !== 'stop')
    return { answer: oneLine(content, ANSWER_CHARACTERS), verdict: 'unreadable' };
  return { answer, verdict: answer === expected ? 'right' : 'wrong' };
}

function wholeNumber(text: string): string | undefined {
  return /^\d{1,6}$/.test(text) ? String(Number(text)) : undefined;
}

/** Without case, quotation marks, emphasis, an article or a full stop. */
function normalize(text: string): string {
  return oneLine(text)
    .toLowerCase()
    .replace(/^[\s"'`*“”‘’]+|[\s"'`*“”‘’.]+$/g, '')
    .replace(/^(?:answer:\s*)?(?:the|an?)\s+/, '')
    .replace(/^answer:\s*/, '');
}
