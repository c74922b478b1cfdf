/**
 * What a batch planned to play, as a file next to its logs: logs contain only what began, and a report must also
 * count what was never played. What was played, and what came of it, is in the logs alone.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { StorageError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { systemWords } from '../base/system-words.js';
import { readIfExists } from './regular-file.js';

/** A run that was planned, whether it was played or not. */
export interface PlannedRecord {
  run: string;
  /** The scenario's name. */
  scenario: string;
  /** The players' name in the batch; '' for the scenario's own. */
  players: string;
  /** The models that its servers are asked for, as far as the batch names them. */
  models: readonly string[];
  /** By agent, the name of its player, if different players have seats. */
  seats?: Readonly<Record<string, string>> | undefined;
  /** Position by switch. */
  switches: Readonly<Record<string, string>>;
  seed: string;
}

export interface BatchRecord {
  title: string;
  /** The hash of all planned runs, including those of other shards: equal for equal plans. */
  plan: string;
  /** The runs that belong in this folder. */
  runs: readonly PlannedRecord[];
}

export const BATCH_FILE = 'runs.json';

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
        models: z.array(text).max(LIMITS.agents).default([]),
        seats: z.record(text, text).optional(),
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
