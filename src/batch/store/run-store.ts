/**
 * Where the runs of a batch on a queue are stored: a folder that all machines can access (`folder-store.ts`),
 * or a bucket (`s3-store.ts`). What is published there is the source of truth; the queue is only a hint. A
 * run is published once: of several results, the first stays.
 */
import { LogReader } from '../../log/reader.js';
import type { RunEnd } from '../../trajectory/records.js';
import { spendingOf } from '../../trajectory/spending.js';
import type { Spending } from '../../trajectory/spending.js';

/** What a store knows of a run. */
export interface StoredRun {
  /** Otherwise there is only a checkpoint, from which the run continues. */
  isPublished: boolean;
  /** Without its final state; null if no session of the run has ended. */
  end: RunEnd | null;
  spent: Spending;
}

/**
 * `same`: a result with the same chain was already there. `other`: a result with another chain was there, and
 * this one is stored next to it.
 */
export type Publication = 'published' | 'same' | 'other';

/** Every method throws StorageError if the store can't be used. */
export interface RunStore {
  /** As the user named it. */
  name: string;
  /** Created with the store: machines that use different paths for the store still agree on this id. */
  id: string;
  /** Ids of the runs of which the store has anything. */
  list(): Promise<ReadonlySet<string>>;
  read(runId: string): Promise<StoredRun | null>;
  /** Resolves if the store can be used. */
  reach(): Promise<void>;
  /** Stores the closed log of a finished run, and removes its checkpoint. */
  publish(runId: string, log: string): Promise<Publication>;
  /** Stores the progress of a run, replacing its previous checkpoint. */
  checkpoint(runId: string, log: string): Promise<void>;
  /** Copies the run's checkpoint to a path; returns false if there is none. */
  fetch(runId: string, to: string): Promise<boolean>;
}

/** Throws StorageError if the log has no such run, or is damaged. */
export function readStored(log: string, runId: string): Omit<StoredRun, 'isPublished'> {
  const reader = new LogReader(log);
  try {
    const end = reader.end(runId);
    const spent = spendingOf(reader.tokens(runId), reader.run(runId).scenario);
    return { end: end === null ? null : { ...end, finalState: null }, spent };
  } finally {
    reader.close();
  }
}

/** Checks names that were typed or come from a queue: none may lead elsewhere or be hidden. */
const RUN_NAME = /^[^\p{C}/\\.][^\p{C}/\\]{0,240}-[0-9a-f]{12}$/u;

export function isRunName(name: string): boolean {
  return RUN_NAME.test(name);
}

export const LOG_ENDING = '.sqlite';
export const CHECKPOINTS = 'checkpoints';
/** Has the store's id. */
export const STORE_FILE = 'store.json';

/** The name of a result if another result was published before it. */
export function otherName(runId: string, chain: string): string {
  return `${runId}.other-${chain.slice(0, 12)}`;
}
