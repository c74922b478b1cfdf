/**
 * The inside of a worker process: plays the runs that the batch sends, as many at once as it sends, and
 * reports. It does not know the batch file or any option; only the program that starts it does.
 */
import type { Executor } from '../executor.js';
import { errorRecord } from '../../base/error-record.js';
import type { RemoteLimiters } from './limits.js';
import type { FromWorker, ToWorker } from './messages.js';

export interface WorkerSide {
  executor: Executor;
  limiters: RemoteLimiters;
  send: (message: FromWorker) => void;
}

/** A run that is being played. */
class ActiveRun {
  readonly soft = new AbortController();
  readonly hard = new AbortController();
  #uncounted = 0;
  #allCounted: () => void = () => undefined;

  spent(): void {
    this.#uncounted += 1;
  }

  counted(): void {
    this.#uncounted -= 1;
    if (this.#uncounted === 0) this.#allCounted();
  }

  /** A step that began after the budget was exhausted would exceed it. */
  readonly untilCounted = (): Promise<void> =>
    this.#uncounted === 0 ? Promise.resolve() : new Promise((resolve) => (this.#allCounted = resolve));
}

export class BatchWorker {
  readonly #side: WorkerSide;
  readonly #runs = new Map<string, ActiveRun>();

  constructor(side: WorkerSide) {
    this.#side = side;
  }

  /** Resolves at once, except for `close` and `release`, which resolve once the logs are closed. */
  async handle(message: Exclude<ToWorker, { kind: 'setup' }>): Promise<void> {
    if (message.kind === 'play') void this.#play(message);
    else if (message.kind === 'stop') this.#runs.get(message.runId)?.[message.how].abort();
    else if (message.kind === 'counted') this.#runs.get(message.runId)?.counted();
    else if (message.kind === 'admitted') this.#side.limiters.admitted(message.request);
    else if (message.kind === 'release') await this.#release(message.log);
    else await this.#side.executor.close();
  }

  async #release(log: string): Promise<void> {
    await this.#side.executor.release(log);
    this.#side.send({ kind: 'released', log });
  }

  async #play({ run, location }: Extract<ToWorker, { kind: 'play' }>): Promise<void> {
    const { executor, send } = this.#side;
    const { hasBudget, ...runLocation } = location;
    const active = new ActiveRun();
    this.#runs.set(run.id, active);
    try {
      const end = await executor.play(run, {
        ...runLocation,
        stop: { soft: active.soft.signal, hard: active.hard.signal },
        ...(hasBudget ? { beforeStep: active.untilCounted } : {}),
        onSpent: (spent) => {
          active.spent();
          send({ kind: 'spent', runId: run.id, spent });
        },
      });
      send({ kind: 'ended', runId: run.id, end });
    } catch (error) {
      send({ kind: 'failed', runId: run.id, error: errorRecord(error) });
    } finally {
      this.#runs.delete(run.id);
    }
  }
}
