/** The ledger of a batch on a queue: what the store has of its runs. The queue is not consulted. */
import type { LedgerRun } from '../ledger.js';
import type { PlannedRun } from '../plan.js';
import type { RunStore } from './run-store.js';

/** The number of concurrent requests to the store. */
const AT_ONCE = 16;

/** Throws StorageError. */
export async function readStoreLedger(
  store: RunStore,
  runs: readonly PlannedRun[],
): Promise<ReadonlyMap<string, LedgerRun>> {
  const stored = await store.list();
  const ids = runs.map(({ id }) => id).filter((id) => stored.has(id));
  const ledger = new Map<string, LedgerRun>();
  let next = 0;
  const reader = async (): Promise<void> => {
    while (next < ids.length) {
      const number = next++;
      const id = ids[number] ?? '';
      const run = await store.read(id);
      // Each run has its own log, and so its own number.
      if (run !== null)
        ledger.set(id, { log: number + 1, end: run.isPublished ? run.end : null, spent: run.spent });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, reader));
  return ledger;
}
