/**
 * How a run takes up what was played before: up to the stored state each step only leaves what its agents and counters keep of it, from there
 * on its decisions are settled again by the rules, without anybody being asked or anything drawn. In: the past; out: progress as it was after
 * its last step. Every step that is settled must have the chain that the log says.
 */
import { at } from '../base/assert.js';
import { OrchestrateError, StorageError, UsageError } from '../base/errors.js';
import { WORLD_ID } from '../base/ids.js';
import { stateHash } from '../environment/state-hash.js';
import { stepChain, stepContent } from '../trajectory/chain.js';
import type { ActRecord, CallOutline, CallRequest } from '../trajectory/records.js';
import { turnstile } from '../model/fair-queue.js';
import { priceOf } from '../trajectory/cost.js';
import { judge } from './decide.js';
import type { StepDecision } from './decide.js';
import type { RunHistory, PastStep } from './run-history.js';
import type { RunContext, Seat } from './run-context.js';
import type { RunState } from './run-state.js';
import { keepTurn, applyDecisions, settleWorld } from './apply-decisions.js';

/** So many steps in a row, some milliseconds, are taken up before others have their turn. */
const STEPS_IN_A_ROW = 8;

/**
 * Runs are taken up one after the other, so that the first of many soon plays on, and in pieces, so that nobody who plays waits for it. Throws
 * StorageError where the log holds something else, UsageError where the rules that played it are not at hand.
 */
export function retrace<S>(parts: RunContext<S>, progress: RunState<S>, past: RunHistory<S>): Promise<void> {
  return turnstile.alone(() => retraceInPieces(parts, progress, past));
}

async function retraceInPieces<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  past: RunHistory<S>,
): Promise<void> {
  const { stored } = past;
  let isRestored = stored.step === 0;
  let tick: PastStep<S>[] = [];
  const settleTick = (): void => {
    if (tick.length > 0) playable(at(tick, 0).record.step, () => settleAgain(parts, progress, tick));
    tick = [];
  };
  let before: PastStep<S> | null = null;
  for (const step of past.steps()) {
    if (step.record.step % STEPS_IN_A_ROW === 0) await turnstile.passWhenQuiet();
    const isTickGoingOn = before !== null && isOneTick(before, step);
    if (!isRestored && (step.record.step <= stored.step || isTickGoingOn))
      playable(step.record.step, () => leapOver(parts, progress, step));
    else {
      if (!isRestored) playable(stored.step, () => restore(parts, progress, past));
      isRestored = true;
      if (!isTickGoingOn) settleTick();
      tick.push(step);
    }
    before = step;
  }
  settleTick();
  if (!isRestored) playable(stored.step, () => restore(parts, progress, past));
}

/** A log may come from a stranger and say what no run could have done: what a world makes of that is the log's fault, told in words. */
function playable(step: number, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof OrchestrateError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const words = `step ${step} of the log can't be played again: ${why}`;
    throw new StorageError(words, TOLD_BY_VERIFY, { cause: error });
  }
}

/** Steps of one tick are settled together, and a state that is stored with one of them holds all. */
function isOneTick<S>({ record: before, by }: PastStep<S>, { record }: PastStep<S>): boolean {
  const isOfAgents = before.agent !== WORLD_ID && record.agent !== WORLD_ID;
  return isOfAgents && by.scenario.turns.order === 'simultaneous' && before.turn === record.turn;
}

function restore<S>(parts: RunContext<S>, progress: RunState<S>, { stored }: RunHistory<S>): void {
  progress.state = stored.state;
  if (stateHash(parts.environment.parts(stored.state)) !== progress.stateHash)
    throw new StorageError(`the state stored with step ${stored.step} is not the one that was played`);
}

function leapOver<S>(parts: RunContext<S>, progress: RunState<S>, step: PastStep<S>): void {
  const { record, by } = step;
  progress.enter(by.genesisHash);
  charge(progress, step);
  if (record.agent !== WORLD_ID) {
    const seat = seatOf(parts, step);
    remember(progress, seat, step);
    keepTurn(by, progress, decidedIn(seat, step, askedIn(step.calls)));
  }
  progress.leap(record);
}

/** One step, or all of a tick. */
function settleAgain<S>(parts: RunContext<S>, progress: RunState<S>, tick: readonly PastStep<S>[]): void {
  const { by, record } = at(tick, 0);
  const then = { ...parts, ...by };
  progress.enter(by.genesisHash);
  // What was sent is read once, for the chain and for the step.
  const asked = new Map(tick.map((step) => [step, askedIn(step.calls)]));
  checkStored(progress.chain, asked);
  for (const step of tick) charge(progress, step);
  if (record.agent === WORLD_ID) settleWorld(then, progress);
  else {
    progress.openTurn(by.environment.active(progress.state));
    const decisions = [...asked].map(([step, calls]) => {
      const seat = seatOf(parts, step);
      remember(progress, seat, step);
      return { ...decidedIn(seat, step, calls), free: freeActs(then, progress.state, step.record.acts) };
    });
    applyDecisions(then, progress, decisions);
  }
  const { step, chain } = at(tick, tick.length - 1).record;
  if (progress.chain !== chain)
    throw new StorageError(`step ${step} of the log is not what its own replies make of it`, TOLD_BY_VERIFY);
}

const TOLD_BY_VERIFY = ['orchestrate verify tells what differs'];

/** Settling makes acts and events anew: those that are stored, and go on to be read, must be what the chain covers as well. */
function checkStored<S>(before: string, tick: ReadonlyMap<PastStep<S>, StepDecision['asked']>): void {
  let chain = before;
  for (const [{ record }, asked] of tick) {
    chain = stepChain(chain, stepContent(record, asked));
    if (chain === record.chain) continue;
    throw new StorageError(`step ${record.step} of the log is not what its chain says`, TOLD_BY_VERIFY);
  }
}

function seatOf<S>(parts: RunContext<S>, { record, by }: PastStep<S>): Seat {
  const seat = parts.seats.find(({ spec }) => spec.id === record.agent);
  const spec = by.scenario.agents.find(({ id }) => id === record.agent);
  if (seat === undefined || spec === undefined)
    throw new StorageError(`step ${record.step} is of ${record.agent}, who is no agent of the run`);
  return { ...seat, spec };
}

/** What the agent's memory was told before the step, and what its controller kept. */
function remember<S>(progress: RunState<S>, { spec: { id } }: Seat, { calls }: PastStep<S>): void {
  const past = progress.past(id);
  if (past.wish() !== null) {
    const summary = calls.find(({ purpose }) => purpose === 'summary')?.end;
    progress.keepPast(id, past.digest(summary?.kind === 'replied' ? summary.reply.content : null));
  }
  for (const { purpose, end } of calls) {
    const isActing = purpose === 'act' || purpose === 'repair';
    if (isActing && end?.kind === 'replied') progress.keepControllerMemory(id, end.memory);
  }
}

/** What was asked beside the step costs whoever was asked. */
function charge<S>(progress: RunState<S>, { beside, by: { scenario } }: PastStep<S>): void {
  for (const outline of beside) {
    const spec = scenario.agents.find(({ id }) => id === outline.agent);
    if (spec !== undefined)
      progress.charge([{ request: lazily(outline), end: outline.end }], priceOf(scenario, spec));
  }
}

/** What was decided in a step; which of its acts were free is told by the rules (`freeActs`). */
function decidedIn<S>(seat: Seat, { record }: PastStep<S>, asked: StepDecision['asked']): StepDecision {
  const { step, acts } = record;
  const last = acts.at(-1);
  if (last?.intent == null) throw new StorageError(`step ${step} holds no act that settled it`);
  const { intent, reading, call, insteadOf } = last;
  return {
    seat,
    step,
    acts: acts.slice(0, -1),
    free: [],
    intent,
    reading,
    call,
    insteadOf,
    asked,
  };
}

function askedIn(calls: readonly CallOutline[]): StepDecision['asked'] {
  let text: () => string = () => '';
  return calls.map((outline) => {
    const { call, purpose, end } = outline;
    if (end?.kind !== 'replied') throw new StorageError(`the reply to call ${call} is missing`);
    // A repair leaves the turn as it was told.
    if (purpose === 'act') text = () => outline.text();
    return { request: lazily(outline), end, text };
  });
}

/** Most of the past is never asked for its observations and messages, which take the longest to read. */
function lazily(outline: CallOutline): Pick<CallRequest, 'call' | 'observation' | 'messages'> {
  let read: CallRequest | null = null;
  const whole = (): CallRequest => (read ??= outline.request());
  return {
    call: outline.call,
    get observation() {
      return whole().observation;
    },
    get messages() {
      return whole().messages;
    },
  };
}

/** Which acts before the last were done, not refused: by the very rules that judged them. */
function freeActs<S>(then: RunContext<S>, state: S, acts: readonly ActRecord[]): readonly number[] {
  const { environment, scenario } = then;
  const free: number[] = [];
  let view = state;
  for (const { index, intent, reading } of acts.slice(0, -1)) {
    if (intent === null) continue;
    if (environment.actions.get(intent.action) === undefined)
      throw new UsageError(`the run used the action ${intent.action}, which is not there`, [
        'go on with the program that brought it',
      ]);
    if (reading === null) throw new StorageError('an act of the log was done without having been read');
    const interpretation = { reading, intent, problem: null };
    const mayActFreely = free.length < scenario.turns.freeActs;
    if (judge(then, view, interpretation, mayActFreely).kind !== 'free') continue;
    free.push(index);
    view = environment.advance(view, [intent]).state;
  }
  return free;
}
