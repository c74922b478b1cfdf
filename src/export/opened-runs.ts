/** The runs of an export with their logs, which are opened in turn: a batch in worker processes has a log per run. */
import { readMarks } from '../log/annotations.js';
import type { AnnotationReader } from '../log/annotations.js';
import { LogReader } from '../log/reader.js';
import type { PickedRun } from './picked-runs.js';

/** A run with its log and the verdicts of people. */
export interface OpenedRun {
  run: PickedRun;
  reader: LogReader;
  marks: AnnotationReader;
}

const OPEN_LOGS_MAX = 16;

/** Opens the logs of runs, and keeps the most recent ones open: consecutive runs are often in other logs. */
export class LogKeeper {
  /** By path; the most recently used last. */
  readonly #logs = new Map<string, Omit<OpenedRun, 'run'>>();

  open(run: PickedRun): OpenedRun {
    const { path } = run;
    const log = this.#logs.get(path) ?? { reader: new LogReader(path), marks: readMarks(path) };
    this.#logs.delete(path);
    this.#logs.set(path, log);
    const [oldest] = this.#logs.keys();
    if (this.#logs.size > OPEN_LOGS_MAX && oldest !== undefined) {
      this.#logs.get(oldest)?.reader.close();
      this.#logs.delete(oldest);
    }
    return { run, ...log };
  }

  close(): void {
    for (const { reader } of this.#logs.values()) reader.close();
    this.#logs.clear();
  }
}

/** Each run with its log, which is open until another run is requested. */
export function* openRuns(runs: readonly PickedRun[]): Generator<OpenedRun> {
  const logs = new LogKeeper();
  try {
    for (const run of runs) yield logs.open(run);
  } finally {
    logs.close();
  }
}
