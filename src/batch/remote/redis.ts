/**
 * The queue's libraries and its connection. BullMQ and ioredis are optional, because a batch without a queue
 * needs neither.
 */
import type { Redis, RedisOptions } from 'ioredis';
import { UsageError } from '../../base/errors.js';
import { loadOptional } from '../store/optional-package.js';

export type BullMq = typeof import('bullmq');

export interface QueueAddress {
  /** redis:// or rediss:// */
  url: string;
  /** Used if the address has none. */
  password: string | undefined;
  storeId: string;
  /** Called once each time the connection is lost, however often reconnecting fails. */
  onLost: (reason: string) => void;
}

export interface QueueLink {
  bullmq: BullMq;
  redis: Redis;
  /** The queue's key, and the prefix of its other keys. */
  name: string;
  /** A separate connection, because a subscribed connection can't do anything else. */
  newConnection: () => Redis;
  close: () => void;
}

const CONNECT_MS = 10_000;
const RETRY_MAX_MS = 2000;

/** What Redis answers to a queue that it does not let in, and what to do about it. */
const REFUSALS = [
  {
    answer: /^NOAUTH/,
    hint: 'set REDIS_PASSWORD, or put the password into the address: redis://:PASSWORD@HOST',
  },
  {
    answer: /^WRONGPASS|^ERR invalid password/,
    hint: 'check REDIS_PASSWORD, or the user and password in --queue: redis://USER:PASSWORD@HOST',
  },
  {
    answer: /DB index is out of range/,
    hint: 'the number after the address is that of a database: leave it out for database 0',
  },
  {
    answer: /^Protocol error/,
    hint: 'something other than Redis answers at this port: check the address; TLS needs rediss://',
  },
];

/**
 * Throws UsageError if a library is missing, if no Redis answers, or if it does not accept the password or the
 * number of the database.
 */
export async function connectQueue({ url, password, storeId, onLost }: QueueAddress): Promise<QueueLink> {
  const bullmq = await loadOptional<BullMq>('bullmq', 'a queue', () => import('bullmq'));
  const { Redis: Client } = await loadOptional('ioredis', 'a queue', () => import('ioredis'));
  const options: RedisOptions = {
    // Commands wait until Redis is back.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(times * 100, RETRY_MAX_MS),
    ...(password === undefined || new URL(url).password !== '' ? {} : { password }),
  };
  const redis = new Client(url, { ...options, lazyConnect: true });
  let lastError = 'no answer';
  let isLost = false;
  let isConnected = false;
  const handleError = (error: Error): void => {
    lastError =
      error.message === '' ? 'connection refused' : error.message.replace(' Please report this.', '');
    // Before the first connection, only a server that may still be starting is worth another try.
    if (isLost || (!isConnected && refusalOf(lastError) !== undefined)) return;
    isLost = true;
    onLost(lastError);
  };
  redis.on('error', handleError);
  redis.on('ready', () => (isLost = false));
  try {
    await withinTime(openDatabase(redis), url, () => lastError);
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  isConnected = true;
  const connections: Redis[] = [];
  const newConnection = (): Redis => {
    const connection = redis.duplicate();
    connection.on('error', handleError);
    connections.push(connection);
    return connection;
  };
  return {
    bullmq,
    redis,
    name: `orchestrate-${storeId.slice(0, 8)}`,
    newConnection,
    close: () => {
      for (const connection of [redis, ...connections]) connection.disconnect();
    },
  };
}

/** Where the database can't be selected, the client would go on with database 0. */
async function openDatabase(redis: Redis): Promise<void> {
  await redis.connect();
  await redis.select(redis.options.db ?? 0);
}

function refusalOf(message: string): (typeof REFUSALS)[number] | undefined {
  return REFUSALS.find(({ answer }) => answer.test(message));
}

async function withinTime(connected: Promise<unknown>, url: string, lastError: () => string): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), CONNECT_MS);
  });
  try {
    await Promise.race([connected, timeout]);
  } catch {
    throw new UsageError(`the queue ${shownUrl(url)} can't be reached: ${lastError()}`, [
      refusalOf(lastError())?.hint ?? 'start a Redis server, or give the address of another one with --queue',
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/** Without its password. */
export function shownUrl(url: string): string {
  const parsed = new URL(url);
  if (parsed.password !== '') parsed.password = '…';
  return decodeURI(parsed.href);
}
