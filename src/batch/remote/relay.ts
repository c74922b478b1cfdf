/**
 * The messages between a batch and its workers while runs are played, in addition to the queue: spending,
 * requests to servers, stops. They use Redis' publish and subscribe, which may lose any message, so
 * everything that must arrive is repeated until it is answered. Messages in and out; invalid ones are
 * dropped.
 */
import { z } from 'zod';
import type { Spending } from '../../trajectory/spending.js';
import type { LimitMessage } from '../workers/limits.js';
import type { QueueLink } from './redis.js';

export type ToBatch =
  /** Sent every few seconds: the worker is alive, and these requests are still open. */
  | { readonly kind: 'here'; readonly worker: string; readonly requests: readonly number[] }
  | { readonly kind: 'gone'; readonly worker: string }
  | { readonly kind: 'limit'; readonly worker: string; readonly message: LimitMessage }
  | ({ readonly kind: 'spent'; readonly worker: string } & SpentMessage)
  | { readonly kind: 'remark'; readonly worker: string; readonly words: string };

export interface SpentMessage {
  readonly runId: string;
  /** A run that is played again after a loss has a new one. */
  readonly attempt: string;
  /** The spending in the log that the attempt continues, plus everything spent since. */
  readonly before: Spending;
  readonly total: Spending;
}

export type ToWorkers =
  | { readonly kind: 'admitted'; readonly worker: string; readonly request: number }
  /** The number of the attempt's requests that have been counted. */
  | {
      readonly kind: 'counted';
      readonly worker: string;
      readonly attempt: string;
      readonly requests: number;
    }
  | { readonly kind: 'stop'; readonly runId: string; readonly how: 'soft' | 'hard' };

const count = z.int().min(0);
const spending = z.strictObject({
  requests: z.record(z.string().max(100), z.strictObject({ answered: count, lost: count })),
  promptTokens: z.number(),
  replyTokens: z.number(),
  cost: z.number(),
});
const worker = z.string().max(100);
const request = z.int().min(0);
const runId = z.string().max(500);
const attempt = z.string().max(100);

const limitSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('enter'),
    request,
    baseUrl: z.string().max(10_000),
    isFirst: z.boolean(),
    isAhead: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('needed'), request }),
  z.strictObject({ kind: z.literal('left'), request }),
  z.strictObject({ kind: z.literal('hold'), baseUrl: z.string().max(10_000), waitMs: z.number() }),
]);

const toBatchSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('here'), worker, requests: z.array(request) }),
  z.strictObject({ kind: z.literal('gone'), worker }),
  z.strictObject({ kind: z.literal('limit'), worker, message: limitSchema }),
  z.strictObject({
    kind: z.literal('spent'),
    worker,
    runId,
    attempt,
    before: spending,
    total: spending,
  }),
  z.strictObject({ kind: z.literal('remark'), worker, words: z.string().max(2000) }),
]);

const toWorkersSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('admitted'), worker, request }),
  z.strictObject({ kind: z.literal('counted'), worker, attempt, requests: count }),
  z.strictObject({ kind: z.literal('stop'), runId, how: z.enum(['soft', 'hard']) }),
]);

export interface Relay<Said> {
  readonly send: (message: Said) => void;
}

/**
 * The batch's end. A message for one worker goes only to that worker: with hundreds of workers, Redis would
 * otherwise pass on each message hundreds of times.
 */
export function relayOfBatch(
  link: QueueLink,
  onMessage: (message: ToBatch) => void,
): Promise<Relay<ToWorkers>> {
  const channelFor = (message: ToWorkers): string =>
    message.kind === 'stop' ? TO_WORKERS : channelOf(message.worker);
  return relay(link, { channels: [TO_BATCH], channelFor, read: readToBatch, onMessage });
}

/** A message from a worker; undefined for anything else. */
export function readToBatch(text: string): ToBatch | undefined {
  return toBatchSchema.safeParse(jsonOf(text)).data;
}

/** A worker's end. */
export function relayOfWorker(
  link: QueueLink,
  workerId: string,
  onMessage: (message: ToWorkers) => void,
): Promise<Relay<ToBatch>> {
  const channels = [TO_WORKERS, channelOf(workerId)];
  const read = (text: string): ToWorkers | undefined => toWorkersSchema.safeParse(jsonOf(text)).data;
  return relay(link, { channels, channelFor: () => TO_BATCH, read, onMessage });
}

const TO_BATCH = 'to-batch';
const TO_WORKERS = 'to-workers';

function channelOf(id: string): string {
  return `${TO_WORKERS}:${id}`;
}

interface RelayEnd<Said, Heard> {
  readonly channels: readonly string[];
  readonly channelFor: (message: Said) => string;
  readonly read: (text: string) => Heard | undefined;
  readonly onMessage: (message: Heard) => void;
}

async function relay<Said, Heard>(
  { redis, newConnection, name }: QueueLink,
  { channels, channelFor, read, onMessage }: RelayEnd<Said, Heard>,
): Promise<Relay<Said>> {
  const subscriber = newConnection();
  subscriber.on('message', (_channel, text) => {
    const message = read(text);
    if (message !== undefined) onMessage(message);
  });
  await subscriber.subscribe(...channels.map((channel) => `${name}:${channel}`));
  return {
    send: (message) => {
      // If Redis is down, the side that needs an answer repeats the message later.
      redis.publish(`${name}:${channelFor(message)}`, JSON.stringify(message)).catch(() => undefined);
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
