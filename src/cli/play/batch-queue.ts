/** The queue of `batch` and `worker`, and a batch on its workers. */
import { UsageError } from '../../base/errors.js';
import type { LedgerRun } from '../../batch/ledger.js';
import { QueueExecutor } from '../../batch/remote/queue-executor.js';
import { connectQueue } from '../../batch/remote/redis.js';
import type { QueueLink } from '../../batch/remote/redis.js';
import type { RunStore } from '../../batch/store/run-store.js';
import type { RateLimiters } from '../../model/rate-limiter.js';
import { variablesOf } from '../options/variables.js';
import type { Io } from '../terminal/io.js';

/** Throws UsageError. */
export function connectTo(
  queue: string,
  store: RunStore,
  onRemark: (words: string) => void,
  io: Io,
): Promise<QueueLink> {
  return connectQueue({
    url: queue,
    password: variablesOf(io)('REDIS_PASSWORD'),
    storeId: store.id,
    onLost: (words) => onRemark(`can't connect to the queue: ${words}; trying again`),
  });
}

/** Throws UsageError. */
export async function openBatchQueue(options: {
  queue: string;
  store: RunStore;
  finishedRuns: ReadonlyMap<string, LedgerRun>;
  limiters: RateLimiters;
  onRemark: (words: string) => void;
  io: Io;
}): Promise<{ executor: QueueExecutor; close: () => void }> {
  const { queue, store, finishedRuns, limiters, onRemark, io } = options;
  const link = await connectTo(queue, store, onRemark, io);
  try {
    const spentBefore = new Map([...finishedRuns].map(([id, { spent }]) => [id, spent]));
    const executor = await QueueExecutor.start({ link, store, limiters, spentBefore, onRemark });
    return { executor, close: link.close };
  } catch (error) {
    link.close();
    throw error;
  }
}

/** Throws UsageError if options do not go together. */
export function requireQueueOptions(options: {
  queue: string | undefined;
  store: string | undefined;
  out: string | undefined;
  shard: string | undefined;
  workers: number;
}): void {
  const { queue, store, out, shard, workers } = options;
  if ((queue === undefined) !== (store === undefined))
    throw new UsageError('--queue and --store must be given together', [
      '--queue redis://localhost:6379 --store runs/compare',
    ]);
  if (queue === undefined) return;
  if (out !== undefined)
    throw new UsageError('--out has no effect with --queue: the runs are stored in --store');
  if (shard !== undefined)
    throw new UsageError('--shard and --queue are mutually exclusive: a shard is played without a queue');
  if (workers > 1)
    throw new UsageError('--workers has no effect with --queue: the workers of the queue play the runs', [
      'orchestrate worker --workers N uses several cores of its machine',
    ]);
}
