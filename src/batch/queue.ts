/** The runs that are left to play, and the log of each: only one run at a time writes to a log. */
import type { PlannedRun } from './plan.js';

export interface QueuedRun {
  run: PlannedRun;
  /** The number of the log that contains the run's beginning; null if the run was not begun. */
  log: number | null;
}

/** A run to play, and the number of a log to which no other run writes until this one is given back. */
export interface TakenTask extends QueuedRun {
  log: number;
  isBegun: boolean;
}

export class Queue {
  #tasks: readonly QueuedRun[];
  readonly #busy = new Set<number>();

  /** Runs that were already begun come first. */
  constructor(tasks: readonly QueuedRun[]) {
    this.#tasks = [...tasks.filter(({ log }) => log !== null), ...tasks.filter(({ log }) => log === null)];
  }

  get isEmpty(): boolean {
    return this.#tasks.length === 0;
  }

  /** Null if nothing is left, or if the rest is waiting for its log or may not begin now. */
  take(mayBegin: (run: PlannedRun) => boolean = () => true): TakenTask | null {
    const isFree = ({ log }: QueuedRun): boolean => log === null || !this.#busy.has(log);
    const task = this.#tasks.find((queued) => isFree(queued) && mayBegin(queued.run));
    if (task === undefined) return null;
    this.#tasks = this.#tasks.filter((queued) => queued !== task);
    const log = task.log ?? this.#freeLog();
    this.#busy.add(log);
    return { run: task.run, log, isBegun: task.log !== null };
  }

  /** Another run may use the log now. */
  releaseLog(log: number): void {
    this.#busy.delete(log);
  }

  /** To be continued later, before anything new. */
  putBack(task: QueuedRun): void {
    this.#tasks = [task, ...this.#tasks];
  }

  /** Removes runs that are not to be played after all. */
  drop(isDropped: (run: PlannedRun) => boolean): readonly QueuedRun[] {
    const dropped = this.#tasks.filter(({ run }) => isDropped(run));
    this.#tasks = this.#tasks.filter(({ run }) => !isDropped(run));
    return dropped;
  }

  #freeLog(): number {
    const usedLogs = new Set([
      ...this.#busy,
      ...this.#tasks.flatMap(({ log }) => (log === null ? [] : [log])),
    ]);
    let log = 1;
    while (usedLogs.has(log)) log += 1;
    return log;
  }
}
