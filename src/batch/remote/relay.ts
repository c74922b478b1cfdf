/**
 * The messages between a batch and its workers while runs are played, in addition to the queue: spending,
 * requests to servers, stops. They use Redis' publish and subscribe, which may lose any message, so
 * everything that must arrive is repeated until it is answered. Messages in and out; invalid ones are
 * dropped.
 */
import { z } from 'zod';
import type { QueueLink } from './redis.js';
import { parsedJson } from '../../base/json.js';

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
  /** Sent every few seconds: the worker is alive, and these requests are still open. */
  z.strictObject({ kind: z.literal('here'), worker, requests: z.array(request).readonly() }),
  z.strictObject({ kind: z.literal('gone'), worker }),
  z.strictObject({ kind: z.literal('limit'), worker, message: limitSchema }),
  z.strictObject({
    kind: z.literal('spent'),
    worker,
    runId,
    /** A run that is played again after a loss has a new one. */
    attempt,
    /** The spending in the log that the attempt continues, and that plus everything spent since. */
    before: spending,
    total: spending,
  }),
  z.strictObject({ kind: z.literal('remark'), worker, words: z.string().max(2000) }),
]);

const toWorkersSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('admitted'), worker, request }),
  /** The number of the attempt's requests that have been counted. */
  z.strictObject({ kind: z.literal('counted'), worker, attempt, requests: count }),
  z.strictObject({ kind: z.literal('stop'), runId, how: z.enum(['soft', 'hard']) }),
]);

export type ToBatch = z.infer<typeof toBatchSchema>;
export type ToWorkers = z.infer<typeof toWorkersSchema>;
export type SpentMessage = Omit<Extract<ToBatch, { kind: 'spent' }>, 'kind' | 'worker'>;

export interface Relay<Said> {
  send: (message: Said) => void;
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
  return toBatchSchema.safeParse(parsedJson(text)).data;
}

/** A worker's end. */
export function relayOfWorker(
  link: QueueLink,
  workerId: string,
  onMessage: (message: ToWorkers) => void,
): Promise<Relay<ToBatch>> {
  const channels = [TO_WORKERS, channelOf(workerId)];
  const read = (text: string): ToWorkers | undefined => toWorkersSchema.safeParse(parsedJson(text)).data;
  return relay(link, { channels, channelFor: () => TO_BATCH, read, onMessage });
}

const TO_BATCH = 'to-batch';
const TO_WORKERS = 'to-workers';

function channelOf(id: string): string {
  return `${TO_WORKERS}:${id}`;
}

interface RelayEnd<Said, Heard> {
  channels: readonly string[];
  channelFor: (message: Said) => string;
  read: (text: string) => Heard | undefined;
  onMessage: (message: Heard) => void;
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
