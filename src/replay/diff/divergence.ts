/**
 * Where two runs diverge: the first step with different actions or results and, if earlier, the first
 * difference in a prompt or a reply. One pass; memory use does not grow with the runs.
 */
import { messagesHash } from '../../trajectory/chain.js';
import { hashOfJson } from '../../trajectory/content.js';
import type { LoggedCall, StepRecord } from '../../trajectory/records.js';
import type { ValueDifference } from '../compare.js';
import { valueDifference } from '../compare.js';
import { alignedSteps } from './aligned-steps.js';
import type { AlignedStep, RunSides } from './aligned-steps.js';

/** The first difference in an agent's requests or answers. */
export interface WordsDiffer {
  turn: number;
  agent: string;
  steps: RunSides<number>;
  part: 'observation' | 'messages' | 'frame' | 'reply';
  difference: ValueDifference;
}

/** What differs at a moment. */
export type DivergenceAspect = 'step' | 'acts' | 'events' | 'world';

export interface Divergence {
  moment: AlignedStep;
  /** The aspects, in this order; `step` means that only one of the runs has the step. */
  aspects: readonly DivergenceAspect[];
}

/** A part of the worlds' states, by its name in the environment. */
export interface PartDiffers {
  part: string;
  /** When it first differs. */
  turn: number;
  steps: RunSides<number>;
  /** Whether it still differs at the last moment that both runs have. */
  isApartAtEnd: boolean;
}

export interface RunComparison {
  divergence: Divergence | null;
  promptDifference: WordsDiffer | null;
  replyDifference: WordsDiffer | null;
  parts: readonly PartDiffers[];
  /** The divergence and what follows it; limited. */
  after: readonly AlignedStep[];
  hasMore: boolean;
}

export interface CompareOptions {
  /** The first step that the runs don't share. */
  from: number;
  /** The maximum number of moments. */
  max: number;
  /** Parts of the worlds that differed before that step: a difference in setup is not a divergence. */
  apart: readonly string[];
}

/** One pass over both runs. Throws StorageError if a log can't be read. */
export function compareRuns(sides: RunSides, options: CompareOptions): RunComparison {
  const { from } = options;
  const watch = new DivergenceWatch(sides, options);
  for (const moment of alignedSteps(sides, from)) watch.add(moment);
  return watch.comparison;
}

class DivergenceWatch {
  readonly #sides: RunSides;
  readonly #max: number;
  readonly #differingBefore: readonly string[];
  #divergence: Divergence | null = null;
  #promptDifference: WordsDiffer | null = null;
  #replyDifference: WordsDiffer | null = null;
  readonly #parts = new Map<string, PartDiffers>();
  readonly #after: AlignedStep[] = [];
  #hasMore = false;

  constructor(sides: RunSides, { max, apart }: CompareOptions) {
    this.#sides = sides;
    this.#max = max;
    this.#differingBefore = apart;
  }

  add(moment: AlignedStep): void {
    const { a, b } = moment;
    if (a !== null && b !== null && this.#differs({ a, b })) this.#compare(moment, { a, b });
    if (this.#divergence === null && (a === null || b === null))
      this.#divergence = { moment, aspects: ['step'] };
    if (this.#divergence !== null) this.#keep(moment);
  }

  get comparison(): RunComparison {
    const parts = [...this.#parts.values()];
    return {
      divergence: this.#divergence,
      promptDifference: this.#promptDifference,
      replyDifference: this.#replyDifference,
      parts,
      after: this.#after,
      hasMore: this.#hasMore,
    };
  }

  /** An unchanged chain proves nothing about acts, events and replies that were changed next to it. */
  #differs({ a, b }: RunSides<StepRecord>): boolean {
    if (a.chain !== b.chain || aspectsOf({ a, b }, []).length > 0) return true;
    return valueDifference(answersTo(this.#sides.a, a), answersTo(this.#sides.b, b)) !== null;
  }

  #compare(moment: AlignedStep, steps: RunSides<StepRecord>): void {
    this.#noteParts(moment, steps);
    if (this.#divergence !== null) return;
    // After the divergence, everything differs.
    this.#noteCalls(moment, steps);
    const aspects = aspectsOf(steps, this.#differingBefore);
    if (aspects.length > 0) this.#divergence = { moment, aspects };
  }

  #noteParts({ turn }: AlignedStep, { a, b }: RunSides<StepRecord>): void {
    const names = new Set([...Object.keys(a.parts), ...Object.keys(b.parts)]);
    for (const part of names) {
      const before = this.#parts.get(part);
      const isApart = a.parts[part] !== b.parts[part];
      if (before === undefined && !isApart) continue;
      const first = before ?? { part, turn, steps: { a: a.step, b: b.step }, isApartAtEnd: isApart };
      this.#parts.set(part, { ...first, isApartAtEnd: isApart });
    }
  }

  #noteCalls(moment: AlignedStep, steps: RunSides<StepRecord>): void {
    if (this.#promptDifference !== null && this.#replyDifference !== null) return;
    const callsOfA = callsOf(this.#sides.a, steps.a);
    const callsOfB = callsOf(this.#sides.b, steps.b);
    for (let i = 0; i < Math.min(callsOfA.length, callsOfB.length); i++) {
      const [a, b] = [callsOfA[i], callsOfB[i]];
      if (a === undefined || b === undefined) return;
      const position = {
        turn: moment.turn,
        agent: moment.agent,
        steps: { a: steps.a.step, b: steps.b.step },
      };
      const promptDifference = firstPromptDifference({ a, b });
      if (promptDifference !== null) this.#promptDifference ??= { ...position, ...promptDifference };
      const replyDifference = valueDifference(answerOf(a), answerOf(b));
      if (replyDifference !== null)
        this.#replyDifference ??= { ...position, part: 'reply', difference: replyDifference };
    }
  }

  #keep(moment: AlignedStep): void {
    if (this.#after.length < this.#max) this.#after.push(moment);
    else this.#hasMore = true;
  }
}

function callsOf({ reader, run }: RunSides['a'], { step, calls }: StepRecord): readonly LoggedCall[] {
  if (calls.length === 0) return [];
  return reader.calls(run.runId, step).filter(({ request }) => calls.includes(request.call));
}

/** The answers of a step; reading them checks each against its hash. */
function answersTo({ reader, run }: RunSides['a'], { step, calls }: StepRecord): readonly (object | null)[] {
  if (calls.length === 0) return [];
  return reader.outlines(run.runId, step).flatMap((one) => (calls.includes(one.call) ? [answerOf(one)] : []));
}

/** Differences in observations come before differences in their wording. */
function firstPromptDifference({
  a,
  b,
}: RunSides<LoggedCall>): Pick<WordsDiffer, 'part' | 'difference'> | null {
  const [one, two] = [a.request, b.request];
  if (hashOfJson(one.observation) !== hashOfJson(two.observation)) {
    const difference = valueDifference(one.observation, two.observation);
    if (difference !== null) return { part: 'observation', difference };
  }
  if (one.frameHash !== two.frameHash)
    return { part: 'frame', difference: { path: [], logged: one.frameHash, made: two.frameHash } };
  if (messagesHash(one.messages) === messagesHash(two.messages)) return null;
  const difference = valueDifference(textsOf(one.messages), textsOf(two.messages));
  return difference === null ? null : { part: 'messages', difference };
}

function textsOf(messages: LoggedCall['request']['messages']): readonly object[] {
  return messages.map(({ role, parts }) => ({
    role,
    parts: parts.map((part) => (part.kind === 'text' ? part.text : part.frameHash)),
  }));
}

function answerOf({ end }: Pick<LoggedCall, 'end'>): object | null {
  if (end?.kind !== 'replied') return null;
  const { content, toolCalls, finishReason } = end.reply;
  return { content, toolCalls, finishReason };
}

function aspectsOf(
  { a, b }: RunSides<StepRecord>,
  differingBefore: readonly string[],
): readonly DivergenceAspect[] {
  const differs = (one: unknown, two: unknown): boolean => valueDifference(one, two) !== null;
  const found: readonly (readonly [DivergenceAspect, boolean])[] = [
    ['acts', differs(a.acts.map(meaningOf), b.acts.map(meaningOf))],
    ['events', differs(a.events, b.events)],
    [
      'world',
      Object.keys(a.parts).some((part) => !differingBefore.includes(part) && a.parts[part] !== b.parts[part]),
    ],
  ];
  return found.flatMap(([aspect, isUnlike]) => (isUnlike ? [aspect] : []));
}

/** Without call numbers, and without how a reply was parsed. */
function meaningOf({ intent, result, insteadOf }: StepRecord['acts'][number]): object {
  return { intent, result, insteadOf };
}
