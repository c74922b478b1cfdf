/**
 * The loop: turns of agents, then the world's own part, until something ends the run. It connects scenario →
 * observation → prompt → controller → parse → advance → log, and knows no world, no server and no database.
 * `decide.ts` is one agent's part, `speculation.ts` makes early calls, `apply-decisions.ts` applies decisions
 * to the world, and the last part of this file determines why a run ends.
 */
import { setMaxListeners } from 'node:events';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { RunEnd } from '../trajectory/records.js';
import { SinkStops } from '../trajectory/sink.js';
import { errorMessage, StorageError } from '../base/errors.js';
import { agentName } from '../base/ids.js';
import { LIMITS } from '../base/limits.js';
import { cutText } from '../base/text.js';
import { isAbort, withEither } from '../model/abort.js';
import { decide } from './decide.js';
import type { StepDecision } from './decide.js';
import { requireEffectHandlers } from './outside.js';
import type { RunContext, Seat, StopSignals, RunVerdict } from './run-context.js';
import { RunState } from './run-state.js';
import { reflect } from './reflect.js';
import { restorePast } from './restore.js';
import { applyDecisions, settleWorld } from './apply-decisions.js';
import { Speculation } from './speculation.js';
import { counted } from '../base/counted.js';
import { overBudget } from './budget.js';

interface RunEnding {
  end: RunEnd;
  /** The error that ended it; null if it ended by itself. */
  failure: unknown;
}

export class TurnOrchestrator<S> {
  readonly #parts: RunContext<S>;
  readonly #progress: RunState<S>;
  /** Null if every agent is asked in its turn. */
  readonly #speculation: Speculation<S> | null;

  constructor(parts: RunContext<S>) {
    this.#parts = parts;
    this.#progress = new RunState(parts);
    const { order, speculate = null } = parts.scenario.turns;
    const isAhead = order === 'sequential' && speculate !== null;
    this.#speculation = isAhead ? new Speculation(parts, this.#progress, speculate) : null;
  }

  /**
   * Plays the run to its end; for a run that is over, only what comes after its end. Throws the error that
   * ended it from outside (server, storage), with the log intact; UsageError, before anything is logged, if
   * an effect handler is missing.
   */
  async run(stop: StopSignals): Promise<RunEnd> {
    requireEffectHandlers(this.#parts);
    const { past } = this.#parts;
    if (past !== undefined) await restorePast(this.#parts, this.#progress, past);
    this.#progress.begin();
    const { end, failure } = past?.end == null ? await this.#playOut(stop) : { end: past.end, failure: null };
    try {
      this.#parts.storeMemories?.(this.#progress.memoriesToKeep());
      await reflect(this.#parts, this.#progress, { end, stop });
    } finally {
      this.#parts.watcher.runEnded?.(end, this.#progress.spent.steps);
    }
    if (failure !== null) throw failure;
    return end;
  }

  /** Resolves when the end is in the log; throws if it can't be stored. */
  async #playOut(stop: StopSignals): Promise<RunEnding> {
    try {
      return { end: this.#progress.end(await this.#playTurns(stop)), failure: null };
    } catch (error) {
      if (stop.hard.aborted) {
        const end = this.#progress.end({ status: 'interrupted', reason: 'stopped by the user' });
        return { end, failure: null };
      }
      // A log that failed can't store an end either.
      if (error instanceof StorageError || error instanceof SinkStops) throw error;
      const reason = cutText(errorMessage(error), LIMITS.traceCharacters);
      return { end: this.#progress.end({ status: 'error', reason: reason.toWellFormed() }), failure: error };
    }
  }

  async #playTurns(stop: StopSignals): Promise<RunVerdict> {
    try {
      let ended = this.#verdict(stop);
      while (ended === null) {
        // Without remote controllers, no other event would be handled: no Ctrl-C, no timer.
        await nextRound();
        ended = this.#verdict(stop) ?? (await this.#playTurn(stop));
      }
      return ended;
    } finally {
      await this.#speculation?.close();
    }
  }

  async #playTurn(stop: StopSignals): Promise<RunVerdict | null> {
    const { scenario, environment, watcher } = this.#parts;
    watcher.turnStarted?.(this.#progress.turn);
    const waiting = this.#progress.openTurn(environment.active(this.#progress.state));
    const seats = this.#parts.seats.filter((seat) => waiting.includes(seat.spec.id));
    const ended =
      scenario.turns.order === 'sequential'
        ? await this.#playSequential(seats, stop)
        : await this.#playSimultaneous(seats, stop);
    if (ended !== null) return ended;
    settleWorld(this.#parts, this.#progress);
    return this.#verdict(stop);
  }

  /** Each agent sees the actions of earlier agents in this turn. */
  async #playSequential(seats: readonly Seat[], stop: StopSignals): Promise<RunVerdict | null> {
    const speculativeCalls = this.#speculation;
    for (const [i, seat] of seats.entries()) {
      if (!this.#parts.environment.active(this.#progress.state).includes(seat.spec.id)) continue;
      const stopped = await this.#awaitUser([seat], stop);
      if (stopped !== null) return stopped;
      const options = { seat, step: this.#progress.nextStep, signal: stop.hard, speculativeCalls };
      speculativeCalls?.begin(options, seats.slice(i + 1));
      const decided = await decide(this.#parts, this.#progress, options);
      await this.#parts.beforeSettle?.(this.#progress.turn);
      applyDecisions(this.#parts, this.#progress, [decided]);
      const ended = this.#verdict(stop);
      if (ended !== null) return ended;
    }
    await speculativeCalls?.close();
    return null;
  }

  /** All agents decide from the same state, side by side; the world resolves their intents together. */
  async #playSimultaneous(seats: readonly Seat[], stop: StopSignals): Promise<RunVerdict | null> {
    // A run that stopped between the agents' part of a turn and the world's.
    if (seats.length === 0) return null;
    const stopped = await this.#awaitUser(seats, stop);
    if (stopped !== null) return stopped;
    const siblings = new AbortController();
    const decisions = await withEither([stop.hard, siblings.signal], (hard) =>
      this.#decideTogether(seats, hard, () => siblings.abort()),
    );
    await this.#parts.beforeSettle?.(this.#progress.turn);
    applyDecisions(this.#parts, this.#progress, decisions);
    return this.#verdict(stop);
  }

  /** If one fails, the others are cancelled. */
  async #decideTogether(
    seats: readonly Seat[],
    hard: AbortSignal,
    stopOthers: () => void,
  ): Promise<readonly StepDecision[]> {
    // Every thinking agent listens to it, so more than ten listeners are not a leak.
    setMaxListeners(0, hard);
    const firstStep = this.#progress.nextStep;
    const decisions: Promise<StepDecision>[] = [];
    for (const [i, seat] of seats.entries()) {
      // Controllers outside this process read and answer while the next agents are asked.
      if (this.#parts.beforeSettle !== undefined && i > 0 && i % ASKED_AT_ONCE === 0) await nextRound();
      const decision = decide(this.#parts, this.#progress, { seat, step: firstStep + i, signal: hard });
      decision.catch(stopOthers);
      decisions.push(decision);
    }
    const results = await Promise.allSettled(decisions);
    const failure = results.find((result) => result.status === 'rejected' && !isAbort(result.reason));
    if (failure?.status === 'rejected') throw failure.reason;
    return Promise.all(decisions);
  }

  /** Waits until the user, who steps through the run, continues or stops it. */
  async #awaitUser(seats: readonly Seat[], stop: StopSignals): Promise<RunVerdict | null> {
    const { beforeStep, environment } = this.#parts;
    if (beforeStep === undefined) return null;
    // The user wants to see the result of the previous step, so it is made durable, and thereby reported,
    // first.
    this.#parts.sink.flush();
    const { turn, state } = this.#progress;
    await beforeStep(
      seats.map((seat) => seat.spec.id),
      turn,
      environment.active(state),
    );
    return this.#verdict(stop);
  }

  /**
   * Why the run ends: the world's outcome, the turn limit, no agent left to act, an agent that gave up, or the
   * user; null if it goes on. Checked after every step.
   */
  #verdict(stop: StopSignals): RunVerdict | null {
    const { environment, scenario } = this.#parts;
    const progress = this.#progress;
    const outcome = environment.outcome(progress.state);
    if (outcome.status !== 'running') return { status: outcome.status, reason: outcome.reason };
    const endStatus = environment.hasGoal ? 'failed' : 'ended';
    if (environment.active(progress.state).length === 0) {
      return { status: endStatus, reason: 'no agent is left to act' };
    }
    if (progress.turn > scenario.turns.max) {
      return {
        status: endStatus,
        reason: `the ${counted(scenario.turns.max, 'turn')} ${scenario.turns.max === 1 ? 'is' : 'are'} over`,
      };
    }
    const budgetReason = overBudget(scenario.budget, progress.spent, progress.elapsedMs);
    if (budgetReason !== null) return { status: endStatus, reason: budgetReason };
    if (scenario.turns.givenUp === 'stop' && progress.gaveUp !== null) {
      return {
        status: endStatus,
        reason: `${agentName(scenario.agents, progress.gaveUp)} gave no usable answer`,
      };
    }
    const repeatReason = repeatEndReason(this.#parts, progress);
    if (repeatReason !== null) return { status: endStatus, reason: repeatReason };
    if (stop.soft.aborted) return { status: 'interrupted', reason: 'stopped by the user' };
    return null;
  }
}

/**
 * How many agents of a served run are asked before the event loop gets a turn: a larger number delays the
 * network, a smaller one makes small packets.
 */
const ASKED_AT_ONCE = 8;

/** The agent that repeats itself so often that the run must end. */
function repeatEndReason<S>({ scenario }: RunContext<S>, progress: RunState<S>): string | null {
  const { repeats } = scenario.turns;
  if (repeats?.then !== 'stop') return null;
  const repeatingAgent = scenario.agents.find(
    ({ id }) => (progress.repeats(id)?.times ?? 0) >= repeats.times,
  );
  return repeatingAgent === undefined
    ? null
    : `${repeatingAgent.name} did the same thing ${repeats.times} times in the same situation`;
}
