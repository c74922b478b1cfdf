/**
 * What a batch does with runs whose workers are lost, on a real Redis: each goes to another worker, and one that loses every worker is given up.
 * @module-tag long
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LOST_WORKERS_MAX, QueueExecutor } from '../../src/batch/remote/queue-executor.js';
import { openFolderStore } from '../../src/batch/store/folder-store.js';
import { WorkerLostError } from '../../src/batch/workers/worker-lost.js';
import { systemDependencies } from '../../src/model/dependencies.js';
import { sharedAdmission } from '../../src/model/rate-limiter.js';
import { temporaryFolder } from '../support/folder.js';
import { JOB } from './corridor-job.js';
import { NO_REDIS, linkTo, startRedis } from '../support/redis-server.js';
import type { RedisServer } from '../support/redis-server.js';

const RUN = JOB.run;
const LOCK_MS = 200;
let redis: RedisServer | null = null;

beforeAll(async () => {
  redis = await startRedis();
});

afterAll(async () => redis?.kill());

it('a run that loses its worker again and again is played again, and then given up with words', async ({
  skip,
}) => {
  if (redis === null) return skip(NO_REDIS);
  const link = await linkTo(redis, 'lost-workers');
  const executor = await QueueExecutor.start({
    link,
    store: await openFolderStore(join(temporaryFolder(), 'store'), 'store'),
    limiters: sharedAdmission(
      { requestsPerMinute: null, requestsAtOnce: null },
      systemDependencies(() => undefined).clock,
    ),
    spentBefore: new Map(),
    onRemark: () => undefined,
  });
  // Takes jobs and is never heard of again: nobody renews their locks.
  const taker = new link.bullmq.Worker(link.name, () => new Promise(() => undefined), {
    connection: link.redis,
    concurrency: 2 * LOST_WORKERS_MAX,
    lockDuration: LOCK_MS,
    stalledInterval: LOCK_MS / 2,
    maxStalledCount: 0,
    skipLockRenewal: true,
  });
  taker.on('error', () => undefined);
  const never = new AbortController().signal;
  const place = {
    log: '',
    isBegun: false,
    servers: {},
    stop: { soft: never, hard: never },
    onSpent: () => undefined,
  };
  const errors: unknown[] = [];
  do errors.push(await executor.play(RUN, place).catch((error: unknown) => error));
  while ((errors.at(-1) as WorkerLostError).mayRetry);
  await taker.close(true);
  await executor.close();
  link.close();
  for (const error of errors) expect(error).toBeInstanceOf(WorkerLostError);
  expect(errors).toHaveLength(LOST_WORKERS_MAX);
  expect(errors.at(-1)).toMatchObject({
    message: expect.stringContaining(`the worker of ${RUN.id} was lost: `) as string,
    hints: [`the run lost its worker ${LOST_WORKERS_MAX} times; --resume plays it again`],
  });
});
