/**
 * Reads logs in worker processes of this machine (`--workers N`). The parts come in the same order as from
 * `readHere`.
 */
import type { ReadingSpec, ReadValue } from './log-readings.js';
import type { AddressedPart, ReadPart } from './read-logs.js';
import { WorkerPool } from './worker-pool.js';

export async function* readInWorkers<Spec extends ReadingSpec>(
  addresses: readonly string[],
  spec: Spec,
  workers: number,
): AsyncGenerator<AddressedPart<ReadValue<Spec>>> {
  const logOf = (address: string): string => address;
  const pool = new WorkerPool({ job: { kind: 'runs', spec }, items: addresses, logOf, workers });
  try {
    for (const [i, address] of addresses.entries())
      for await (const part of pool.partsOf(i)) yield { ...(part as ReadPart<ReadValue<Spec>>), address };
  } finally {
    pool.close();
  }
}
