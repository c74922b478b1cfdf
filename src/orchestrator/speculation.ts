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
import { asksTheSame } from './pending-steps.js';
import { isSpent } from './budget.js';
import { askEarly } from './speculative-call.js';
import type { EarlyCallOptions, PendingCall } from './speculative-call.js';
import type { RunContext, Seat } from './run-context.js';
import { areProbesDue } from './probe.js';
import type { RunState } from './run-state.js';
import { compose, firstQuestion } from './request.js';
import type {
  SpeculativeCalls,
  ComposedRequest,
  EarlyCall,
  CallContextParts,
  PlannedCall,
} from './request.js';

/** What an agent would be asked, as seen while another one was thinking. */
interface SpeculativeState<S> {
  /** The newest state that would lead to the same request. */
  readonly state: S;
  readonly wanted: PlannedCall;
  /** Null: only recorded, and no call was made. */
  readonly early: PendingCall | null;
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
  #behind: readonly Seat[] = [];
  #signal: AbortSignal = new AbortController().signal;
  /** Incremented when pending speculative calls should no longer be made. */
  #round = 0;
  #asking: Promise<void> = Promise.resolve();
  readonly #pending = new Set<PendingCall>();

  constructor(parts: RunContext<S>, progress: RunState<S>, spec: SpeculateSpec) {
    this.#parts = parts;
    this.#progress = progress;
    this.#spec = spec;
  }

  /** A seat's step begins, followed by these. Speculative calls of skipped agents are discarded. */
  begin(
    { seat, step, signal }: Pick<CallContextParts, 'seat' | 'step' | 'signal'>,
    behind: readonly Seat[],
  ): void {
    this.#round += 1;
    this.#step = step;
    this.#behind = behind;
    this.#signal = signal;
    const left = new Set([seat, ...behind].map(({ spec }) => spec.id));
    for (const agent of this.#forecasts.keys()) if (!left.has(agent)) this.#drop(agent);
  }

  think(): void {
    this.#round += 1;
    this.#asking = this.#askBehind(this.#round, this.#asking);
    // Called at the end of the turn.
    this.#asking.catch(() => undefined);
  }

  take(wanted: PlannedCall): EarlyCall | null {
    const forecast = this.#forecasts.get(wanted.agent);
    if (forecast === undefined) return null;
    // The agent's seat may have another controller by now.
    const isSame = forecast.wanted.controller === wanted.controller && asksTheSame(forecast.wanted, wanted);
    if (!isSame) {
      this.#drop(wanted.agent);
      return null;
    }
    this.#forecasts.delete(wanted.agent);
    const { early } = forecast;
    if (early === null || early.end?.kind === 'replied') this.#credited(wanted.agent, 1);
    else early.ended.then(({ kind }) => this.#credited(wanted.agent, kind === 'replied' ? 1 : -1), ignore);
    return early;
  }

  /**
   * Cancels what is left, and resolves when all of it is in the log. Throws StorageError if something could
   * not be logged.
   */
  async close(): Promise<void> {
    this.#round += 1;
    for (const agent of this.#forecasts.keys()) this.#drop(agent);
    await this.#asking;
    await Promise.all([...this.#pending].map(({ ended }) => ended));
  }

  /**
   * Records one agent after the other, so that arriving answers are handled in between, then makes all
   * permitted calls, in one commit.
   */
  async #askBehind(round: number, before: Promise<void>): Promise<void> {
    await before;
    const active = this.#parts.environment.active(this.#progress.state);
    const seats = this.#behind.filter(({ spec }) => active.includes(spec.id));
    const asked: EarlyCallOptions[] = [];
    for (const [i, seat] of seats.entries()) {
      await nextRound();
      if (round !== this.#round) return;
      const isRoom = asked.length < this.#room();
      const call = this.#follow(seat, { step: this.#step + 1 + i, isRoom });
      if (call !== null) asked.push(call);
    }
    this.#send(asked);
  }

  /** The call to make; null for none. */
  #follow(
    seat: Seat,
    { step, isRoom }: { readonly step: number; readonly isRoom: boolean },
  ): EarlyCallOptions | null {
    const agent = seat.spec.id;
    if (!this.#isFirstAsked(seat, step)) return null;
    const before = this.#forecasts.get(agent);
    const { state } = this.#progress;
    const mayAsk = (): boolean => isRoom && this.#creditOf(agent) > 0;
    // The first record of a turn counts: it shows whether a call would have been discarded.
    const isSettled = before !== undefined && (before.early === null ? !mayAsk() : before.state === state);
    if (isSettled) return null;
    const question = firstQuestion(this.#parts, this.#progress, { seat, step, signal: this.#signal });
    const composed = compose(this.#parts, this.#progress, question);
    const { wanted } = composed;
    if (this.#progress.begun.holds(wanted)) return null;
    if (before?.early != null && asksTheSame(before.wanted, wanted)) {
      this.#forecasts.set(agent, { state, wanted, early: before.early });
      return null;
    }
    this.#drop(agent);
    this.#forecasts.set(agent, { state, wanted, early: null });
    return mayAsk() ? this.#call(question, composed) : null;
  }

  /** Whether its model would be asked for the action first, and for nothing else. */
  #isFirstAsked({ spec, controller }: Seat, step: number): boolean {
    if (controller.mayBeAskedAhead !== true || this.#progress.memory(spec.id).wish() !== null) return false;
    return !areProbesDue(this.#parts.scenario.probes, step, this.#progress.turn);
  }

  /** How many more agents may be called. */
  #room(): number {
    const { budget } = this.#parts.scenario;
    const asked = [...this.#forecasts.values()].filter(({ early }) => early !== null).length;
    return isSpent(budget, this.#progress.spent) ? 0 : this.#spec.ahead - asked;
  }

  #call(
    { seat, observation, signal }: CallContextParts,
    { wanted, form }: ComposedRequest,
  ): EarlyCallOptions {
    const { agent, turn, attempt, messages } = wanted;
    const memory = this.#progress.controllerMemory(agent);
    return {
      seat,
      wanted,
      input: { agent, turn, attempt, observation, messages, form, memory },
      signal,
    };
  }

  #send(calls: readonly EarlyCallOptions[]): void {
    if (calls.length === 0) return;
    for (const early of askEarly(this.#parts, this.#progress, calls)) {
      const { agent } = early.request;
      const { state, wanted } = known(this.#forecasts.get(agent), `the forecast of ${agent}`);
      this.#forecasts.set(agent, { state, wanted, early });
      this.#pending.add(early);
      early.ended.finally(() => this.#pending.delete(early)).catch(ignore);
    }
  }

  /** The record of an agent is out of date. */
  #drop(agent: string): void {
    const early = this.#forecasts.get(agent)?.early ?? null;
    this.#forecasts.delete(agent);
    if (early === null) return;
    this.#credited(agent, -1);
    if (early.end === null) early.giveUp();
    else this.#progress.waste({ request: early.request, end: early.end });
  }

  #creditOf(agent: string): number {
    return this.#credit.get(agent) ?? this.#spec.wastedMax;
  }

  #credited(agent: string, change: number): void {
    this.#credit.set(agent, Math.max(0, Math.min(this.#spec.wastedMax, this.#creditOf(agent) + change)));
  }
}

function ignore(): void {}
