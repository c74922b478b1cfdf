/**
 * `--queue` and `--store` of `batch` and `worker`: the address of a queue, and a store on disk or over the
 * network.
 */
import { UsageError } from '../../base/errors.js';
import { openFolderStore } from '../../batch/store/folder-store.js';
import { openS3Store } from '../../batch/store/s3-store.js';
import type { RunStore } from '../../batch/store/run-store.js';
import type { Io } from '../terminal/io.js';
import { once, single } from './option.js';
import { fromCwd, isBucket } from './paths.js';
import { variablesOf } from './variables.js';

export const QUEUE = {
  queue: () => ({
    type: 'string' as const,
    describe: 'Redis server from which workers take the runs, such as redis://host:6379',
    coerce: queueUrl,
  }),
  store: single('Where the runs of a queue are stored: a folder, or s3://BUCKET/PREFIX'),
};

function queueUrl(value: unknown): string | undefined {
  const url = once('queue')(value);
  if (url === undefined) return undefined;
  const isRedis = URL.canParse(url) && ['redis:', 'rediss:'].includes(new URL(url).protocol);
  if (isRedis) return url;
  throw new UsageError('--queue takes the address of a Redis server', ['--queue redis://localhost:6379']);
}

/** Throws UsageError, StorageError. */
export function openStore(store: string, io: Io): Promise<RunStore> {
  return isBucket(store) ? openS3Store(store, variablesOf(io)) : openFolderStore(fromCwd(io, store), store);
}
