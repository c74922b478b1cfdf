/**
 * Plays a batch's runs in worker processes of this machine (`batch --workers N`). Only one worker writes a
 * log, for as long as that worker lives. If a worker dies, its runs are played elsewhere; a run that was lost
 * twice is played alone in its own process, so that a further crash can only be its own fault.
 */
import { counted } from '../../base/counted.js';
import type { RunEnd } from '../../trajectory/records.js';
import type { Executor, RunLocation } from '../executor.js';
import { holdsRun } from '../ledger.js';
import type { PlannedRun } from '../plan.js';
import { WorkerLostError } from './worker-lost.js';
import { RunPlayer, WorkerGone } from './run-player.js';
import type { PlayerStart } from './run-player.js';

/** After this many crashes of its process, a run is given up. */
const LOSSES_MAX = 3;

export interface ProcessOptions extends PlayerStart {
  workers: number;
}

export class ProcessExecutor implements Executor {
  readonly #options: ProcessOptions;
  #workers: readonly RunPlayer[] = [];
  /** By log, the worker that writes it. */
  readonly #writers = new Map<string, RunPlayer>();
  /** By run, the number of crashes of its process. */
  readonly #losses = new Map<string, number>();

  constructor(options: ProcessOptions) {
    this.#options = options;
  }

  async play(run: PlannedRun, location: RunLocation): Promise<RunEnd> {
    const { log, isBegun, servers, stop, onSpent, hasBudget = false } = location;
    const isAlone = (this.#losses.get(run.id) ?? 0) >= LOSSES_MAX - 1;
    if (isAlone) await this.release(log);
    const worker = isAlone ? new RunPlayer(this.#options) : this.#workerFor(log);
    try {
      return await worker.play(run, { log, isBegun, servers, stop, onSpent, hasBudget });
    } catch (error) {
      throw error instanceof WorkerGone ? this.#lostError(run, error) : error;
    } finally {
      if (isAlone) await worker.close();
    }
  }

  hasRun(run: PlannedRun, log: string): boolean {
    return holdsRun(run.id, log);
  }

  async release(log: string): Promise<void> {
    const writer = this.#writers.get(log);
    this.#writers.delete(log);
    if (writer?.isGone === false) await writer.release(log);
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close()));
    this.#options.guard.close();
  }

  /** The worker that writes the log, otherwise the least busy one. */
  #workerFor(log: string): RunPlayer {
    this.#workers = this.#workers.filter(({ isGone }) => !isGone);
    const writer = this.#writers.get(log);
    if (writer !== undefined && !writer.isGone) return writer;
    const worker = this.#leastBusyWorker();
    this.#writers.set(log, worker);
    return worker;
  }

  #leastBusyWorker(): RunPlayer {
    if (this.#workers.length < this.#options.workers) {
      const worker = new RunPlayer(this.#options);
      this.#workers = [...this.#workers, worker];
      return worker;
    }
    return this.#workers.reduce((best, worker) => (worker.load < best.load ? worker : best));
  }

  #lostError(run: PlannedRun, { message: cause }: WorkerGone): WorkerLostError {
    const losses = (this.#losses.get(run.id) ?? 0) + 1;
    this.#losses.set(run.id, losses);
    const hint = `check your modules and the free memory: the run's process ended ${counted(losses, 'time')}, the last time with no other run in it`;
    const message = `the worker process of ${run.id} ${cause}`;
    return new WorkerLostError(message, losses < LOSSES_MAX ? null : hint);
  }
}
