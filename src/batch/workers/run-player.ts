/** A worker process that plays runs of a batch, as the batch sees it. */
import type { Guard } from '../../assembly/guarded.js';
import { recordedError } from '../../base/error-record.js';
import type { RateLimiters } from '../../model/rate-limiter.js';
import type { RunEnd } from '../../trajectory/records.js';
import type { RunLocation } from '../executor.js';
import type { PlannedRun } from '../plan.js';
import { WorkerRequests } from './limits.js';
import type { FromWorker, ToWorker, WorkerLocation } from './messages.js';
import { WorkerProcess } from './worker-process.js';

export interface PlayerStart {
  /** Path of its program. */
  script: string;
  /** Plain data that the program understands. */
  setup: unknown;
  limiters: RateLimiters;
  guard: Guard;
  onRemark: (text: string) => void;
}

/** A run that is being played there. */
interface PendingRun {
  onSpent: RunLocation['onSpent'];
  ended: (end: RunEnd) => void;
  failed: (error: unknown) => void;
}

/** The time limit for a worker to close its logs. */
const CLOSE_MS = 60_000;

export class RunPlayer {
  readonly #start: PlayerStart;
  readonly #process: WorkerProcess<ToWorker, FromWorker>;
  readonly #requests: WorkerRequests;
  readonly #runs = new Map<string, PendingRun>();
  /** Logs that the worker has been asked to close. */
  readonly #releasing = new Map<string, () => void>();

  constructor(start: PlayerStart) {
    this.#start = start;
    const worker = new WorkerProcess<ToWorker, FromWorker>(start.script, start.guard, (message) =>
      this.#receive(message),
    );
    this.#process = worker;
    this.#requests = new WorkerRequests(start.limiters, (request) =>
      worker.send({ kind: 'admitted', request }),
    );
    worker.send({ kind: 'setup', setup: start.setup });
    void worker.ended.then((how) => {
      this.#requests.close();
      for (const run of this.#runs.values()) run.failed(new WorkerGone(how));
    });
  }

  get isGone(): boolean {
    return this.#process.isGone;
  }

  /** The number of runs that it is playing. */
  get load(): number {
    return this.#runs.size;
  }

  /** Throws what ended the run in the worker, or `WorkerGone`. */
  async play(
    run: PlannedRun,
    { stop, onSpent, ...location }: WorkerLocation & Pick<RunLocation, 'stop' | 'onSpent'>,
  ): Promise<RunEnd> {
    const soft = (): void => this.#process.send({ kind: 'stop', runId: run.id, how: 'soft' });
    const hard = (): void => this.#process.send({ kind: 'stop', runId: run.id, how: 'hard' });
    try {
      return await new Promise<RunEnd>((ended, failed) => {
        if (this.isGone) return failed(new WorkerGone('had already ended'));
        this.#runs.set(run.id, { onSpent, ended, failed });
        this.#process.send({ kind: 'play', run, location });
        stop.soft.addEventListener('abort', soft);
        stop.hard.addEventListener('abort', hard);
        if (stop.soft.aborted) soft();
        if (stop.hard.aborted) hard();
      });
    } finally {
      stop.soft.removeEventListener('abort', soft);
      stop.hard.removeEventListener('abort', hard);
      this.#runs.delete(run.id);
    }
  }

  /** Resolves once it has closed the log, or is gone. */
  async release(log: string): Promise<void> {
    const released = new Promise<void>((resolve) => this.#releasing.set(log, resolve));
    this.#process.send({ kind: 'release', log });
    await Promise.race([released, this.#process.ended]);
    this.#releasing.delete(log);
  }

  /** Resolves once its logs are closed and it has ended. */
  async close(): Promise<void> {
    this.#process.send({ kind: 'close' });
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), CLOSE_MS);
    await this.#process.ended;
    clearTimeout(timer);
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'remark') return this.#start.onRemark(message.words);
    if (message.kind === 'spent') return void this.#spent(message);
    if (message.kind === 'ended') return this.#runs.get(message.runId)?.ended(message.end);
    if (message.kind === 'failed') return this.#runs.get(message.runId)?.failed(recordedError(message.error));
    if (message.kind === 'released') return this.#releasing.get(message.log)?.();
    this.#requests.receive(message);
  }

  async #spent({ runId, spent }: Extract<FromWorker, { kind: 'spent' }>): Promise<void> {
    await this.#runs.get(runId)?.onSpent(spent);
    this.#process.send({ kind: 'counted', runId });
  }
}

/** The process died while it was playing runs; the message completes "the process …". */
export class WorkerGone extends Error {
  override readonly name = 'WorkerGone';
}
