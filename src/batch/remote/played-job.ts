/**
 * One job of a worker: it fetches or begins the run, plays it into a log on this machine, stores a checkpoint
 * every minute, and publishes the run when it is finished. A worker that has lost the run publishes nothing.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorRecord } from '../../base/error-record.js';
import { errorMessage, StorageError } from '../../base/errors.js';
import { backupLog } from '../../log/backup.js';
import type { StopSignals } from '../../orchestrator/run-context.js';
import { isOver } from '../../replay/restored-history.js';
import type { RunEnd } from '../../trajectory/records.js';
import { NO_SPENDING } from '../../trajectory/spending.js';
import type { Spending } from '../../trajectory/spending.js';
import type { Executor } from '../executor.js';
import { readStored } from '../store/run-store.js';
import type { RunStore } from '../store/run-store.js';
import { WorkerLostError } from '../workers/worker-lost.js';
import type { JobResult, QueueJob } from './job.js';

export interface JobPlayer {
  store: RunStore;
  executor: Executor;
  /** A folder for the logs of runs that are being played. */
  scratch: string;
  checkpointMs: number;
  remark: (text: string) => void;
  /** Starts counting what a run spends. */
  bill: (runId: string, before: Spending) => (spent: Spending) => Promise<void>;
}

export interface JobHold {
  stop: StopSignals;
  /** Throws `LostRun` if another worker may have the run by now. */
  requireHeld: () => Promise<void>;
}

/** Another worker may have the run. */
export class LostRun extends Error {
  override readonly name = 'LostRun';
}

/**
 * Throws LostRun, or StorageError if the disk or the store fails: then the log stays in the scratch folder.
 */
export async function playJob(job: QueueJob, hold: JobHold, player: JobPlayer): Promise<JobResult> {
  const { store, scratch } = player;
  const { id } = job.run;
  if ((await store.read(id))?.isPublished === true) return { kind: 'published' };
  const log = join(scratch, `${id}.sqlite`);
  try {
    const result = await playInto(log, job, hold, player);
    await discardLog(log, player);
    return result;
  } catch (error) {
    if (error instanceof LostRun) await discardLog(log, player);
    throw error;
  }
}

async function discardLog(log: string, { executor }: JobPlayer): Promise<void> {
  await executor.release(log);
  await removeLog(log);
}

async function playInto(log: string, job: QueueJob, hold: JobHold, player: JobPlayer): Promise<JobResult> {
  const { executor } = player;
  const earlierSpending = await fetchCheckpoint(log, job.run.id, player);
  const checkpoints = new Checkpoints(log, job, hold, player);
  try {
    const end = await playToEnd(log, job, hold, player, earlierSpending);
    await checkpoints.end();
    await executor.release(log);
    if (isOver(end.status)) return await publishLog(log, job, hold, player);
    await checkpoints.save();
    return { kind: 'left' };
  } catch (error) {
    await checkpoints.end();
    // A log that its writer gave up may still be intact, and replies that were paid for are kept.
    if (error instanceof LostRun || error instanceof StorageError) throw error;
    await executor.release(log);
    await hold.requireHeld();
    await checkpoints.save();
    return { kind: 'failed', error: errorRecord(error) };
  }
}

/** Plays runs again that a process of this machine lost, as often as its executor allows. */
async function playToEnd(
  log: string,
  { run, servers, hasBudget }: QueueJob,
  hold: JobHold,
  player: JobPlayer,
  earlierSpending: Spending | null,
): Promise<RunEnd> {
  const { executor, bill } = player;
  const onSpent = bill(run.id, earlierSpending ?? NO_SPENDING);
  for (let isBegun = earlierSpending !== null; ; isBegun = executor.hasRun(run, log)) {
    try {
      return await executor.play(run, { log, isBegun, servers, hasBudget, stop: hold.stop, onSpent });
    } catch (error) {
      await hold.requireHeld();
      if (!(error instanceof WorkerLostError && error.mayRetry)) throw error;
    }
  }
}

/** The previous spending of the run, if there was a checkpoint; an unreadable one is ignored. */
async function fetchCheckpoint(
  log: string,
  runId: string,
  { store, remark }: JobPlayer,
): Promise<Spending | null> {
  if (!(await store.fetch(runId, log))) return null;
  try {
    return readStored(log, runId).spent;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    remark(`${runId} starts over, because its checkpoint can't be used: ${error.message}`);
    await removeLog(log);
    return null;
  }
}

async function publishLog(
  log: string,
  { run }: QueueJob,
  hold: JobHold,
  player: JobPlayer,
): Promise<JobResult> {
  const { store, remark } = player;
  // Read like by any other reader, so that a damaged log is never published.
  if (readStored(log, run.id).end === null)
    throw new StorageError(`the log of ${run.id} does not contain the end of the run`, [
      `inspect the log, which is kept at ${log}`,
    ]);
  await hold.requireHeld();
  if ((await store.publish(run.id, log)) === 'other')
    remark(`${store.name} already has ${run.id} with a different chain; both results are kept`);
  return { kind: 'published' };
}

/** Stores the run's progress every minute. */
class Checkpoints {
  readonly #log: string;
  readonly #job: QueueJob;
  readonly #hold: JobHold;
  readonly #player: JobPlayer;
  readonly #timer: ReturnType<typeof setInterval>;
  #current: Promise<void> = Promise.resolve();
  #isBusy = false;

  constructor(log: string, job: QueueJob, hold: JobHold, player: JobPlayer) {
    this.#log = log;
    this.#job = job;
    this.#hold = hold;
    this.#player = player;
    this.#timer = setInterval(() => this.#tick(), player.checkpointMs);
  }

  /** Copies what has been committed so far; nothing if the run has not begun. */
  async save(): Promise<void> {
    const { executor, store } = this.#player;
    const { run } = this.#job;
    if (!executor.hasRun(run, this.#log)) return;
    const copy = `${this.#log}.copy`;
    try {
      await backupLog(this.#log, copy);
      await this.#hold.requireHeld();
      await store.checkpoint(run.id, copy);
    } finally {
      await rm(copy, { force: true });
    }
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#current;
  }

  #tick(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#current = this.save()
      .catch((error: unknown) => {
        // The next checkpoint may succeed; only the run's end must be stored.
        if (error instanceof LostRun) return;
        this.#player.remark(`can't store a checkpoint of ${this.#job.run.id}: ${errorMessage(error)}`);
      })
      .finally(() => {
        this.#isBusy = false;
      });
  }
}

async function removeLog(log: string): Promise<void> {
  for (const ending of ['', '-wal', '-shm', '-journal']) await rm(`${log}${ending}`, { force: true });
}
