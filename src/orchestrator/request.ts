/**
 * The request to an agent: composes the prompt, draws the frame, and returns the request as the log will
 * store it, except for its number. It only reads parts and progress: speculative calls build the same request
 * in the same way, and nothing is sent here.
 */
import { aided } from '../agent/aids.js';
import type { SeenPicture } from '../agent/memory.js';
import type { RecalledPicture } from '../agent/prompt.js';
import type { Json } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import type { Problem } from '../base/problem.js';
import { nextBelow, stream } from '../base/rng.js';
import type { Observation } from '../environment/observation.js';
import type { CallEnd, CallRequest } from '../trajectory/records.js';
import { seededForm } from '../model/chat.js';
import type { Reply, RequestForm } from '../model/chat.js';
import { quoteAnswer, lostTurnText, withoutWait } from './lost-turn.js';
import type { RunContext, Seat } from './run-context.js';
import type { RunState } from './run-state.js';
import { repairMessages } from './repair.js';
import { nudge } from './repeats.js';

export interface CallContextParts {
  seat: Seat;
  step: number;
  /** From 1 within the step. */
  attempt: number;
  observation: Observation;
  /**
   * The true state behind the observation, and the free acts that were carried out before it in this step:
   * for an oracle.
   */
  truth?: { state: unknown; freeActs: number };
  /** The reason why the previous reply was not accepted; null at first and after a free act. */
  problem: Problem | null;
  /** The previous call; null for the first. */
  previousCall: CompletedCall | null;
  /** Past turns that the agent has requested in this step, oldest request first. */
  recalled: readonly number[];
  /** Asks for the last reply in a valid form, instead of a new answer. */
  isRepair: boolean;
  signal: AbortSignal;
  /** Speculative replies; absent if there are none. */
  speculativeCalls?: SpeculativeCalls | null;
}

/**
 * Agents that are called while another one thinks (`speculation.ts`), from the point of view of the regular
 * turn.
 */
export interface SpeculativeCalls {
  /**
   * The speculative call with exactly this request; null for none. Other speculative calls of the agent are
   * discarded.
   */
  take(planned: PlannedCall): EarlyCall | null;
  /** Makes speculative calls for later agents while the step waits for this one. Never throws. */
  callAhead(): void;
}

/** A call that was sent before it was known whether its reply would count. */
export interface EarlyCall {
  request: CallRequest;
  /** How it ended; null until then. */
  end: CallEnd | null;
  /** Resolves with its end. Rejects only if that could not be logged. */
  ended: Promise<CallEnd>;
  /** Reports that the agent's turn has come: from now on, the step waits for the call. */
  markAwaited(): void;
}

export interface CompletedCall {
  request: CallRequest;
  end: { kind: 'replied'; reply: Reply; memory: Json };
  /** The turn's text as sent, which becomes the past. */
  text: string;
}

/** A request without a number yet. */
export type PlannedCall = Omit<CallRequest, 'call'>;

/** Assigned, not spread, because a spread would take many times as long (docs/explanation/performance.md). */
export function withCallNumber(planned: PlannedCall, call: number, purpose = planned.purpose): CallRequest {
  return Object.assign({ call }, planned, { purpose });
}

export interface ComposedRequest {
  planned: PlannedCall;
  /** What the request asks of a server in addition to an answer to its messages. */
  form: RequestForm;
  /** The turn's text as sent. */
  text: string;
}

export function compose<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  context: CallContextParts,
): ComposedRequest {
  const { seat, step, attempt, observation, isRepair } = context;
  const { text, messages, frameHash } = requestContent(parts, progress, context);
  const form = seededForm(
    seat.composer.form(observation),
    samplingSeed(parts.run.seed, { agent: seat.spec.id, step, attempt }),
  );
  const planned: PlannedCall = {
    runId: parts.run.runId,
    step,
    turn: observation.turn,
    agent: seat.spec.id,
    attempt,
    purpose: isRepair ? 'repair' : 'act',
    controller: seat.controller.name,
    observation,
    messages,
    settings: seat.controller.settings?.(form) ?? null,
    frameHash,
    startedAt: parts.clock.now(),
  };
  return { planned, form, text };
}

/**
 * The sampling seed for a reply, derived from the run's seed: other seeds give other replies, and the same
 * run sends the same seeds again. Each attempt has its own, because the same seed would produce the rejected
 * answer again.
 */
export function samplingSeed(
  runSeed: string,
  { agent, step, attempt }: Pick<CallRequest, 'agent' | 'step' | 'attempt'>,
): number {
  return nextBelow(stream(runSeed, `sampling/${agent}/${step}/${attempt}`), LIMITS.samplingSeed + 1).value;
}

/** The first request of a step as it would be now, if nothing else is asked before it. */
export function firstCallContext<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  { seat, step, signal }: Pick<CallContextParts, 'seat' | 'step' | 'signal'>,
): CallContextParts {
  const observation = observationOf(parts, progress.state, seat);
  const problem = openingProblem(parts, progress, seat.spec.id);
  return {
    seat,
    step,
    attempt: 1,
    observation,
    problem,
    previousCall: null,
    recalled: [],
    isRepair: false,
    signal,
  };
}

/** What the agent perceives, with the aids that the scenario switches on. */
export function observationOf<S>(parts: RunContext<S>, state: S, { spec }: Seat): Observation {
  return aided(parts.environment.observe(state, spec.id), parts.scenario, parts.painter);
}

/**
 * The text at the start of a step, before any reply: that the agent's last turn was lost, or that it repeats
 * itself.
 */
export function openingProblem<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  agent: string,
): Problem | null {
  const lost = progress.lostTurn(agent);
  const nudgeProblem = nudgeFor(parts, progress, agent);
  if (lost === null) return nudgeProblem;
  const nudgeMessages = nudgeProblem === null ? [] : [nudgeProblem.message];
  return { ...lost.problem, message: [lostTurnText(lost), ...nudgeMessages].join('\n') };
}

function nudgeFor<S>(parts: RunContext<S>, progress: RunState<S>, agent: string): Problem | null {
  const { repeats } = parts.scenario.turns;
  const repeatedStep = progress.repeats(agent);
  return repeats !== null && repeatedStep !== undefined && repeatedStep.times >= repeats.times
    ? nudge(repeatedStep)
    : null;
}

/** The picture for a request with this observation; null if there is none. */
export function pictureOf<S>(
  { painter }: Pick<RunContext<S>, 'painter'>,
  { scene }: Observation,
): SeenPicture | null {
  return painter === null || scene === null ? null : painter.paint(scene);
}

type RequestContent = Pick<CallRequest, 'messages' | 'frameHash'> & Pick<ComposedRequest, 'text'>;

/** A repair has the same picture in the same place, and leaves the same turn in the history. */
function requestContent<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  context: CallContextParts,
): RequestContent {
  const { seat, observation, problem, previousCall, isRepair } = context;
  if (isRepair && previousCall !== null && problem !== null) {
    const { request, end, text } = previousCall;
    const broken = { messages: request.messages, reply: end.reply, problem };
    return { text, messages: repairMessages(broken, seat.protocol), frameHash: request.frameHash };
  }
  // The problem of a step's first request says that the last turn was lost.
  const isToldOfWait = context.attempt === 1 && progress.lostTurn(seat.spec.id) !== null;
  const shown = isToldOfWait ? withoutWait(observation) : observation;
  const text = seat.composer.turnText(shown, problemText(context));
  const currentPicture = pictureOf(parts, observation);
  const past = progress.memory(seat.spec.id).messages();
  const recalled = recalledPictures(progress, context);
  const messages = seat.composer.messages(past, text, currentPicture, recalled);
  return { text, messages, frameHash: currentPicture?.hash ?? null };
}

/** The newest turns that the agent requested, without duplicates, as many as its memory allows. */
function recalledPictures<S>(
  progress: RunState<S>,
  { seat, recalled }: CallContextParts,
): readonly RecalledPicture[] {
  const { id, memory } = seat.spec;
  const newest = [...new Set(recalled.toReversed())].slice(0, memory.recalls ?? 0).toReversed();
  return newest.map((turn) => ({ turn, picture: progress.seenPicture(id, turn) }));
}

/** The message about the agent's last try, with its own words quoted as data. */
function problemText(context: CallContextParts): string | null {
  const { problem, previousCall } = context;
  if (problem === null) return null;
  const quotedAnswer = quoteAnswer(previousCall?.end.reply.content ?? '');
  return quotedAnswer === '' ? problem.message : `${quotedAnswer} ${problem.message}`;
}
