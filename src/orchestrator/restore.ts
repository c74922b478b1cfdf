/**
 * How a run restores its past: up to the stored state, only the lasting effects of each step are read; from
 * there on, the rules settle its decisions again, without calls or pictures. Every settled step must have the
 * chain that is in the log.
 */
import { at } from '../base/assert.js';
import { errorMessage, OrchestrateError, StorageError, UsageError } from '../base/errors.js';
import { WORLD_ID } from '../base/ids.js';
import { stateHash } from '../environment/state-hash.js';
import { stepChain, stepContent } from '../trajectory/chain.js';
import type { ActRecord } from '../trajectory/act.js';
import type { CallOutline, CallRequest } from '../trajectory/records.js';
import { eventLoop } from '../model/fair-queue.js';
import { priceOf } from '../trajectory/cost.js';
import { judge } from './decide.js';
import type { StepDecision } from './decide.js';
import type { RunHistory, PastStep } from './run-history.js';
import type { RunContext, Seat } from './run-context.js';
import type { RunState } from './run-state.js';
import { applyLastingEffects, applyDecisions, settleWorld } from './apply-decisions.js';

/** The number of steps that are restored, in some milliseconds, before other work gets its turn. */
const STEPS_IN_A_ROW = 8;

/**
 * Runs are restored one after the other, so that the first of many soon continues, and in pieces, so that no
 * playing run waits for it. Throws StorageError if the log has other content, UsageError if the rules that
 * played it are missing.
 */
export function restorePast<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  past: RunHistory<S>,
): Promise<void> {
  return eventLoop.oneAtATime(() => restoreInPieces(parts, progress, past));
}

async function restoreInPieces<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  past: RunHistory<S>,
): Promise<void> {
  const { stored } = past;
  let isRestored = stored.step === 0;
  let tick: PastStep<S>[] = [];
  const settleTick = (): void => {
    if (tick.length > 0) guardReplay(at(tick, 0).record.step, () => settleAgain(parts, progress, tick));
    tick = [];
  };
  let previous: PastStep<S> | null = null;
  for (const step of past.steps()) {
    if (step.record.step % STEPS_IN_A_ROW === 0) await eventLoop.quietRound();
    progress.recallRewards(step.record);
    const isTickGoingOn = previous !== null && isSameTick(previous, step);
    if (!isRestored && (step.record.step <= stored.step || isTickGoingOn))
      guardReplay(step.record.step, () => applyStoredStep(parts, progress, step));
    else {
      if (!isRestored) guardReplay(stored.step, () => restoreState(parts, progress, past));
      isRestored = true;
      if (!isTickGoingOn) settleTick();
      tick.push(step);
    }
    previous = step;
  }
  settleTick();
  if (!isRestored) guardReplay(stored.step, () => restoreState(parts, progress, past));
}

/**
 * A log may come from someone else and contain impossible states: an exception of the world is then reported
 * as a fault of the log.
 */
function guardReplay(step: number, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof OrchestrateError) throw error;
    const reason = errorMessage(error);
    const message = `step ${step} of the log can't be replayed: ${reason}`;
    throw new StorageError(message, VERIFY_HINT, { cause: error });
  }
}

/**
 * The steps of one tick are settled together, and a state stored with one of them is the state after all of
 * them.
 */
function isSameTick<S>({ record: before, playedBy }: PastStep<S>, { record }: PastStep<S>): boolean {
  const isOfAgents = before.agent !== WORLD_ID && record.agent !== WORLD_ID;
  return isOfAgents && playedBy.scenario.turns.order === 'simultaneous' && before.turn === record.turn;
}

function restoreState<S>(parts: RunContext<S>, progress: RunState<S>, { stored }: RunHistory<S>): void {
  progress.state = stored.state;
  if (stateHash(parts.environment.parts(stored.state)) !== progress.stateHash)
    throw new StorageError(`the state stored with step ${stored.step} differs from the replayed one`);
}

function applyStoredStep<S>(parts: RunContext<S>, progress: RunState<S>, step: PastStep<S>): void {
  const { record, playedBy } = step;
  progress.enterGenesis(playedBy.genesisHash);
  chargeSideCalls(progress, step);
  if (record.agent !== WORLD_ID) {
    const seat = seatOf(parts, step);
    restoreMemory(progress, seat, step);
    applyLastingEffects(
      { ...playedBy, painter: parts.painter },
      progress,
      decisionOf(seat, step, callsOf(step.calls)),
    );
  }
  progress.adoptRecord(record);
}

/** One step, or all of a tick. */
function settleAgain<S>(parts: RunContext<S>, progress: RunState<S>, tick: readonly PastStep<S>[]): void {
  const { playedBy, record } = at(tick, 0);
  const pastContext = { ...parts, ...playedBy };
  progress.enterGenesis(playedBy.genesisHash);
  // The sent messages are read once, for the chain and for the step.
  const callsByStep = new Map(tick.map((step) => [step, callsOf(step.calls)]));
  checkStoredChain(progress.chain, callsByStep);
  for (const step of tick) chargeSideCalls(progress, step);
  if (record.agent === WORLD_ID) settleWorld(pastContext, progress);
  else {
    progress.openTurn(playedBy.environment.active(progress.state));
    const decisions = [...callsByStep].map(([step, calls]) => {
      const seat = seatOf(parts, step);
      restoreMemory(progress, seat, step);
      return {
        ...decisionOf(seat, step, calls),
        freeActIndices: freeActIndices(pastContext, progress.state, step.record.acts),
      };
    });
    applyDecisions(pastContext, progress, decisions);
  }
  const { step, chain } = at(tick, tick.length - 1).record;
  if (progress.chain !== chain)
    throw new StorageError(
      `replaying the logged replies gives a different step ${step} than the log contains`,
      VERIFY_HINT,
    );
}

const VERIFY_HINT = ['orchestrate verify shows what differs'];

/** Settling recomputes acts and events. The stored ones, which are read later, must match the chain too. */
function checkStoredChain<S>(before: string, tick: ReadonlyMap<PastStep<S>, StepDecision['calls']>): void {
  let chain = before;
  for (const [{ record }, calls] of tick) {
    chain = stepChain(chain, stepContent(record, calls));
    if (chain === record.chain) continue;
    throw new StorageError(`step ${record.step} of the log does not match its chain`, VERIFY_HINT);
  }
}

function seatOf<S>(parts: RunContext<S>, { record, playedBy }: PastStep<S>): Seat {
  const seat = parts.seats.find(({ spec }) => spec.id === record.agent);
  const spec = playedBy.scenario.agents.find(({ id }) => id === record.agent);
  if (seat === undefined || spec === undefined)
    throw new StorageError(
      `step ${record.step} belongs to ${record.agent}, which is not an agent of the run`,
    );
  return { ...seat, spec };
}

/** The agent's memory before the step, and the state of its controller. */
function restoreMemory<S>(progress: RunState<S>, { spec: { id } }: Seat, { calls }: PastStep<S>): void {
  const memory = progress.memory(id);
  if (memory.textRequest() !== null) {
    const summary = calls.find(({ purpose }) => purpose === 'summary')?.end;
    progress.setMemory(id, memory.withText(summary?.kind === 'replied' ? summary.reply.content : null));
  }
  for (const { purpose, end } of calls) {
    const isActing = purpose === 'act' || purpose === 'repair';
    if (isActing && end?.kind === 'replied') progress.setControllerMemory(id, end.memory);
  }
}

/** Questions outside the step count towards the agent's cost. */
function chargeSideCalls<S>(progress: RunState<S>, { sideCalls, playedBy: { scenario } }: PastStep<S>): void {
  for (const outline of sideCalls) {
    const spec = scenario.agents.find(({ id }) => id === outline.agent);
    if (spec !== undefined)
      progress.charge([{ request: lazyRequest(outline), end: outline.end }], priceOf(scenario, spec));
  }
}

/** The decisions of a step; the rules determine which of its acts were free actions (`freeActIndices`). */
function decisionOf<S>(seat: Seat, { record }: PastStep<S>, calls: StepDecision['calls']): StepDecision {
  const { step, acts } = record;
  const lastAct = acts.at(-1);
  if (lastAct?.intent == null) throw new StorageError(`no act in step ${step} of the log settles it`);
  const { index: _index, result: _result, intent, ...requested } = lastAct;
  const last = { ...requested, intent };
  return { seat, step, acts: acts.slice(0, -1), freeActIndices: [], last, calls };
}

function callsOf(calls: readonly CallOutline[]): StepDecision['calls'] {
  let text: () => string = () => '';
  return calls.map((outline) => {
    const { call, purpose, end } = outline;
    if (end?.kind !== 'replied') throw new StorageError(`the reply to call ${call} is missing`);
    // A repair does not change the turn's text.
    if (purpose === 'act') text = () => outline.text();
    return { request: lazyRequest(outline), end, text };
  });
}

/** Observations and messages take the longest to read, and are never needed for most of the past. */
function lazyRequest(outline: CallOutline): Pick<CallRequest, 'call' | 'observation' | 'messages'> {
  let loaded: CallRequest | null = null;
  const load = (): CallRequest => (loaded ??= outline.request());
  return {
    call: outline.call,
    get observation() {
      return load().observation;
    },
    get messages() {
      return load().messages;
    },
  };
}

/** Which acts before the last were carried out and not refused, according to the rules that judged them. */
function freeActIndices<S>(context: RunContext<S>, state: S, acts: readonly ActRecord[]): readonly number[] {
  const { environment, scenario } = context;
  const indices: number[] = [];
  let view = state;
  for (const { index, intent, reading } of acts.slice(0, -1)) {
    if (intent === null) continue;
    if (environment.actions.get(intent.action) === undefined)
      throw new UsageError(`the run used the action ${intent.action}, which does not exist`, [
        'load the module that defines it: --modules my-actions.mjs',
      ]);
    if (reading === null) throw new StorageError('an act of the log was performed without a parsed reply');
    const interpretation = { reading, intent, problem: null };
    const mayActFreely = indices.length < scenario.turns.freeActs;
    if (judge(context, view, interpretation, mayActFreely).kind !== 'free') continue;
    indices.push(index);
    view = environment.advance(view, [intent]).state;
  }
  return indices;
}
