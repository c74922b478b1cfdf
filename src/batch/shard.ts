/**
 * Which runs of a batch one of several machines plays, although no machine knows the others. Only the id
 * decides, so a run stays in its shard when seeds are added to the batch.
 */
import { sha256 } from '../base/canonical.js';

export interface Shard {
  /** From 1 to `count`. */
  index: number;
  count: number;
}

export function isInShard(runId: string, { index, count }: Shard): boolean {
  const first32Bits = Number.parseInt(sha256(runId).slice(0, 8), 16);
  return first32Bits % count === index - 1;
}

/** Folder of the shard's logs below the batch's. */
export function shardFolder({ index, count }: Shard): string {
  return `shard-${index}-of-${count}`;
}
