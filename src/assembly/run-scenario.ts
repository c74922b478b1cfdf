/**
 * A whole run in one call, for programs. It opens and plays a scenario in the same way as the command line.
 * If the caller leaves the loop over the steps, the run ends after the current step.
 */
import { MemorySink } from '../trajectory/memory-sink.js';
import type { RunEnd, RunRecord, StepRecord } from '../trajectory/records.js';
import { LogWriter } from '../log/writer.js';
import { scenarioFile } from '../scenario/folder.js';
import type { ScenarioSource } from '../scenario/folder.js';
import { MODULES } from '../worlds/registry.js';
import { openScenario } from './open.js';
import type { OpenOptions } from './open.js';
import { prepare } from './play.js';
import type { PlayOptions, PreparedRun } from './play.js';

/** `modules` are added to the built-in environments; they replace those of the same kind. */
export interface RunOptions extends OpenOptions, PlayOptions {
  /** The path of the log: a new file, or one that contains other runs. By default no log is written. */
  log?: string;
}

/** A finished run. */
export interface ScenarioRun {
  run: RunRecord;
  end: RunEnd;
  /** All steps in order; the world's part of each turn is a step of the agent `world`. */
  steps: readonly StepRecord[];
}

/**
 * Plays a scenario to its end. Throws ScenarioError with all its mistakes, UsageError if something is
 * missing, ModelError if a model can't be used, StorageError if the log can't be written. For a long run
 * whose steps you don't need to keep, use `scenarioSteps`.
 */
export async function runScenario(source: ScenarioSource, options: RunOptions = {}): Promise<ScenarioRun> {
  const steps: StepRecord[] = [];
  const playing = scenarioSteps(source, options);
  for (;;) {
    const next = await playing.next();
    if (next.done === true) return { ...next.value, steps };
    steps.push(next.value);
  }
}

/**
 * Yields the steps of a run as they happen, each once it is durable; the return value is the end of the run.
 * Throws like `runScenario`.
 */
export async function* scenarioSteps(
  source: ScenarioSource,
  options: RunOptions = {},
): AsyncGenerator<StepRecord, Omit<ScenarioRun, 'steps'>, undefined> {
  const opened = await openScenario(scenarioFile(source), {
    ...options,
    modules: [...(options.modules ?? []), ...MODULES],
  });
  const consumerLeft = new AbortController();
  const soft = AbortSignal.any([
    consumerLeft.signal,
    ...(options.stop === undefined ? [] : [options.stop.soft]),
  ]);
  const hard = options.stop?.hard ?? new AbortController().signal;
  const prepared = await prepare(opened, { ...options, stop: { soft, hard } });
  const sink = await openSink(options.log, prepared);
  const queue = new StepQueue();
  const playing = prepared.play(sink, { stepDone: (step) => queue.add(step) });
  // The consumer gets the end, or the error, after the last step.
  playing.then(queue.close, queue.close);
  try {
    for (let step = await queue.next(); step !== null; step = await queue.next()) yield step;
    return { run: prepared.run, end: await playing };
  } finally {
    consumerLeft.abort();
    await playing.catch(() => undefined);
    if (sink instanceof LogWriter) sink.close();
  }
}

/** If the log can't be opened, everything that controllers keep running is ended. */
async function openSink(log: string | undefined, prepared: PreparedRun): Promise<MemorySink | LogWriter> {
  try {
    return log === undefined ? new MemorySink() : new LogWriter(log);
  } catch (error) {
    await prepared.close();
    throw error;
  }
}

/** Steps that were played but not consumed yet. */
class StepQueue {
  readonly #steps: StepRecord[] = [];
  #isClosed = false;
  #wake: () => void = () => undefined;

  add(step: StepRecord): void {
    this.#steps.push(step);
    this.#wake();
  }

  readonly close = (): void => {
    this.#isClosed = true;
    this.#wake();
  };

  /** Null after the last. */
  async next(): Promise<StepRecord | null> {
    while (this.#steps.length === 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#steps.shift() ?? null;
  }
}
