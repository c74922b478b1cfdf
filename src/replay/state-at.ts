/**
 * The world after any step of a logged run: the nearest stored state, advanced by the logged intents since
 * then (at most SNAPSHOT_EVERY steps). So step 100,000 is reached as fast as step 10. No controller is
 * called, no reply is parsed, and nothing outside is called.
 */
import { errorMessage, OrchestrateError, StorageError } from '../base/errors.js';
import type { Intent } from '../environment/action.js';
import type { Environment } from '../environment/environment.js';
import { stateHash } from '../environment/state-hash.js';
import { WORLD_ID } from '../base/ids.js';
import type { LogReader } from '../log/reader.js';
import { SNAPSHOT_EVERY } from '../trajectory/records.js';
import type { RunRecord, StepRecord } from '../trajectory/records.js';
import { isOneTick, ticksOf } from './ticks.js';
import type { StepsOfTick } from './ticks.js';

/** A world at one moment. */
export interface RestoredWorld {
  environment: Environment<unknown>;
  state: unknown;
}

/** A run's world after a step. */
export interface WorldAt extends RestoredWorld {
  step: number;
  /** Whether it has the hash in the log; true before the first step, for which the log has none. */
  isAsLogged: boolean;
}

/** A world as an agent had it when it answered. */
export interface WorldAtAnswer extends WorldAt {
  /** The free acts that it had carried out in this step by then. */
  freeActs: number;
}

export interface StatesSource {
  reader: LogReader;
  run: RunRecord;
  environment: Environment<unknown>;
}

/** The number of cached states, so that going back a step costs nothing; states share what did not change. */
const CACHED_STATES = 2 * SNAPSHOT_EVERY;

/** The states of one run. Recent ones are cached. */
export class LoggedStates {
  readonly #source: StatesSource;
  /** By step, the oldest first. */
  readonly #cache = new Map<number, unknown>();
  #firstMismatch: number | null = null;
  /** Steps whose state was drawn without an error before. */
  readonly #drawable = new Set<number>();

  constructor(source: StatesSource) {
    this.#source = source;
  }

  get environment(): Environment<unknown> {
    return this.#source.environment;
  }

  /** The first of the requested steps whose world differs from the logged one; null for none. */
  get firstMismatch(): number | null {
    return this.#firstMismatch;
  }

  /**
   * After `step`; 0 is before the first. If agents act at once, all steps of a turn have the state after all
   * of them. Throws StorageError if the log lacks the step, or contains something that this world can't play.
   */
  at(step: number): WorldAt {
    const { reader, run, environment } = this.#source;
    const record = step === 0 ? null : reader.step(run.runId, step);
    if (step !== 0 && record === null) throw new StorageError(`the log has no step ${step}`);
    return asStorageErrors(step, () => {
      const state = this.#cache.has(step) ? this.#cache.get(step) : this.#reconstruct(step);
      const isAsLogged = record === null || stateHash(environment.parts(state)) === record.stateHash;
      // A state without a matching hash may be anything: drawing it must not crash.
      if (record === null || !isAsLogged) this.#requireDrawable(step, state);
      if (!isAsLogged) this.#firstMismatch = Math.min(step, this.#firstMismatch ?? step);
      return { environment, step, state, isAsLogged };
    });
  }

  /**
   * As the step's agent had it at its last answer: before the step is settled, but after the free acts that
   * it had carried out by then. Throws like `at`.
   */
  atAnswer(record: StepRecord): WorldAtAnswer {
    const { reader, run, environment } = this.#source;
    const { freeActs, order } = run.scenario.turns;
    let first = record.step;
    const isOfTick = (one: StepRecord | null) => one !== null && isOneTick(one, record, order);
    while (isOfTick(reader.step(run.runId, first - 1))) first -= 1;
    const world = this.at(first - 1);
    return asStorageErrors(record.step, () => {
      const free = performedFreeActs(environment, { state: world.state, record, freeActs });
      const state = free.reduce((held, intent) => environment.advance(held, [intent]).state, world.state);
      return { ...world, state, freeActs: free.length };
    });
  }

  #requireDrawable(step: number, state: unknown): void {
    if (this.#drawable.has(step)) return;
    const { environment } = this.#source;
    environment.parts(state);
    environment.scene(state, null);
    this.#drawable.add(step);
  }

  /** From the nearest earlier state, cached or stored. */
  #reconstruct(step: number): unknown {
    const { reader, run } = this.#source;
    const { order } = run.scenario.turns;
    const from = this.#nearest(step);
    const start = from.step === 0 ? null : reader.step(run.runId, from.step);
    let { state } = from;
    this.#store(from.step, state);
    // Including the rest of the last tick, because its intents were settled together.
    const to = step + run.scenario.agents.length;
    for (const tick of ticksOf(reader.steps(run.runId, { from: from.step + 1, to }), order)) {
      if (tick[0].step > step) break;
      const isDone = start !== null && isOneTick(start, tick[0], order);
      if (!isDone) state = this.#advance(state, tick);
      for (const record of tick) this.#store(record.step, state);
    }
    return state;
  }

  #nearest(step: number): { step: number; state: unknown } {
    const { reader, run } = this.#source;
    const stored = step - (step % SNAPSHOT_EVERY);
    for (let cachedStep = step; cachedStep >= stored; cachedStep--)
      if (this.#cache.has(cachedStep)) return { step: cachedStep, state: this.#cache.get(cachedStep) };
    return reader.snapshotBefore(run.runId, step);
  }

  #store(step: number, state: unknown): void {
    this.#cache.delete(step);
    this.#cache.set(step, state);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > CACHED_STATES && oldest !== undefined) this.#cache.delete(oldest);
  }

  #advance(state: unknown, tick: StepsOfTick): unknown {
    const { environment, run } = this.#source;
    if (tick[0].agent === WORLD_ID) return environment.endTurn(state).state;
    const { freeActs } = run.scenario.turns;
    const free = tick.flatMap((record) => performedFreeActs(environment, { state, record, freeActs }));
    const before = free.reduce((held, intent) => environment.advance(held, [intent]).state, state);
    return environment.advance(before, tick.flatMap(lastIntent)).state;
  }
}

/** A log may contain impossible states: an exception of the world is then reported. */
function asStorageErrors<T>(step: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof OrchestrateError) throw error;
    const reason = errorMessage(error);
    throw new StorageError(`the world at step ${step} can't be reconstructed: ${reason}`, [
      'orchestrate verify shows where the replay differs from the log',
    ]);
  }
}

/**
 * The free acts of a step that were performed, which the log's results alone don't show: an act that failed
 * on hidden facts was performed, a refused one was not. So each is checked again, in the state that its agent
 * had before it.
 */
function performedFreeActs(
  environment: Environment<unknown>,
  before: { state: unknown; record: StepRecord; freeActs: number },
): readonly Intent[] {
  const performed: Intent[] = [];
  let view = before.state;
  for (const { intent, result } of before.record.acts.slice(0, -1)) {
    if (intent === null || environment.actions.get(intent.action)?.cost !== 'free') continue;
    const isRefused = performed.length >= before.freeActs || environment.check(view, intent) !== undefined;
    if (isRefused && !result.ok) continue;
    performed.push(intent);
    view = environment.advance(view, [intent]).state;
  }
  return performed;
}

/** The action that used up the turn of a step's agent. */
function lastIntent({ acts }: StepRecord): readonly Intent[] {
  const intent = acts.at(-1)?.intent ?? null;
  return intent === null ? [] : [intent];
}
