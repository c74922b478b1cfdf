/**
 * What a log says about the leases of a continued run: a restart ends all of them, and epochs continue from
 * theirs.
 */
import type { LogReader } from '../log/reader.js';
import type { LeaseRecord } from '../trajectory/records.js';
import { lastStep } from '../replay/restored-history.js';
import { WORLD_ID } from '../base/ids.js';
import { Earnings } from './earnings.js';
import type { LeaseEvent } from './leases.js';
import type { ServedBefore } from './run-store.js';

export interface RestartedRun {
  before: ServedBefore;
  /** Records that the leases held at the time of the shutdown have ended. */
  ended: readonly LeaseEvent[];
}

export function restartedRun(reader: LogReader, runId: string): RestartedRun {
  const lastEvents = new Map<string, LeaseRecord>();
  for (const event of reader.leases(runId)) lastEvents.set(event.entity, event);
  const held = [...lastEvents.values()].filter(({ event }) => event === 'granted');
  const tick = lastTick(reader, runId);
  const epochs = new Map([...lastEvents].map(([entity, { epoch }]) => [entity, epoch]));
  const ended = held.map(({ entity, epoch, controller, principal }) => ({
    entity,
    epoch,
    kind: 'restarted' as const,
    controller,
    principal,
    tick: tick + 1,
  }));
  const earnings = new Earnings(reader.steps(runId, { snapshots: false }));
  return { before: { tick, epochs, held: tick === 0 ? null : held.length, earnings }, ended };
}

/** The last tick whose end is in the log. */
function lastTick(reader: LogReader, runId: string): number {
  const step = lastStep(reader, runId);
  const record = step === 0 ? null : reader.step(runId, step);
  if (record === null) return 0;
  return record.agent === WORLD_ID ? record.turn : record.turn - 1;
}
