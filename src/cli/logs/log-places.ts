/**
 * Folders among the addresses of logs: a folder stands for every log in it and in the folders below it, sorted
 * by name. A batch's internal files are left out: checkpoints of unfinished runs, and second results of runs
 * that were published before.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError, UsageError } from '../../base/errors.js';
import { compareText } from '../../base/ids.js';
import { systemWords } from '../../base/system-words.js';
import type { Io } from '../terminal/io.js';
import { fromCwd, isBucket, isFolder } from '../options/paths.js';

/** Throws UsageError for a folder without logs and for a bucket, StorageError for one that can't be read. */
export function logPlaces(addresses: readonly string[], io: Io): readonly string[] {
  return addresses.flatMap((address) => {
    if (isBucket(address))
      throw new UsageError(`the logs in ${address} must be copied to this machine first`, [
        'any S3 client can do this, such as aws s3 sync --exclude "checkpoints/*"',
      ]);
    return isFolder(fromCwd(io, address)) ? logsIn(address, io) : [address];
  });
}

function logsIn(folder: string, io: Io): readonly string[] {
  const logs = logsBelow(folder, io);
  if (logs.length === 0)
    throw new UsageError(`there is no log in the folder ${folder}`, [
      'choose a folder that contains .sqlite files',
    ]);
  return logs;
}

function logsBelow(folder: string, io: Io): readonly string[] {
  try {
    const entries = readdirSync(fromCwd(io, folder), { withFileTypes: true });
    return entries
      .toSorted((a, b) => compareText(a.name, b.name))
      .flatMap((entry) => {
        const path = join(folder, entry.name);
        if (entry.name.startsWith('.')) return [];
        if (entry.isDirectory()) return entry.name === CHECKPOINTS ? [] : logsBelow(path, io);
        return entry.name.endsWith('.sqlite') && !/\.other-[0-9a-f]+\.sqlite$/.test(entry.name) ? [path] : [];
      });
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw new StorageError(`the folder ${folder} can't be read: ${systemWords(error)}`);
  }
}

/** Of a batch's store. */
const CHECKPOINTS = 'checkpoints';
