/**
 * The plan of a batch as a file next to its logs, so that a report can count the runs that were not played.
 * It says only what was to be played: what was played, and what came of it, is in the logs alone.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { hashJson } from '../base/canonical.js';
import { StorageError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { systemWords } from '../base/system-words.js';
import { readIfExists } from '../scenario/regular-file.js';
import type { BatchRecord } from '../trajectory/batch-record.js';
import type { PlannedRun } from './plan.js';

export const BATCH_FILE = 'runs.json';

/** `runs` are those that belong in the folder, `all` also those of other shards. */
export function batchRecord(
  title: string,
  { runs, all }: { readonly runs: readonly PlannedRun[]; readonly all: readonly PlannedRun[] },
): BatchRecord {
  return {
    title,
    plan: hashJson('orchestrate-batch-plan-v1', all.map(({ id }) => id).toSorted()),
    runs: runs.map(({ id, cell, seed }) => ({ run: id, ...cell, seed })),
  };
}

const text = z.string().max(10_000);

const recordSchema = z.object({
  title: text,
  plan: text,
  runs: z
    .array(
      z.object({
        run: text,
        scenario: text,
        players: text,
        switches: z.record(text, text),
        seed: text,
      }),
    )
    .max(LIMITS.batchRuns),
});

/** Null if the folder has no such file, as a folder of logs without a batch. Throws StorageError. */
export function readBatchFile(folder: string): BatchRecord | null {
  const path = join(folder, BATCH_FILE);
  try {
    const bytes = readIfExists(path, LIMITS.batchFileBytes);
    return bytes === null ? null : recordSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    const isForeign = error instanceof SyntaxError || error instanceof z.ZodError;
    throw new StorageError(
      `${path} can't be read: ${isForeign ? 'it is not the plan of a batch' : systemWords(error)}`,
      ['without this file, runs that were not played are not counted'],
    );
  }
}
