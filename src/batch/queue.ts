/** What is left to play, and in which log each run is or will be: a log is written by one run at a time. In: runs; out: the next that may begin. */
import type { PlannedRun } from './plan.js';

export interface QueuedRun {
  readonly run: PlannedRun;
  /** The log that holds the run's beginning; null for one that was not begun. */
  readonly log: number | null;
}

/** A task with the log that is its own until it is given back. */
export interface TakenTask extends QueuedRun {
  readonly log: number;
  readonly isBegun: boolean;
}

export class Queue {
  #tasks: readonly QueuedRun[];
  readonly #busy = new Set<number>();

  /** Those that were begun come first. */
  constructor(tasks: readonly QueuedRun[]) {
    this.#tasks = [...tasks.filter(({ log }) => log !== null), ...tasks.filter(({ log }) => log === null)];
  }

  get isEmpty(): boolean {
    return this.#tasks.length === 0;
  }

  /** Null if nothing is left, or what is left waits for its log, or may not begin now. */
  take(mayBegin: (run: PlannedRun) => boolean = () => true): TakenTask | null {
    const isFree = ({ log }: QueuedRun): boolean => log === null || !this.#busy.has(log);
    const task = this.#tasks.find((one) => isFree(one) && mayBegin(one.run));
    if (task === undefined) return null;
    this.#tasks = this.#tasks.filter((one) => one !== task);
    const log = task.log ?? this.#freeLog();
    this.#busy.add(log);
    return { run: task.run, log, isBegun: task.log !== null };
  }

  /** The log may be another's now. */
  free(log: number): void {
    this.#busy.delete(log);
  }

  /** To be played on later, before anything new. */
  putBack(task: QueuedRun): void {
    this.#tasks = [task, ...this.#tasks];
  }

  /** Takes out what is not to be played after all. */
  drop(isDropped: (run: PlannedRun) => boolean): readonly QueuedRun[] {
    const dropped = this.#tasks.filter(({ run }) => isDropped(run));
    this.#tasks = this.#tasks.filter(({ run }) => !isDropped(run));
    return dropped;
  }

  #freeLog(): number {
    const held = new Set([...this.#busy, ...this.#tasks.flatMap(({ log }) => (log === null ? [] : [log]))]);
    let log = 1;
    while (held.has(log)) log += 1;
    return log;
  }
}
