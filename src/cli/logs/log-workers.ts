/**
 * Reads logs in worker processes of this machine (`--workers N`). The parts come in the same order as from
 * `readHere`.
 */
import type { ReadingSpec, ReadValue } from './log-readings.js';
import type { AddressedPart, ReadPart } from './read-logs.js';
import { readInPool } from './worker-pool.js';

export async function* readInWorkers<Spec extends ReadingSpec>(
  addresses: readonly string[],
  spec: Spec,
  workers: number,
): AsyncGenerator<AddressedPart<ReadValue<Spec>>> {
  const logOf = (address: string): string => address;
  for await (const { item, part } of readInPool({
    job: { kind: 'runs', spec },
    items: addresses,
    logOf,
    workers,
  }))
    yield { ...(part as ReadPart<ReadValue<Spec>>), address: item };
}
