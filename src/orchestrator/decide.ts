/**
 * One agent's decision within a step: observe, ask, parse. Free acts happen at once, and the agent is asked
 * again; unreadable or refused replies are reported to the agent, and it is asked again; if its server gave no
 * answer, it is asked the same again; after the allowed attempts (`trajectory/attempts.ts`), a wait replaces the action, and
 * the record names the cause. The caller's state is not changed.
 */
import { isServerFault } from '../base/problem.js';
import type { Problem } from '../base/problem.js';
import { assert, known } from '../base/assert.js';
import { ModelError } from '../base/errors.js';
import { REST, WAIT } from '../environment/action.js';
import type { Intent } from '../environment/action.js';
import type { ActResult } from '../environment/environment.js';
import type { Observation } from '../environment/observation.js';
import { actOf } from '../trajectory/act.js';
import type { ActRecord, RequestedAct } from '../trajectory/act.js';
import { attemptsLeft, NOTHING_FAILED, withFailed } from '../trajectory/attempts.js';
import type { CallRequest } from '../trajectory/records.js';
import { UNCONTROLLED } from '../trajectory/uncontrolled.js';
import type { Reply } from '../model/chat.js';
import { interpret } from '../binding/interpret.js';
import type { Interpretation } from '../binding/interpret.js';
import { ask } from './ask.js';
import type { RunContext, Seat } from './run-context.js';
import type { RunState } from './run-state.js';
import { performOutsideEffect } from './outside.js';
import { askProbes } from './probe.js';
import { isRepairable } from './repair.js';
import { DEADLINE } from '../agent/controller.js';
import type { ReplyOutcome } from '../agent/controller.js';
import { recalledTurns } from './recalled-turns.js';
import { observationOf, openingProblem } from './request.js';
import type { SpeculativeCalls, CompletedCall } from './request.js';
import { askSideQuestion } from './side-question.js';

export interface StepDecision {
  seat: Seat;
  step: number;
  /** The acts before the last one, in order: free acts and refused tries. */
  acts: readonly ActRecord[];
  /** The indices of the free acts that were carried out, to be applied to the world in turn order. */
  freeActIndices: readonly number[];
  /** The act that costs the turn. */
  last: SettlingAct;
  calls: readonly CallSummary[];
}

/** The last act of a step, before it is settled together with those of other agents. */
export interface SettlingAct extends RequestedAct {
  intent: Intent;
}

/** What is recorded of an act when it is decided, besides its intent. */
type DecidedFields = Required<Omit<RequestedAct, 'intent'>>;

/** The part of a call that its step keeps. */
export interface CallSummary extends Pick<CompletedCall, 'end'> {
  /**
   * The turn's text as sent; for a past step, a function that reads it, because most are never needed again.
   */
  text: string | (() => string);
  request: Pick<CallRequest, 'call' | 'observation' | 'messages'>;
}

export interface DecideOptions {
  seat: Seat;
  step: number;
  /** Aborts a pending call. */
  signal: AbortSignal;
  /** Speculative calls for other agents; absent for none. */
  speculativeCalls?: SpeculativeCalls | null;
}

/** What one call led to. */
type AttemptOutcome =
  | { kind: 'settled'; intent: Intent }
  | { kind: 'free'; intent: Intent }
  | { kind: 'refused'; intent: Intent | null; problem: Problem };

export async function decide<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  options: DecideOptions,
): Promise<StepDecision> {
  const { seat, step, signal } = options;
  if (seat.controller.isVacant?.(progress.turn) === true) return uncontrolledDecision(parts, options);
  const { turns } = parts.scenario;
  const agent = seat.spec.id;
  const acts: ActRecord[] = [];
  const freeActIndices: number[] = [];
  const summaryCalls = await askForSummary(parts, progress, options);
  const completedCalls: CompletedCall[] = [];
  const endWith = (last: SettlingAct): StepDecision => {
    return { seat, step, acts, freeActIndices, last, calls: [...summaryCalls, ...completedCalls] };
  };
  /** The world after the agent's free acts, which the caller applies again in turn order. */
  let view = progress.state;
  let failed = NOTHING_FAILED;
  // What the next request says of the reply before: what was wrong with it, and the call that it answered.
  let problem: Problem | null = openingProblem(parts, progress, agent);
  let previousCall: CompletedCall | null = null;
  await askProbes(parts, progress, { seat, step, problem, signal });
  let repairsLeft = turns.repair ? 1 : 0;
  let isRepair = false;
  while (attemptsLeft(turns, failed) > 0) {
    const observation = observationOf(parts, view, seat);
    const answer: CompletedCall = await ask(parts, progress, {
      ...options,
      attempt: completedCalls.length + 1,
      observation,
      truth: { state: view, freeActs: freeActIndices.length },
      problem,
      previousCall,
      recalled: recalledTurns(acts),
      isRepair,
    });
    completedCalls.push(answer);
    const { reply } = answer.end;
    if (reply.finishReason === DEADLINE) return endWith(forcedWait(agent, TOO_LATE));
    const interpretation: Interpretation = interpretReply(parts, seat, observation, reply);
    const outcome: AttemptOutcome = judge(
      parts,
      view,
      interpretation,
      freeActIndices.length < turns.freeActs,
    );
    const { reading } = interpretation;
    const decided: DecidedFields = { call: answer.request.call, reading, insteadOf: null };
    const index = acts.length;
    /** `shown`: what the agent is told of it. */
    const reportJudgement = (shown: Problem | null): void =>
      seat.controller.judged?.(
        judgementOf(progress.turn, completedCalls.length, { outcome, isRead: reading.ok, shown }),
      );
    if (outcome.kind === 'settled') {
      reportJudgement(null);
      const intent = await performOutsideEffect(parts, progress, { intent: outcome.intent, step, signal });
      return endWith({ ...decided, intent });
    }
    if (outcome.kind === 'free') {
      const freeAct = { intent: outcome.intent, view, step, signal };
      const { intent, result, state, unseen } = await performFreeAct(parts, progress, freeAct);
      freeActIndices.push(index);
      acts.push(actOf({ ...decided, intent }, { index, result }));
      problem = unseen;
      reportJudgement(result.ok ? problem : result.problem);
      view = state;
      isRepair = false;
    } else {
      const result = { ok: false, problem: outcome.problem } as const;
      acts.push(actOf({ ...decided, intent: outcome.intent }, { index, result }));
      reportJudgement(outcome.problem);
      failed = withFailed(failed, reading.ok);
      // The same is asked again, as if this call had not been made.
      if (isServerFault(outcome.problem.code)) continue;
      problem = outcome.problem;
      isRepair = repairsLeft > 0 && isRepairable(reply, reading);
      if (isRepair) repairsLeft -= 1;
    }
    previousCall = answer;
  }
  return endWith(forcedWait(agent, lastProblem(acts)));
}

function lastProblem(acts: readonly ActRecord[]): Problem | null {
  const result = acts.at(-1)?.result;
  return result?.ok === false ? result.problem : null;
}

interface FreeAct<S> {
  intent: Intent;
  /** The state as the agent's free acts so far have left it. */
  view: S;
  step: number;
  signal: AbortSignal;
}

/**
 * Carries out a free act in the agent's view. It may still fail for a hidden reason, which is then in the next
 * observation.
 */
async function performFreeAct<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  { view, ...requested }: FreeAct<S>,
): Promise<{
  intent: Intent;
  result: ActResult;
  state: S;
  unseen: Problem | null;
}> {
  const intent = await performOutsideEffect(parts, progress, requested);
  const { state, results } = parts.environment.advance(view, [intent]);
  const result = onlyResult(results);
  return { intent, result, state, unseen: state === view ? unseenResult(result) : null };
}

/** What a controller is told about its reply; `shown` is the message to the agent. */
function judgementOf(
  turn: number,
  attempt: number,
  { outcome, isRead, shown }: { outcome: AttemptOutcome; isRead: boolean; shown: Problem | null },
): ReplyOutcome {
  const { kind, intent } = outcome;
  return { turn, attempt, kind, isRead, intent, problem: shown };
}

/** No answer arrived in time. */
const TOO_LATE: Problem = { code: 'late', message: 'Your answer came too late.' };

function forcedWait(agent: string, insteadOf: Problem | null): SettlingAct {
  return { ...withoutReply(insteadOf), intent: { agent, action: WAIT, args: {} } };
}

/** An act that no reply asked for. */
function withoutReply(insteadOf: Problem | null): DecidedFields {
  return { call: null, reading: null, insteadOf };
}

/** No one decides: no observation is made and no controller is asked. */
function uncontrolledDecision<S>(
  { environment }: RunContext<S>,
  { seat, step }: DecideOptions,
): StepDecision {
  const idle = environment.actions.get(REST) === undefined ? WAIT : REST;
  const intent: Intent = { agent: seat.spec.id, action: idle, args: {} };
  const insteadOf: Problem = { code: UNCONTROLLED, message: 'Nobody controlled you.' };
  const last = { ...withoutReply(insteadOf), intent };
  return { seat, step, acts: [], freeActIndices: [], last, calls: [] };
}

/**
 * The result of a free act that did not change the world: the next observation can't show it, and the agent
 * would repeat it.
 */
function unseenResult(result: ActResult): Problem {
  return result.ok ? { code: 'noted', message: result.message } : result.problem;
}

function interpretReply<S>(
  parts: RunContext<S>,
  seat: Seat,
  observation: Observation,
  reply: Reply,
): Interpretation {
  const { actions } = parts.environment;
  // A refusal lists only what the offers list; a plain one lists nothing.
  const shownObservation =
    observation.refusals === 'plain'
      ? observation
      : { ...observation, offered: seat.composer.shownOffers(observation) };
  return interpret(reply, seat.protocol, actions.list(), actions, shownObservation);
}

/** Whether an interpreted reply may act now: every check from refusals on. */
export function judge<S>(
  parts: RunContext<S>,
  view: S,
  interpretation: Interpretation,
  mayActFreely: boolean,
): AttemptOutcome {
  const { intent } = interpretation;
  if (intent === null)
    return { kind: 'refused', intent, problem: known(interpretation.problem, 'why there is no intent') };
  const action = parts.environment.actions.get(intent.action);
  assert(action !== undefined, `an intent for ${intent.action}, which is not registered`);
  const refusal = parts.environment.check(view, intent);
  if (refusal !== undefined) return { kind: 'refused', intent, problem: refusal };
  if (action.cost === 'turn') return { kind: 'settled', intent };
  if (!mayActFreely) return { kind: 'refused', intent, problem: tooManyFreeActs(parts, intent) };
  return { kind: 'free', intent };
}

function tooManyFreeActs<S>(parts: RunContext<S>, intent: Intent): Problem {
  const { freeActs } = parts.scenario.turns;
  return {
    code: 'over-budget',
    message: `You asked for ${intent.action}, but the ${freeActs} free actions of this turn are used up. Choose an action that takes your turn.`,
  };
}

/** The result of an intent that was settled alone. */
export function onlyResult(results: readonly ActResult[]): ActResult {
  const [result] = results;
  assert(result !== undefined && results.length === 1, 'one intent must have one result');
  return result;
}

// Before an agent is asked to act, its memory may need a text from the model, such as a summary of the turns
// to be dropped. This text is an input from outside: the call is logged and belongs to the step, so a replay
// uses what was stored.

interface SummaryCallOptions {
  seat: Seat;
  step: number;
  signal: AbortSignal;
}

/**
 * Returns the call, if the memory needed one. A controller that can only act writes no text, and a server may
 * fail at this request alone; the memory then gets null instead of a summary.
 */
async function askForSummary<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  { seat, step, signal }: SummaryCallOptions,
): Promise<readonly CompletedCall[]> {
  const agent = seat.spec.id;
  const memory = progress.memory(agent);
  const messages = memory.textRequest();
  if (messages === null) return [];
  const observation = observationOf(parts, progress.state, seat);
  const summaryCall = await askSideQuestion(parts, progress, {
    seat,
    step,
    purpose: 'summary',
    observation,
    messages,
    signal,
  }).catch((error: unknown) => {
    if (error instanceof ModelError && error.isOfRequest) return null;
    throw error;
  });
  progress.setMemory(agent, memory.withText(summaryCall?.end.reply.content ?? null));
  return summaryCall === null ? [] : [summaryCall];
}
