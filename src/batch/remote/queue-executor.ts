/**
 * Plays a batch's runs on the workers of a queue (`batch --queue`). A run is finished once its log is in the
 * store, whatever the queue reports. So if the queue was emptied or a message was lost, this costs only the
 * time until the store is checked again.
 */
import type { Queue, QueueEvents } from 'bullmq';
import { counted } from '../../base/counted.js';
import { recordedError } from '../../base/error-record.js';
import { OrchestrateError } from '../../base/errors.js';
import type { RateLimiters } from '../../model/rate-limiter.js';
import type { RunEnd } from '../../trajectory/records.js';
import { NO_SPENDING, requestsMade, subtractSpending } from '../../trajectory/spending.js';
import type { Spending } from '../../trajectory/spending.js';
import type { Executor, RunLocation } from '../executor.js';
import type { PlannedRun } from '../plan.js';
import type { RunStore } from '../store/run-store.js';
import { WorkerLostError } from '../workers/worker-lost.js';
import { BatchClaim } from './batch-claim.js';
import { jobId } from './job.js';
import type { JobResult, QueueJob } from './job.js';
import { ALIVE_REPORT_MS, KnownWorkers } from './known-workers.js';
import type { QueueLink } from './redis.js';
import { relayOfBatch } from './relay.js';
import type { Relay, SpentMessage, ToBatch, ToWorkers } from './relay.js';

export interface QueueExecutorOptions {
  link: QueueLink;
  store: RunStore;
  limiters: RateLimiters;
  /** What the store had of each run when the batch began. */
  spentBefore: ReadonlyMap<string, Spending>;
  onRemark: (text: string) => void;
}

/** A run that is queued, or that a worker is playing. */
interface PendingRun {
  run: PlannedRun;
  location: RunLocation;
  ended: (end: RunEnd) => void;
  failed: (error: unknown) => void;
  /** By attempt, how much of its spending has been counted. */
  counted: Map<string, Spending>;
}

/** How often the store is checked for pending runs. */
const STORE_CHECK_MS = 5000;
/** After this time without workers, the batch prints a remark. */
const NO_WORKER_MS = 6000;
/**
 * The number of lost workers after which a run is given up. It is high, because machines come and go; if a
 * run only kills its own process, its worker notices.
 */
export const LOST_WORKERS_MAX = 10;

export class QueueExecutor implements Executor {
  readonly #options: QueueExecutorOptions;
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  readonly #claim: BatchClaim;
  readonly #relay: Relay<ToWorkers>;
  readonly #workers: KnownWorkers;
  readonly #pending = new Map<string, PendingRun>();
  /** By run, the number of workers that it lost. */
  readonly #losses = new Map<string, number>();
  readonly #timers: ReturnType<typeof setInterval>[] = [];
  #isChecking = false;

  /** Throws UsageError if another batch is using the store. */
  static async start(options: QueueExecutorOptions): Promise<QueueExecutor> {
    const claim = await BatchClaim.acquire(options.link);
    let receive: (message: ToBatch) => void = () => undefined;
    const relay = await relayOfBatch(options.link, (message) => receive(message));
    const executor = new QueueExecutor(options, claim, relay);
    receive = (message) => executor.#receive(message);
    await executor.#events.waitUntilReady();
    return executor;
  }

  private constructor(options: QueueExecutorOptions, claim: BatchClaim, relay: Relay<ToWorkers>) {
    const { link, limiters, onRemark } = options;
    const { bullmq, name } = link;
    this.#options = options;
    this.#claim = claim;
    this.#relay = relay;
    this.#workers = new KnownWorkers(limiters, (message) => relay.send(message));
    this.#queue = new bullmq.Queue(name, { connection: link.redis });
    this.#events = new bullmq.QueueEvents(name, { connection: link.newConnection() });
    link.redis.on('close', () => this.#workers.forgetWaiting());
    this.#queue.on('error', () => undefined);
    this.#events.on('error', () => undefined);
    this.#events.on('completed', ({ jobId: id, returnvalue }) => this.#jobCompleted(id, returnvalue));
    this.#events.on('failed', ({ jobId: id, failedReason }) => this.#jobFailed(id, failedReason));
    this.#timers.push(
      setInterval(() => void this.#checkStore(), STORE_CHECK_MS),
      setInterval(() => this.#workers.sweep(), ALIVE_REPORT_MS),
    );
    const noWorkerTimer = setTimeout(() => {
      if (this.#workers.count === 0) onRemark(`no worker is ready yet: start one with orchestrate worker`);
    }, NO_WORKER_MS);
    this.#timers.push(noWorkerTimer);
    claim.onLost((error) => this.#failAll(error));
  }

  play(run: PlannedRun, location: RunLocation): Promise<RunEnd> {
    const { stop } = location;
    const soft = (): void => void this.#stop(run.id, 'soft');
    const hard = (): void => void this.#stop(run.id, 'hard');
    return new Promise<RunEnd>((ended, failed) => {
      const pending = { run, location, ended, failed, counted: new Map<string, Spending>() };
      this.#pending.set(run.id, pending);
      stop.soft.addEventListener('abort', soft);
      stop.hard.addEventListener('abort', hard);
      this.#enqueue(pending).then(() => {
        if (stop.soft.aborted) soft();
      }, failed);
    }).finally(() => {
      stop.soft.removeEventListener('abort', soft);
      stop.hard.removeEventListener('abort', hard);
      this.#pending.delete(run.id);
    });
  }

  hasRun(): boolean {
    return false;
  }

  async release(): Promise<void> {
    // The logs belong to the workers.
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#workers.close();
    await this.#claim.release();
    await Promise.all(
      [this.#queue.close(), this.#events.close()].map((closing) => closing.catch(() => undefined)),
    );
  }

  async #enqueue({ run, location }: PendingRun): Promise<void> {
    const { id, path, set, players, maxTurns, cell, seed, byProgram } = run;
    const job: QueueJob = {
      run: { id, path, set, players, maxTurns, cell, seed, byProgram },
      servers: location.servers,
      hasBudget: location.hasBudget ?? false,
    };
    // If the queue already has a job with this id, that job stays.
    await this.#queue.add(id, job, { jobId: jobId(id), removeOnComplete: true, removeOnFail: true });
  }

  #pendingJob(id: string): PendingRun | undefined {
    return [...this.#pending.values()].find(({ run }) => jobId(run.id) === id);
  }

  #jobCompleted(id: string, returnValue: unknown): void {
    const pending = this.#pendingJob(id);
    if (pending === undefined) return;
    const result = returnValue as JobResult;
    if (result?.kind === 'failed') pending.failed(recordedError(result.error));
    else void this.#settle(pending, result?.kind === 'left');
  }

  /** If the store has the run, its log determines how the run ended; otherwise, the run is queued again. */
  async #settle(pending: PendingRun, isLeft: boolean): Promise<void> {
    try {
      const stored = await this.#options.store.read(pending.run.id);
      const isOver = stored?.isPublished === true || isLeft;
      if (isOver && stored?.end != null) this.#end(pending, stored.end, stored.spent);
      else if (isLeft) pending.failed(stoppedError());
      else await this.#enqueue(pending);
    } catch (error) {
      pending.failed(error);
    }
  }

  /** Including what its worker had not reported yet. */
  #end(pending: PendingRun, end: RunEnd, spent: Spending): void {
    const alreadyCounted = [...pending.counted.values()].at(-1) ?? this.#countedBefore(pending, NO_SPENDING);
    if (requestsMade(spent) > requestsMade(alreadyCounted))
      void pending.location.onSpent(subtractSpending(spent, alreadyCounted));
    pending.ended(end);
  }

  #jobFailed(id: string, reason: string): void {
    const pending = this.#pendingJob(id);
    if (pending === undefined) return;
    const { run } = pending;
    const losses = (this.#losses.get(run.id) ?? 0) + 1;
    this.#losses.set(run.id, losses);
    const message = `the worker of ${run.id} was lost: ${reason}`;
    const hint = `the run lost its worker ${counted(losses, 'time')}; --resume plays it again`;
    pending.failed(new WorkerLostError(message, losses < LOST_WORKERS_MAX ? null : hint));
  }

  /** In case an event, a message or the whole queue was lost. */
  async #checkStore(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      await this.#options.store.reach();
      for (const pending of this.#pending.values()) await this.#checkRun(pending);
    } catch (error) {
      if (error instanceof OrchestrateError) this.#failAll(error);
    } finally {
      this.#isChecking = false;
    }
  }

  /**
   * Leaves a run alone that is queued or being played: if its worker is lost, the queue gives it to another
   * one.
   */
  async #checkRun(pending: PendingRun): Promise<void> {
    const { run, location } = pending;
    const isStopping = location.stop.soft.aborted;
    const isQueued = (await this.#queue.getJob(jobId(run.id))) !== undefined;
    if (isQueued && !isStopping) return;
    const stored = await this.#options.store.read(run.id);
    if (stored?.isPublished === true && stored.end !== null)
      return this.#end(pending, stored.end, stored.spent);
    if (isStopping) return this.#stop(run.id, location.stop.hard.aborted ? 'hard' : 'soft');
    await this.#enqueue(pending);
  }

  /**
   * Removes a run from the queue if no one is playing it yet; otherwise, tells its worker repeatedly until
   * the run has stopped.
   */
  async #stop(runId: string, how: 'soft' | 'hard'): Promise<void> {
    const isRemoved = await this.#queue.remove(jobId(runId)).then(
      (count) => count > 0,
      () => false,
    );
    if (isRemoved || how === 'hard') this.#pending.get(runId)?.failed(stoppedError());
    if (!isRemoved) this.#relay.send({ kind: 'stop', runId, how });
  }

  #receive(message: ToBatch): void {
    this.#workers.receive(message);
    if (message.kind === 'remark') this.#options.onRemark(message.words);
    if (message.kind === 'spent') this.#countSpent(message.worker, message);
  }

  #countSpent(worker: string, { runId, attempt, before, total }: SpentMessage): void {
    const pending = this.#pending.get(runId);
    if (pending !== undefined) {
      const alreadyCounted = pending.counted.get(attempt) ?? this.#countedBefore(pending, before);
      if (requestsMade(total) > requestsMade(alreadyCounted)) {
        pending.counted.set(attempt, total);
        void pending.location.onSpent(subtractSpending(total, alreadyCounted));
      }
    }
    this.#relay.send({ kind: 'counted', worker, attempt, requests: requestsMade(total) });
  }

  /** The first report of an attempt: a restarted batch has already counted what the store had. */
  #countedBefore(pending: PendingRun, before: Spending): Spending {
    const stored = this.#options.spentBefore.get(pending.run.id) ?? NO_SPENDING;
    return pending.counted.size === 0 && requestsMade(stored) > requestsMade(before) ? stored : before;
  }

  #failAll(error: unknown): void {
    for (const pending of this.#pending.values()) pending.failed(error);
  }
}

function stoppedError(): Error {
  const error = new Error('stopped before it was played');
  error.name = 'AbortError';
  return error;
}
