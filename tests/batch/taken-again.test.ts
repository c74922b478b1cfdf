/** A worker that gets a run again which it is still playing, on a real Redis: it ends the earlier attempt first, because both would write the same log. */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Executor } from '../../src/batch/executor.js';
import { jobId } from '../../src/batch/remote/job.js';
import { QueueWorker } from '../../src/batch/remote/queue-worker.js';
import type { WorkerNews } from '../../src/batch/remote/queue-worker.js';
import { openFolderStore } from '../../src/batch/store/folder-store.js';
import type { RunEnd } from '../../src/trajectory/records.js';
import { temporaryFolder } from '../support/folder.js';
import { NO_REDIS, linkTo, startRedis } from '../support/redis-server.js';
import type { RedisServer } from '../support/redis-server.js';
import { JOB, RUN, playedTo } from './corridor-job.js';

/** So long that no lock runs out by itself. */
const LOCK_MS = 60_000;
const finished = join(temporaryFolder(), 'finished.sqlite');
let end: RunEnd;
let redis: RedisServer | null = null;

beforeAll(async () => {
  redis = await startRedis();
  end = await playedTo(finished);
});

afterAll(async () => redis?.kill());

it('ends the earlier attempt before it plays the run again', { tags: ['long'] }, async ({ skip }) => {
  if (redis === null) return skip(NO_REDIS);
  const [playing, mostAtOnce, plays] = [{ now: 0 }, { seen: 0 }, { count: 0 }];
  /** The first attempt ends only when it is told to, and not at once; the second has the run's end. */
  const executor: Executor = {
    play: async (_run, { log, stop }) => {
      plays.count += 1;
      playing.now += 1;
      mostAtOnce.seen = Math.max(mostAtOnce.seen, playing.now);
      copyFileSync(finished, log);
      if (plays.count === 1) {
        await new Promise((resolve) => stop.hard.addEventListener('abort', resolve));
        await wait(1500);
      }
      playing.now -= 1;
      if (plays.count === 1) throw new Error('the call was cancelled');
      return end;
    },
    hasRun: (_run, log) => existsSync(log),
    release: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const link = await linkTo(redis, 'taken-again');
  const store = await openFolderStore(temporaryFolder(), 'store');
  const news: string[] = [];
  const worker = new QueueWorker({
    link,
    store,
    executor,
    scratch: temporaryFolder(),
    checkpointMs: 60_000,
    remark: () => undefined,
    bill: () => () => Promise.resolve(),
    parallel: 4,
    lockMs: LOCK_MS,
    requirePlayable: () => undefined,
    onNews: ({ kind }: WorkerNews) => news.push(kind),
  });
  const stop = new AbortController();
  const hard = new AbortController().signal;
  const over = worker.run({ soft: stop.signal, hard });
  const queue = new link.bullmq.Queue(link.name, { connection: link.redis });
  const enqueue = () =>
    queue.add(RUN, JOB, { jobId: jobId(RUN), removeOnComplete: true, removeOnFail: true });
  await enqueue();
  await expect.poll(() => playing.now).toBe(1);
  await link.redis.flushall();
  await enqueue();
  await expect.poll(() => news).toEqual(['begun', 'lost', 'begun', 'published']);
  stop.abort();
  await over;
  await queue.close();
  link.close();
  expect([mostAtOnce.seen, plays.count]).toEqual([1, 2]);
  expect((await store.read(RUN))?.end?.chain).toBe(end.chain);
});
