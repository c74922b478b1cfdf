/**
 * The plans of the batches to which logs belong. Only folders of which every log was chosen have one. Of a
 * part of a folder's logs nobody can say which runs were not played.
 */
import { dirname } from 'node:path';
import { readBatchFile } from '../../scenario/batch-record.js';
import { errorMessage } from '../../base/errors.js';
import type { BatchRecord } from '../../scenario/batch-record.js';
import { fromCwd } from '../options/paths.js';
import { printWarning } from '../text/error-text.js';
import type { Io } from '../terminal/io.js';
import { logPlaces } from './log-places.js';

/** A plan that can't be read is reported and left out. */
export function batchPlans(addresses: readonly string[], io: Io): readonly BatchRecord[] {
  const places = logPlaces(addresses, io);
  const chosen = new Set(places.map((path) => fromCwd(io, path)));
  return [...new Set(places.map(dirname))].flatMap((folder) => {
    try {
      const record = readBatchFile(fromCwd(io, folder));
      if (record === null) return [];
      const logs = logPlaces([folder], io).filter(
        (path) => fromCwd(io, dirname(path)) === fromCwd(io, folder),
      );
      return logs.every((path) => chosen.has(fromCwd(io, path))) ? [record] : [];
    } catch (error) {
      printWarning(errorMessage(error), io);
      return [];
    }
  });
}
