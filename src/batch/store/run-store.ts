/**
 * Where the runs of a batch on a queue lie: a folder that all machines see (`folder-store.ts`), or a bucket (`s3-store.ts`). What is published
 * there is the truth; the queue is only a hint. A run is published once: of several results the first stays.
 */
import { LogReader } from '../../log/reader.js';
import type { RunEnd } from '../../trajectory/records.js';
import { spentOn } from '../../trajectory/spending.js';
import type { Spending } from '../../trajectory/spending.js';

/** What a store knows of a run. */
export interface StoredRun {
  /** Otherwise only a checkpoint is there, which is continued. */
  readonly isPublished: boolean;
  /** Without its final state; null if no session of it has ended. */
  readonly end: RunEnd | null;
  readonly spent: Spending;
}

/** `same`: it was there, with the same chain. `other`: it was there with another one; this result is kept beside it. */
export type Publication = 'published' | 'same' | 'other';

/** Every method throws StorageError if the store can't be used. */
export interface RunStore {
  /** As the user named it. */
  readonly name: string;
  /** Made with the store: machines that call it by different paths meet under it. */
  readonly id: string;
  /** Ids of the runs of which it has something. */
  list(): Promise<ReadonlySet<string>>;
  read(runId: string): Promise<StoredRun | null>;
  /** Does nothing, where the store can be used. */
  reach(): Promise<void>;
  /** Stores the closed log of a run that is over, and drops its checkpoint. */
  publish(runId: string, log: string): Promise<Publication>;
  /** Stores how far a run is, in place of what was stored before. */
  checkpoint(runId: string, log: string): Promise<void>;
  /** Copies the run's checkpoint to a path; false where there is none. */
  fetch(runId: string, to: string): Promise<boolean>;
}

/** Throws StorageError if the log has no such run, or is damaged. */
export function readStored(log: string, runId: string): Omit<StoredRun, 'isPublished'> {
  const reader = new LogReader(log);
  try {
    const end = reader.end(runId);
    const spent = spentOn(reader.tokens(runId), reader.run(runId).scenario);
    return { end: end === null ? null : { ...end, finalState: null }, spent };
  } finally {
    reader.close();
  }
}

/** Of names that were typed or come from a queue: none that leads elsewhere, or is hidden. */
const RUN_NAME = /^[^\p{C}/\\.][^\p{C}/\\]{0,240}-[0-9a-f]{12}$/u;

export function isRunName(name: string): boolean {
  return RUN_NAME.test(name);
}

export const LOG_ENDING = '.sqlite';
export const CHECKPOINTS = 'checkpoints';
/** Has the store's id. */
export const STORE_FILE = 'store.json';

/** Of a result that another one was published before. */
export function otherName(runId: string, chain: string): string {
  return `${runId}.other-${chain.slice(0, 12)}`;
}
