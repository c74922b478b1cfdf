/**
 * Plays the rest of a batch, many runs at once, until all are finished, the user stops it, or its budget is
 * exhausted. It is independent of scenario rules, server protocols and the database.
 */
import { setMaxListeners } from 'node:events';
import { ModelError, StorageError } from '../base/errors.js';
import { counted } from '../base/counted.js';
import type { RunEnd } from '../trajectory/records.js';
import { isOver } from '../replay/restored-history.js';
import type { BatchLimits } from '../scenario/batch.js';
import type { ModelSpec } from '../scenario/scenario.js';
import { isAbort } from '../model/abort.js';
import { checkedBaseUrl } from '../model/server.js';
import type { StopSignals } from '../orchestrator/run-context.js';
import type { Executor } from './executor.js';
import { logPath } from './ledger.js';
import type { LedgerRun } from './ledger.js';
import type { PlannedRun } from './plan.js';
import { askedModels, batchModels } from './players.js';
import type { AskedServers } from './players.js';
import { Queue } from './queue.js';
import type { TakenTask } from './queue.js';
import type { Servers } from './servers.js';
import { WorkerLostError } from './workers/worker-lost.js';
import { NO_SPENDING, addSpending, answeredCalls } from '../trajectory/spending.js';
import type { Spending } from '../trajectory/spending.js';

/** News while a batch is played. */
export type BatchNews =
  | { kind: 'begun'; run: PlannedRun; isResumed: boolean }
  | { kind: 'spent'; run: PlannedRun; spent: Spending }
  | { kind: 'ended'; run: PlannedRun; end: RunEnd }
  /** It could not be played; `willRetry` if it is resumed automatically or with the stopped batch. */
  | {
      kind: 'failed';
      run: PlannedRun;
      error: unknown;
      willRetry: boolean;
    }
  /** Runs that are skipped, because other runs of the same players failed or their server is unreachable. */
  | { kind: 'set-aside'; runs: readonly PlannedRun[]; error: unknown };

export interface BatchJob {
  runs: readonly PlannedRun[];
  folder: string;
  ledger: ReadonlyMap<string, LedgerRun>;
  parallel: number;
  limits: BatchLimits;
  executor: Executor;
  servers: Servers;
  /** `soft`: every run ends after its step. */
  stop: StopSignals;
  onNews: (news: BatchNews) => void;
}

/** The reason why the batch ended: everything playable has been played, or the cause of the stop. */
export interface BatchEnd {
  /** Null if nothing stopped it. */
  stopped: string | null;
  /** Runs that could not be played, by id, with the reason. */
  failures: ReadonlyMap<string, unknown>;
}

/**
 * How often a run may be put back into the queue without an answer in between, although its server seems to
 * be reachable, before it is given up.
 */
const RETRIES_MAX = 5;
/** After this many permanent failures in a row, the remaining runs of a model are skipped. */
const FAILURES_MAX = 3;

export async function playBatch(job: BatchJob): Promise<BatchEnd> {
  const batch = new Batch(job);
  try {
    await Promise.all(Array.from({ length: job.parallel }, () => batch.playLane()));
  } finally {
    await job.executor.close();
  }
  return batch.end;
}

interface FailedRun {
  task: TakenTask;
  error: unknown;
  /** The models of its players, each on the server that it asked. */
  asked: readonly ModelSpec[];
}

class Batch {
  readonly #job: BatchJob;
  readonly #queue: Queue;
  readonly #failures = new Map<string, unknown>();
  /** By run, how often it was put back since its model's last answer. */
  readonly #retries = new Map<string, number>();
  /** By players, the number of failures since the last success. */
  readonly #failuresInARow = new Map<string, number>();
  /** Stops every run, for a reason of the batch itself. */
  readonly #halt = new AbortController();
  readonly #stop: StopSignals;
  #stopped: string | null = null;
  #spent = NO_SPENDING;
  #active = 0;
  #idleLanes: (() => void)[] = [];

  constructor(job: BatchJob) {
    this.#job = job;
    const unfinished = job.runs.filter(({ id }) => job.ledger.get(id)?.end == null);
    this.#queue = new Queue(unfinished.map((run) => ({ run, log: job.ledger.get(run.id)?.log ?? null })));
    for (const run of job.runs)
      this.#spent = addSpending(this.#spent, job.ledger.get(run.id)?.spent ?? NO_SPENDING);
    const { soft, hard } = job.stop;
    this.#stop = { soft: AbortSignal.any([soft, this.#halt.signal]), hard };
    // Every run in progress listens to this.
    setMaxListeners(0, this.#stop.soft, hard);
    this.#stop.soft.addEventListener('abort', () => this.#wake(), { once: true });
    job.servers.onChange(() => this.#wake());
  }

  get end(): BatchEnd {
    const stopped = this.#stopped ?? (this.#job.stop.soft.aborted ? 'stopped by the user' : null);
    return { stopped, failures: this.#failures };
  }

  /** Plays runs one after the other. */
  async playLane(): Promise<void> {
    while (!this.#stop.soft.aborted) {
      const task = this.#queue.take((run) => this.#mayBegin(run));
      if (task !== null) await this.#play(task);
      else if (this.#dropUnreachable()) continue;
      else if (this.#queue.isEmpty && this.#active === 0) return this.#wake();
      // A run may be put back, its log may become free, or its server may answer.
      else await new Promise<void>((resolve) => this.#idleLanes.push(resolve));
    }
  }

  #mayBegin({ players }: PlannedRun): boolean {
    return Object.values(batchModels(players)).every((one) => this.#job.servers.isReachable(one.servers));
  }

  /** Gives up runs whose servers are no longer waited for; returns whether there were any such runs. */
  #dropUnreachable(): boolean {
    const { servers, onNews } = this.#job;
    const reasonOf = ({ players }: PlannedRun) =>
      Object.values(batchModels(players))
        .map((one) => servers.goneError(one.servers))
        .find((error) => error !== null) ?? null;
    const runs = this.#queue.drop((run) => reasonOf(run) !== null).map(({ run }) => run);
    for (const run of runs) {
      const error = reasonOf(run);
      this.#failures.set(run.id, error);
      onNews({ kind: 'set-aside', runs: [run], error });
    }
    return runs.length > 0;
  }

  async #play(task: TakenTask): Promise<void> {
    const acquired = Object.entries(batchModels(task.run.players)).flatMap(([key, model]) => {
      const baseUrl = this.#job.servers.acquire(model.servers);
      return baseUrl === null ? [] : [[key, baseUrl] as const];
    });
    this.#active += 1;
    try {
      await this.#playTask(task, Object.fromEntries(acquired));
    } finally {
      for (const [, baseUrl] of acquired) this.#job.servers.release(baseUrl);
      this.#active -= 1;
      this.#queue.releaseLog(task.log);
      this.#wake();
    }
  }

  async #playTask(task: TakenTask, servers: AskedServers): Promise<void> {
    const { run, log, isBegun } = task;
    const { executor, folder, limits, onNews } = this.#job;
    const hasBudget = limits.tokens !== null || limits.cost !== null;
    onNews({ kind: 'begun', run, isResumed: isBegun });
    const onSpent = (spent: Spending): void => this.#addSpending(run, spent);
    try {
      const location = { log: logPath(folder, log), isBegun, servers, stop: this.#stop, onSpent, hasBudget };
      const end = await executor.play(run, location);
      onNews({ kind: 'ended', run, end });
      if (isOver(end.status)) this.#failuresInARow.delete(run.cell.players);
    } catch (error) {
      this.#handleFailure({ task, error, asked: Object.values(askedModels(run.players, servers)) });
    }
  }

  #addSpending(run: PlannedRun, spent: Spending): void {
    const { limits, onNews } = this.#job;
    this.#spent = addSpending(this.#spent, spent);
    if (answeredCalls(spent) > 0) this.#retries.delete(run.id);
    onNews({ kind: 'spent', run, spent });
    const tokens = this.#spent.promptTokens + this.#spent.replyTokens;
    if (limits.tokens !== null && tokens >= limits.tokens)
      this.#haltFor(`the batch's budget of ${counted(limits.tokens, 'token')} is exhausted (${tokens})`);
    else if (limits.cost !== null && this.#spent.cost >= limits.cost)
      this.#haltFor(
        `the batch's cost budget of ${limits.cost} is exhausted (${this.#spent.cost.toFixed(4)})`,
      );
  }

  #haltFor(reason: string): void {
    this.#stopped ??= reason;
    this.#halt.abort();
  }

  #handleFailure({ task, error, asked }: FailedRun): void {
    const { run } = task;
    const { servers, executor, folder, onNews } = this.#job;
    const isServers = error instanceof ModelError && asked.length > 0;
    const isServerGone = isServers && error.isRetryable && !error.isOfRequest;
    if (isServerGone) {
      const failed = asked.find(({ baseUrl }) => checkedBaseUrl(baseUrl) === error.baseUrl) ?? asked[0];
      if (failed !== undefined) servers.markGone(failed, error.gist);
    }
    // It was abandoned before it began because the batch is stopping. This is not a failure: it is played
    // when the batch is resumed.
    const isAbandoned = this.#stop.soft.aborted && isAbort(error);
    const isWorkerLost = error instanceof WorkerLostError && error.mayRetry;
    const mayGoOn = isServers && (isServerGone || error.isOfRequest);
    const willRetry = isAbandoned || isWorkerLost || (mayGoOn && this.#mayRetry(run));
    const reason = mayGoOn && !willRetry ? givenUpError(error) : error;
    onNews({ kind: 'failed', run, error: reason, willRetry });
    if (willRetry) {
      this.#queue.putBack({ run, log: executor.hasRun(run, logPath(folder, task.log)) ? task.log : null });
      return;
    }
    this.#failures.set(run.id, reason);
    if (error instanceof StorageError) this.#haltFor(error.message);
    else this.#setAside(run, reason);
  }

  #mayRetry({ id }: PlannedRun): boolean {
    const retries = (this.#retries.get(id) ?? 0) + 1;
    this.#retries.set(id, retries);
    return retries <= RETRIES_MAX;
  }

  /** After this many permanent failures, the next seed would fail too. */
  #setAside({ cell: { players } }: PlannedRun, error: unknown): void {
    const failures = (this.#failuresInARow.get(players) ?? 0) + 1;
    this.#failuresInARow.set(players, failures);
    if (failures < FAILURES_MAX) return;
    const dropped = this.#queue.drop((run) => run.cell.players === players);
    const runs = dropped.map(({ run }) => run);
    for (const { id } of runs) this.#failures.set(id, error);
    if (runs.length > 0) this.#job.onNews({ kind: 'set-aside', runs, error });
  }

  #wake(): void {
    const waiting = this.#idleLanes;
    this.#idleLanes = [];
    for (const wakeLane of waiting) wakeLane();
  }
}

/** The run was tried again and again, although its server seemed to be reachable. */
function givenUpError(error: ModelError): ModelError {
  const note = `given up after ${counted(RETRIES_MAX + 1, 'try', 'tries')} in a row without an answer`;
  const { isRetryable, status, hints } = error;
  return new ModelError(`${error.message}; ${note}`, {
    isRetryable,
    status,
    gist: `${error.gist}; ${note}`,
    hints: [...hints, 'run the batch again with --resume: it continues where the run stopped'],
  });
}
