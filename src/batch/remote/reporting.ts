/**
 * A worker's end of the messages in addition to the queue: the spending of its runs, and its requests to
 * servers. Its messages are repeated until they are answered.
 */
import { randomUUID } from 'node:crypto';
import { addSpending, requestsMade } from '../../trajectory/spending.js';
import type { Spending } from '../../trajectory/spending.js';
import { RemoteLimiters } from '../workers/limits.js';
import { ALIVE_REPORT_MS } from './known-workers.js';
import type { QueueLink } from './redis.js';
import { relayOfWorker } from './relay.js';
import type { Relay, SpentMessage, ToBatch, ToWorkers } from './relay.js';

/** The part of an attempt's spending that the batch has not counted yet. */
interface OpenBill {
  message: SpentMessage;
  /** Waiting callers, by the number of requests that must have been counted. */
  waiting: { requests: number; counted: () => void }[];
}

export class BatchReporter {
  readonly worker = randomUUID();
  readonly limiters: RemoteLimiters;
  readonly #bills = new Map<string, OpenBill>();
  readonly #timer: ReturnType<typeof setInterval>;
  #relay: Relay<ToBatch> | null = null;
  readonly #onStop: (runId: string, how: 'soft' | 'hard') => void;

  static async start(link: QueueLink, onStop: BatchReporter['stopRun']): Promise<BatchReporter> {
    const reporting = new BatchReporter(onStop);
    reporting.#relay = await relayOfWorker(link, reporting.worker, (message) => reporting.#receive(message));
    reporting.#resend();
    return reporting;
  }

  private constructor(onStop: BatchReporter['stopRun']) {
    this.#onStop = onStop;
    this.limiters = new RemoteLimiters((message) =>
      this.#send({ kind: 'limit', worker: this.worker, message }),
    );
    this.#timer = setInterval(() => this.#resend(), ALIVE_REPORT_MS);
  }

  /** Called when the batch orders a run to stop. */
  get stopRun(): (runId: string, how: 'soft' | 'hard') => void {
    return this.#onStop;
  }

  remark(text: string): void {
    this.#send({ kind: 'remark', worker: this.worker, words: text.slice(0, 2000) });
  }

  /**
   * Starts counting what a run spends. The returned function resolves once the batch has counted the spending
   * that it was called with.
   */
  bill(runId: string, before: Spending): (spent: Spending) => Promise<void> {
    const attempt = randomUUID();
    let total = before;
    return (spent) => {
      total = addSpending(total, spent);
      const message = { runId, attempt, before, total };
      const requests = requestsMade(total);
      this.#send({ kind: 'spent', worker: this.worker, ...message });
      return new Promise((counted) => {
        const waiting = [...(this.#bills.get(attempt)?.waiting ?? []), { requests, counted }];
        this.#bills.set(attempt, { message, waiting });
      });
    };
  }

  /** Reports that the worker is leaving. */
  close(): void {
    clearInterval(this.#timer);
    this.#send({ kind: 'gone', worker: this.worker });
  }

  #resend(): void {
    this.#send({ kind: 'here', worker: this.worker, requests: this.limiters.open });
    this.limiters.resendWaiting();
    for (const { message } of this.#bills.values())
      this.#send({ kind: 'spent', worker: this.worker, ...message });
  }

  #send(message: ToBatch): void {
    this.#relay?.send(message);
  }

  #receive(message: ToWorkers): void {
    if (message.kind === 'stop') return this.#onStop(message.runId, message.how);
    if (message.worker !== this.worker) return;
    if (message.kind === 'admitted') this.limiters.admitted(message.request);
    else this.#counted(message.attempt, message.requests);
  }

  #counted(attempt: string, requests: number): void {
    const bill = this.#bills.get(attempt);
    if (bill === undefined) return;
    const isCounted = (waiter: { requests: number }): boolean => waiter.requests <= requests;
    for (const { counted } of bill.waiting.filter(isCounted)) counted();
    const waiting = bill.waiting.filter((waiter) => !isCounted(waiter));
    if (waiting.length === 0) this.#bills.delete(attempt);
    else this.#bills.set(attempt, { ...bill, waiting });
  }
}
