/** A worker that lost its run (its lock is gone, so another worker may have it) publishes nothing and stores no checkpoint, and keeps no log; one whose store fails keeps it. */
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { StorageError } from '../../src/base/errors.js';
import type { Executor } from '../../src/batch/executor.js';
import { LostRun, playJob } from '../../src/batch/remote/played-job.js';
import type { JobPlayer } from '../../src/batch/remote/played-job.js';
import { openFolderStore } from '../../src/batch/store/folder-store.js';
import type { RunStore } from '../../src/batch/store/run-store.js';
import type { RunEnd } from '../../src/trajectory/records.js';
import { temporaryFolder } from '../support/folder.js';
import { JOB, RUN, playedTo } from './corridor-job.js';

const finished = join(temporaryFolder(), 'finished.sqlite');
let end: RunEnd;

beforeAll(async () => {
  end = await playedTo(finished);
});

/** "Plays" by putting the finished log there, so that nothing but the lock decides. */
const executor: Executor = {
  play: (_run, { log }) => {
    copyFileSync(finished, log);
    return Promise.resolve(end);
  },
  hasRun: (_run, log) => existsSync(log),
  release: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

async function playedWith(requireHeld: () => Promise<void>, storeOf = (store: RunStore): RunStore => store) {
  const folder = temporaryFolder();
  const scratch = temporaryFolder();
  const store = await openFolderStore(folder, 'store');
  const player: JobPlayer = {
    store: storeOf(store),
    executor,
    scratch,
    checkpointMs: 60_000,
    remark: () => undefined,
    bill: () => () => Promise.resolve(),
  };
  const never = new AbortController().signal;
  const result = await playJob(JOB, { stop: { soft: never, hard: never }, requireHeld }, player).catch(
    (error: unknown) => error,
  );
  return { result, stored: await store.read(RUN), left: readdirSync(scratch) };
}

it('publishes nothing of a run that it lost', async () => {
  const { result, stored, left } = await playedWith(() => Promise.reject(new LostRun('gone')));
  expect(result).toBeInstanceOf(LostRun);
  expect([stored, left]).toEqual([null, []]);
});

it('publishes a run that it holds', async () => {
  const { result, stored, left } = await playedWith(() => Promise.resolve());
  expect(result).toEqual({ kind: 'published' });
  expect([stored?.end?.chain, left]).toEqual([end.chain, []]);
});

it('keeps the log of a run that the store does not take', async () => {
  const refuse = (): Promise<never> => Promise.reject(new StorageError('the store is gone'));
  const { result, stored, left } = await playedWith(
    () => Promise.resolve(),
    (store) => ({
      name: store.name,
      id: store.id,
      list: () => store.list(),
      read: (run) => store.read(run),
      reach: () => store.reach(),
      publish: refuse,
      checkpoint: refuse,
      fetch: (run, to) => store.fetch(run, to),
    }),
  );
  expect(result).toBeInstanceOf(StorageError);
  expect([stored, left]).toEqual([null, [`${RUN}.sqlite`]]);
});
