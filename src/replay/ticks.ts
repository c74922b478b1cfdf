/**
 * Groups logged steps as the world advanced: each step alone if agents act in turn, those of one turn
 * together if they act at once, and the world's own part by itself.
 */
import { WORLD_ID } from '../base/ids.js';
import type { StepRecord } from '../trajectory/records.js';
import type { Scenario } from '../scenario/scenario.js';

/** Never empty. */
export type StepsOfTick = readonly [StepRecord, ...StepRecord[]];

/** Whether both were settled together. */
export function isOneTick(one: StepRecord, other: StepRecord, order: Scenario['turns']['order']): boolean {
  if (order === 'sequential') return one.step === other.step;
  return one.turn === other.turn && one.agent !== WORLD_ID && other.agent !== WORLD_ID;
}

/** In the records' order; the last one may be cut off by the records' end. */
export function* ticksOf(
  records: Iterable<StepRecord>,
  order: Scenario['turns']['order'],
): Generator<StepsOfTick, void> {
  let tick: [StepRecord, ...StepRecord[]] | null = null;
  for (const record of records) {
    if (tick !== null && isOneTick(tick[0], record, order)) tick.push(record);
    else {
      if (tick !== null) yield tick;
      tick = [record];
    }
  }
  if (tick !== null) yield tick;
}
