/**
 * A worker of a queue (`orchestrate worker`): it takes as many runs as it has room for and plays them in
 * child processes, so that a busy run can't prevent this process from renewing its locks.
 */
import type { Job, Worker } from 'bullmq';
import { StorageError } from '../../base/errors.js';
import type { StopSignals } from '../../orchestrator/run-context.js';
import { errorRecord } from '../../base/error-record.js';
import { readJob } from './job.js';
import type { JobResult, QueueJob } from './job.js';
import { LostRun, playJob } from './played-job.js';
import type { JobPlayer } from './played-job.js';
import type { QueueLink } from './redis.js';

export interface QueueWorkerOptions extends JobPlayer {
  link: QueueLink;
  /** Runs at once. */
  parallel: number;
  /** After this time without a sign of life, another worker gets its runs. */
  lockMs: number;
  /** Throws UsageError if this worker can't play the run. */
  requirePlayable: (job: QueueJob) => void;
  onNews: (news: WorkerNews) => void;
}

export interface WorkerNews {
  kind: 'begun' | 'published' | 'left' | 'failed' | 'lost';
  runId: string;
  message?: string;
}

/** A run that is being played here. */
interface ActiveJob {
  soft: AbortController;
  hard: AbortController;
}

/** The time until a run can be taken again whose earlier attempt is still being ended here. */
const POSTPONE_MS = 1000;

export class QueueWorker {
  readonly #options: QueueWorkerOptions;
  readonly #active = new Map<string, ActiveJob>();
  readonly #broken = new AbortController();
  #failure: StorageError | null = null;
  #isStopping = false;

  constructor(options: QueueWorkerOptions) {
    this.#options = options;
  }

  /** Plays until it is stopped. Throws StorageError if its disk or the store fails. */
  async run(stop: StopSignals): Promise<void> {
    const { link, parallel, lockMs } = this.#options;
    const worker: Worker<unknown, JobResult> = new link.bullmq.Worker<unknown, JobResult>(
      link.name,
      (job, token = '', signal) => this.#runJob(job, token, signal),
      {
        connection: link.redis,
        concurrency: parallel,
        lockDuration: lockMs,
        stalledInterval: lockMs / 2,
        // The batch counts lost workers and queues the run again.
        maxStalledCount: 0,
      },
    );
    worker.on('error', () => undefined);
    worker.on('lockRenewalFailed', (ids) => {
      for (const id of ids) worker.cancelJob(id);
    });
    const end = AbortSignal.any([stop.soft, this.#broken.signal]);
    await new Promise<void>((resolve) => {
      if (end.aborted) resolve();
      end.addEventListener('abort', () => resolve());
    });
    await this.#shutDown(worker, stop.hard);
    if (this.#failure !== null) throw this.#failure;
  }

  /** The batch asks for a run to stop; another worker may have it. */
  stopRun(runId: string, how: 'soft' | 'hard'): void {
    this.#active.get(runId)?.[how].abort();
  }

  /** Ends every run after its step, or at once, and returns it to the queue with its progress. */
  async #shutDown(worker: Worker, hard: AbortSignal): Promise<void> {
    this.#isStopping = true;
    const stopAll = (how: 'soft' | 'hard'): void => {
      for (const runId of this.#active.keys()) this.stopRun(runId, how);
    };
    const stopHard = (): void => stopAll('hard');
    hard.addEventListener('abort', stopHard);
    stopAll('soft');
    if (hard.aborted) stopHard();
    await worker.close();
    hard.removeEventListener('abort', stopHard);
  }

  async #runJob(queued: Job<unknown>, token: string, lostLock: AbortSignal | undefined): Promise<JobResult> {
    const { requirePlayable, onNews } = this.#options;
    let job: QueueJob;
    try {
      job = readJob(queued.data);
      requirePlayable(job);
    } catch (error) {
      return { kind: 'failed', error: errorRecord(error) };
    }
    const runId = job.run.id;
    const earlier = this.#active.get(runId);
    if (earlier !== undefined) {
      earlier.hard.abort();
      return await this.#postpone(queued, token);
    }
    onNews({ kind: 'begun', runId });
    const active = { soft: new AbortController(), hard: new AbortController() };
    this.#active.set(runId, active);
    lostLock?.addEventListener('abort', () => active.hard.abort());
    if (this.#isStopping) active.soft.abort();
    try {
      const result = await this.#play(job, queued, token, active, lostLock);
      if (result.kind === 'left' && this.#isStopping) await this.#returnToQueue(queued, token);
      onNews(
        result.kind === 'failed'
          ? { kind: 'failed', runId, message: result.error.message }
          : { kind: result.kind, runId },
      );
      return result;
    } catch (error) {
      if (error instanceof LostRun)
        onNews({ kind: 'lost', runId, message: 'another worker may have it by now' });
      if (!(error instanceof StorageError)) throw error;
      this.#failure ??= error;
      this.#broken.abort();
      return await this.#returnToQueue(queued, token);
    } finally {
      this.#active.delete(runId);
    }
  }

  async #play(
    job: QueueJob,
    queued: Job<unknown>,
    token: string,
    active: ActiveJob,
    lostLock: AbortSignal | undefined,
  ): Promise<JobResult> {
    const requireHeld = async (): Promise<void> => {
      const isHeld =
        lostLock?.aborted !== true && (await queued.extendLock(token, this.#options.lockMs).catch(() => 0));
      if (!isHeld) throw new LostRun(`another worker may have taken over ${job.run.id}`);
    };
    const stop = { soft: active.soft.signal, hard: active.hard.signal };
    return playJob(job, { stop, requireHeld }, this.#options);
  }

  /**
   * The queue gives out a run that is still being played here if this worker was suspended, or if the queue
   * was emptied. The earlier attempt has lost the run, but it uses the run's log until it has ended.
   */
  async #postpone(queued: Job<unknown>, token: string): Promise<never> {
    await queued.moveToDelayed(Date.now() + POSTPONE_MS, token);
    throw new this.#options.link.bullmq.DelayedError();
  }

  /** So that another worker can take it at once. */
  async #returnToQueue(queued: Job<unknown>, token: string): Promise<never> {
    await queued.moveToWait(token);
    throw new this.#options.link.bullmq.WaitingError();
  }
}
