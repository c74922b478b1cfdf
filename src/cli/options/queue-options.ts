/**
 * `--queue` and `--store` of `batch` and `worker`. In: what was typed; out: the address of a queue and an
 * opened store (on disk, or over the network), or a UsageError that explains what to type.
 */
import type { Argv } from 'yargs';
import { UsageError } from '../../base/errors.js';
import { openFolderStore } from '../../batch/store/folder-store.js';
import { openS3Store } from '../../batch/store/s3-store.js';
import type { RunStore } from '../../batch/store/run-store.js';
import type { Io } from '../terminal/io.js';
import { once } from './command-line.js';
import { fromCwd, isBucket } from './paths.js';
import { variablesOf } from './variables.js';

/** The parser, with the options. */
export function withQueue<T>(parser: Argv<T>) {
  return parser
    .option('queue', {
      type: 'string',
      describe: 'Redis server from which workers take the runs, such as redis://host:6379',
      coerce: queueUrl,
    })
    .option('store', {
      type: 'string',
      describe: 'Where the runs of a queue are stored: a folder, or s3://BUCKET/PREFIX',
      coerce: once('store'),
    });
}

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
