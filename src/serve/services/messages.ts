/** Runs, entities, ticks and leases as API messages. */
import { create } from '@bufbuild/protobuf';
import { PROGRAM_VERSION } from '../../assembly/version.js';
import { worldVersion } from '../../environment/environment.js';
import { LOG_VERSION } from '../../log/log-version.js';
import type { ServeClock } from '../clock.js';
import {
  Control,
  EntitySchema,
  LeaseSchema,
  Order,
  Pace,
  Phase,
  RunState,
  TickEventSchema,
  WorldSchema,
} from '../gen/orchestrate/world/v1/world_pb.js';
import type {
  Entity,
  Lease as LeaseMessage,
  TickEvent,
  World,
} from '../gen/orchestrate/world/v1/world_pb.js';
import type { Lease } from '../leases.js';
import type { TickNews } from '../run-news.js';
import type { ServedRun } from '../served-run.js';
import type { ServedState } from '../serving.js';
import { wireDuration, wireTimestamp } from '../durations.js';

/**
 * The number of releases that added something to v1 of the API; an addition belongs to the revision after the
 * newest `proto/v1-revision-N.binpb`.
 */
export const API_REVISION = 3;

const STATES: Readonly<Record<ServedState, RunState>> = {
  waiting: RunState.WAITING,
  running: RunState.RUNNING,
  paused: RunState.PAUSED,
  succeeded: RunState.SUCCEEDED,
  failed: RunState.FAILED,
  ended: RunState.ENDED,
  interrupted: RunState.INTERRUPTED,
  error: RunState.ERROR,
};

export function runState(run: ServedRun): RunState {
  return STATES[run.state];
}

/** The version of the rules of the run's world. */
export function worldVersionOf({ opened: { environment } }: ServedRun): string {
  return worldVersion(environment.kind, environment.rulesVersion);
}

export function worldMessage(run: ServedRun, instance: string, ttlMs: number): World {
  const { opened, pace, record } = run;
  const { scenario, environment } = opened;
  return create(WorldSchema, {
    run: record.runId,
    title: scenario.title,
    kind: environment.kind,
    scenario: scenario.name,
    seed: record.seed,
    worldVersion: worldVersionOf(run),
    apiRevision: API_REVISION,
    logSchemaVersion: LOG_VERSION,
    programVersion: PROGRAM_VERSION,
    instance,
    order: scenario.turns.order === 'sequential' ? Order.SEQUENTIAL : Order.SIMULTANEOUS,
    pace: pace.kind === 'clock' ? Pace.CLOCK : Pace.LOCKSTEP,
    tickPeriod: wireDuration(pace.periodMs),
    intentWindow: wireDuration(pace.windowMs),
    leaseTtl: wireDuration(ttlMs),
    tick: BigInt(run.tick),
    state: runState(run),
    reason: run.end?.reason ?? (run.state === 'paused' ? 'nobody controls an entity' : ''),
    staleness: run.staleness,
    fromRun: record.parent?.runId ?? '',
  });
}

export function entityMessage(run: ServedRun, id: string): Entity {
  const agent = run.opened.scenario.agents.find((candidate) => candidate.id === id);
  const lease = run.served.includes(id) ? run.leases.currentLease(id) : null;
  return create(EntitySchema, {
    entity: id,
    displayName: agent?.name ?? id,
    type: 'agent',
    tags: [...(agent?.tags ?? [])],
    control: controlOf(run, id),
    controller: lease?.controller ?? '',
    epoch: BigInt(run.leases.epoch(id)),
    spawnTick: 1n,
  });
}

function controlOf(run: ServedRun, id: string): Control {
  if (run.end !== null) return Control.OUT;
  if (!run.served.includes(id)) return Control.SERVER;
  if (!run.acts(id)) return Control.OUT;
  return run.leases.currentLease(id) === null ? Control.FREE : Control.HELD;
}

export function leaseMessage(run: ServedRun, lease: Lease, clock: ServeClock): LeaseMessage {
  const { secret, entity, epoch, firstTick, ttlMs, controller } = lease;
  return create(LeaseSchema, {
    lease: secret,
    run: run.record.runId,
    entity,
    epoch: BigInt(epoch),
    firstTick: BigInt(firstTick),
    ttl: wireDuration(ttlMs),
    expireTime: wireTimestamp(clock.wallMs() + run.leases.timeToLive(lease, clock.monotonicMs())),
    controller,
  });
}

const PHASES: Readonly<Record<TickNews['phase'], Phase>> = {
  open: Phase.OPEN,
  settled: Phase.SETTLED,
  'run-ended': Phase.RUN_ENDED,
};

export function tickMessage(run: ServedRun, news: TickNews, clock: ServeClock): TickEvent {
  const { tick, phase, times, asked, timing } = news;
  const atWall = (ms: number) => wireTimestamp(clock.wallMs() + (ms - clock.monotonicMs()));
  return create(TickEventSchema, {
    run: run.record.runId,
    tick: BigInt(tick),
    phase: PHASES[phase],
    ...(times === null
      ? {}
      : {
          startTime: atWall(times.startsAt),
          deadlineTime: atWall(times.closesAt),
          overrun: wireDuration(times.overrunMs),
        }),
    ...(timing === null
      ? {}
      : { overrun: wireDuration(timing.overrunMs), settle: wireDuration(timing.settleMs) }),
    timeLeft: wireDuration(phase === 'open' ? run.timeLeft : 0),
    worldVersion: worldVersionOf(run),
    asked: [...asked],
    decided: [...run.earnings.decided],
  });
}
