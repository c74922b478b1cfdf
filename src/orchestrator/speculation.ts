/**
 * Speculative calls (`turns.speculate`): while one agent's model is thinking, the next agents of the turn are
 * called too, with the current state. When its turn comes, each is observed again, and its reply counts only
 * if the request would be exactly the same, word by word and pixel by pixel. So the chain is that of a run
 * that asks one after the other, but the run takes less time (docs/decisions/0018). An agent has credit, and
 * each discarded call takes some. Without credit, its request is only recorded: this costs no call, and shows
 * when a call would have been useful.
 */
import { setImmediate as nextRound } from 'node:timers/promises';
import { known } from '../base/assert.js';
import type { SpeculateSpec } from '../scenario/scenario.js';
import { isSameRequest } from './pending-steps.js';
import { isSpent } from './budget.js';
import { sendSpeculativeCalls } from './speculative-call.js';
import type { EarlyCallOptions, PendingCall } from './speculative-call.js';
import type { RunContext, Seat } from './run-context.js';
import { areProbesDue } from './probe.js';
import type { RunState } from './run-state.js';
import { compose, firstCallContext } from './request.js';
import type {
  SpeculativeCalls,
  ComposedRequest,
  EarlyCall,
  CallContextParts,
  PlannedCall,
} from './request.js';

/** What an agent would be asked, computed while another one was thinking. */
interface SpeculativeState<S> {
  /** The newest state that would lead to the same request. */
  state: S;
  planned: PlannedCall;
  /** Null: only recorded, and no call was made. */
  call: PendingCall | null;
}

export class Speculation<S> implements SpeculativeCalls {
  readonly #parts: RunContext<S>;
  readonly #progress: RunState<S>;
  readonly #spec: SpeculateSpec;
  readonly #forecasts = new Map<string, SpeculativeState<S>>();
  /** By agent; agents without an entry have full credit. */
  readonly #credit = new Map<string, number>();
  /** The step being decided, and the agents after it in turn order. */
  #step = 0;
  #laterSeats: readonly Seat[] = [];
  #signal: AbortSignal = new AbortController().signal;
  /** Incremented to cancel speculative calls that are planned but not made yet. */
  #round = 0;
  #callingAhead: Promise<void> = Promise.resolve();
  readonly #pending = new Set<PendingCall>();

  constructor(parts: RunContext<S>, progress: RunState<S>, spec: SpeculateSpec) {
    this.#parts = parts;
    this.#progress = progress;
    this.#spec = spec;
  }

  /** A seat's step begins, followed by these. Speculative calls of skipped agents are discarded. */
  begin(
    { seat, step, signal }: Pick<CallContextParts, 'seat' | 'step' | 'signal'>,
    laterSeats: readonly Seat[],
  ): void {
    this.#round += 1;
    this.#step = step;
    this.#laterSeats = laterSeats;
    this.#signal = signal;
    const remainingAgents = new Set([seat, ...laterSeats].map(({ spec }) => spec.id));
    for (const agent of this.#forecasts.keys()) if (!remainingAgents.has(agent)) this.#discard(agent);
  }

  callAhead(): void {
    this.#round += 1;
    this.#callingAhead = this.#callLaterSeats(this.#round, this.#callingAhead);
    // `close` waits for it at the end of the turn, and throws its error.
    this.#callingAhead.catch(() => undefined);
  }

  take(planned: PlannedCall): EarlyCall | null {
    const forecast = this.#forecasts.get(planned.agent);
    if (forecast === undefined) return null;
    // The agent's seat may have another controller by now.
    const isSame =
      forecast.planned.controller === planned.controller && isSameRequest(forecast.planned, planned);
    if (!isSame) {
      this.#discard(planned.agent);
      return null;
    }
    this.#forecasts.delete(planned.agent);
    const { call } = forecast;
    if (call === null || call.end?.kind === 'replied') this.#adjustCredit(planned.agent, 1);
    else
      call.ended.then(({ kind }) => this.#adjustCredit(planned.agent, kind === 'replied' ? 1 : -1), ignore);
    return call;
  }

  /**
   * Cancels what is left, and resolves when all of it is in the log. Throws StorageError if something could
   * not be logged.
   */
  async close(): Promise<void> {
    this.#round += 1;
    for (const agent of this.#forecasts.keys()) this.#discard(agent);
    await this.#callingAhead;
    await Promise.all([...this.#pending].map(({ ended }) => ended));
  }

  /**
   * Records one agent after the other, so that arriving answers are handled in between, then makes all
   * permitted calls, in one commit.
   */
  async #callLaterSeats(round: number, previousRound: Promise<void>): Promise<void> {
    await previousRound;
    const active = this.#parts.environment.active(this.#progress.state);
    const seats = this.#laterSeats.filter(({ spec }) => active.includes(spec.id));
    const calls: EarlyCallOptions[] = [];
    for (const [i, seat] of seats.entries()) {
      await nextRound();
      if (round !== this.#round) return;
      const isAllowed = calls.length < this.#callsLeft();
      const call = this.#forecastCall(seat, { step: this.#step + 1 + i, isAllowed });
      if (call !== null) calls.push(call);
    }
    this.#send(calls);
  }

  /** The call to make; null for none. */
  #forecastCall(
    seat: Seat,
    { step, isAllowed }: { step: number; isAllowed: boolean },
  ): EarlyCallOptions | null {
    const agent = seat.spec.id;
    if (!this.#isFirstAsked(seat, step)) return null;
    const forecast = this.#forecasts.get(agent);
    const { state } = this.#progress;
    const mayCall = (): boolean => isAllowed && this.#creditOf(agent) > 0;
    // The first record of a turn counts: it shows whether a call would have been discarded.
    const isSettled =
      forecast !== undefined && (forecast.call === null ? !mayCall() : forecast.state === state);
    if (isSettled) return null;
    const context = firstCallContext(this.#parts, this.#progress, { seat, step, signal: this.#signal });
    const composed = compose(this.#parts, this.#progress, context);
    const { planned } = composed;
    if (this.#progress.pending.hasReply(planned)) return null;
    if (forecast?.call != null && isSameRequest(forecast.planned, planned)) {
      this.#forecasts.set(agent, { state, planned, call: forecast.call });
      return null;
    }
    this.#discard(agent);
    this.#forecasts.set(agent, { state, planned, call: null });
    return mayCall() ? this.#callOptions(context, composed) : null;
  }

  /** Whether its model would be asked for the action first, and for nothing else. */
  #isFirstAsked({ spec, controller }: Seat, step: number): boolean {
    if (controller.mayBeAskedAhead !== true || this.#progress.memory(spec.id).textRequest() !== null)
      return false;
    return !areProbesDue(this.#parts.scenario.probes, step, this.#progress.turn);
  }

  /** How many more agents may be called. */
  #callsLeft(): number {
    const { budget } = this.#parts.scenario;
    const pendingCount = [...this.#forecasts.values()].filter(({ call }) => call !== null).length;
    return isSpent(budget, this.#progress.spent) ? 0 : this.#spec.ahead - pendingCount;
  }

  #callOptions(
    { seat, observation, signal }: CallContextParts,
    { planned, form }: ComposedRequest,
  ): EarlyCallOptions {
    const { agent, turn, attempt, messages } = planned;
    const memory = this.#progress.controllerMemory(agent);
    return {
      seat,
      planned,
      input: { agent, turn, attempt, observation, messages, form, memory },
      signal,
    };
  }

  #send(calls: readonly EarlyCallOptions[]): void {
    if (calls.length === 0) return;
    for (const call of sendSpeculativeCalls(this.#parts, this.#progress, calls)) {
      const { agent } = call.request;
      const { state, planned } = known(this.#forecasts.get(agent), `the forecast of ${agent}`);
      this.#forecasts.set(agent, { state, planned, call });
      this.#pending.add(call);
      call.ended.finally(() => this.#pending.delete(call)).catch(ignore);
    }
  }

  /** Discards the forecast of an agent, with its call, because it is out of date. */
  #discard(agent: string): void {
    const call = this.#forecasts.get(agent)?.call ?? null;
    this.#forecasts.delete(agent);
    if (call === null) return;
    this.#adjustCredit(agent, -1);
    if (call.end === null) call.discard();
    else this.#progress.addDiscardedCall({ request: call.request, end: call.end });
  }

  #creditOf(agent: string): number {
    return this.#credit.get(agent) ?? this.#spec.wastedMax;
  }

  #adjustCredit(agent: string, change: number): void {
    this.#credit.set(agent, Math.max(0, Math.min(this.#spec.wastedMax, this.#creditOf(agent) + change)));
  }
}

function ignore(): void {}
