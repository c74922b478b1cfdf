/**
 * One worker process as the batch sees it: started with Node's IPC in its own process group, and ended when
 * the batch ends for any reason. In: runs; out: how they ended, or that the process is gone. The end of its
 * standard error is kept for the message.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Guard } from '../../assembly/guarded.js';
import { oneLine } from '../../base/text.js';
import type { RateLimiters } from '../../model/rate-limiter.js';
import type { RunEnd } from '../../trajectory/records.js';
import type { RunLocation } from '../executor.js';
import type { PlannedRun } from '../plan.js';
import { recordedError } from '../../base/error-record.js';
import { WorkerRequests } from './limits.js';
import type { FromWorker, ToWorker, WorkerLocation } from './messages.js';

export interface WorkerStart {
  /** Path of the worker's program. */
  readonly script: string;
  /** Plain data that the program understands. */
  readonly setup: unknown;
  readonly limiters: RateLimiters;
  readonly guard: Guard;
  readonly onRemark: (text: string) => void;
}

/** A run that is being played there. */
interface PendingRun {
  readonly onSpent: RunLocation['onSpent'];
  readonly ended: (end: RunEnd) => void;
  readonly failed: (error: unknown) => void;
}

/** The time limit for a worker to close its logs. */
const CLOSE_MS = 60_000;
const LAST_WORDS_BYTES = 4000;
const LAST_WORDS_CHARACTERS = 300;

export class WorkerProcess {
  readonly #start: WorkerStart;
  readonly #child: ChildProcess;
  readonly #requests: WorkerRequests;
  readonly #runs = new Map<string, PendingRun>();
  readonly #gone: Promise<void>;
  /** Logs that the worker has been asked to close. */
  readonly #releasing = new Map<string, () => void>();
  #lastWords = Buffer.alloc(0);
  #isGone = false;

  constructor(start: WorkerStart) {
    this.#start = start;
    this.#child = fork(start.script, [], {
      serialization: 'advanced',
      // Its output is not for the user: it reports by messages.
      silent: true,
      detached: process.platform !== 'win32',
    });
    this.#requests = new WorkerRequests(start.limiters, (request) =>
      this.#send({ kind: 'admitted', request }),
    );
    if (this.pid !== null) start.guard.add(this.pid);
    this.#child.stdin?.destroy();
    this.#child.stdout?.resume();
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#lastWords = Buffer.concat([this.#lastWords, chunk]).subarray(-LAST_WORDS_BYTES);
    });
    this.#child.on('message', (message) => this.#receive(message as FromWorker));
    this.#gone = this.#watch();
    this.#send({ kind: 'setup', setup: start.setup });
  }

  /** Null if it could not be started. */
  get pid(): number | null {
    return this.#child.pid ?? null;
  }

  get isGone(): boolean {
    return this.#isGone;
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
    const soft = (): void => this.#send({ kind: 'stop', runId: run.id, how: 'soft' });
    const hard = (): void => this.#send({ kind: 'stop', runId: run.id, how: 'hard' });
    try {
      return await new Promise<RunEnd>((ended, failed) => {
        if (this.#isGone) return failed(new WorkerGone('had already ended'));
        this.#runs.set(run.id, { onSpent, ended, failed });
        this.#send({ kind: 'play', run, location });
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
    this.#send({ kind: 'release', log });
    await Promise.race([released, this.#gone]);
    this.#releasing.delete(log);
  }

  /** Resolves once its logs are closed and it has ended. */
  async close(): Promise<void> {
    this.#send({ kind: 'close' });
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), CLOSE_MS);
    await this.#gone;
    clearTimeout(timer);
  }

  #send(message: ToWorker): void {
    // A worker that is gone is noticed when its process ends.
    if (this.#child.connected) this.#child.send(message, () => undefined);
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
    this.#send({ kind: 'counted', runId });
  }

  #watch(): Promise<void> {
    return new Promise((resolve) => {
      const end = (outcome: string): void => {
        if (this.#isGone) return;
        this.#isGone = true;
        if (this.pid !== null) this.#start.guard.remove(this.pid);
        this.#requests.close();
        for (const run of this.#runs.values()) run.failed(new WorkerGone(this.#withLastWords(outcome)));
        resolve();
      };
      this.#child.once('error', (error) => end(`can't be started: ${error.message}`));
      // By now, its output has been read too.
      this.#child.once('close', (code, signal) =>
        end(code === null ? `was killed by ${signal ?? 'a signal'}` : `exited with code ${code}`),
      );
    });
  }

  #withLastWords(how: string): string {
    const text = Array.from(oneLine(this.#lastWords.toString()).trim())
      .slice(-LAST_WORDS_CHARACTERS)
      .join('');
    return text === '' ? how : `${how}: ${text}`;
  }
}

/** The process died while it was playing runs; the message completes "the process …". */
export class WorkerGone extends Error {
  override readonly name = 'WorkerGone';
}
