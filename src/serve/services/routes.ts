/** The services of the API on one router. What each answers comes from a served run; who asks is found out first, for every call alike. */
import type { ConnectRouter, HandlerContext } from '@connectrpc/connect';
import { durationMs } from '@bufbuild/protobuf/wkt';
import type { Duration } from '@bufbuild/protobuf/wkt';
import { create } from '@bufbuild/protobuf';
import { OrchestrateError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { lookUp } from '../../base/look-up.js';
import { FREE_FORM } from '../../model/chat.js';
import { protocolOf } from '../../parse/protocols.js';
import { ackMessage } from '../acks.js';
import type { ServeClock } from '../clock.js';
import {
  Control,
  EntityEventSchema,
  LeaseService,
  ListEntitiesResponseSchema,
  ObservationSchema,
  CommandReadingSchema,
  Part,
  PlayService,
  WorldService,
} from '../gen/orchestrate/world/v1/world_pb.js';
import type {
  AcquireLeaseRequest,
  Entity,
  EntityEvent,
  ListEntitiesRequest,
  ListEntitiesResponse,
  CommandReading,
  Observation,
  ReadCommandRequest,
  StreamObservationsRequest,
  SubmitIntentRequest,
  TickEvent,
  WatchEntitiesRequest,
} from '../gen/orchestrate/world/v1/world_pb.js';
import { spaceOf } from '../spaces.js';
import { requireEntity, requireRole } from '../identity.js';
import type { Principal } from '../identity.js';
import { replyOf } from '../intents.js';
import { observationMessage } from '../observations.js';
import { readCommand } from '../command-reading.js';
import { ServeError } from '../serve-error.js';
import type { CallRequest } from '../../trajectory/records.js';
import type { ServedRun } from '../served-run.js';
import type { ServedWorld } from '../served-world.js';
import type { ApiOptions } from './api-options.js';
import { refusing, refusingStream } from './failures.js';
import {
  entityMessage,
  leaseMessage,
  runState,
  tickMessage,
  worldMessage,
  worldVersion,
} from './messages.js';

export function serviceRoutes(options: ApiOptions): (router: ConnectRouter) => void {
  return (router) => {
    routeWorld(router, options);
    routeLeases(router, options);
    routePlay(router, options);
  };
}

function routeWorld(router: ConnectRouter, { world, identity, clock, ttlMs }: ApiOptions): void {
  const message = (run: ServedRun) => worldMessage(run, world.instance, ttlMs);
  router.service(WorldService, {
    listRuns: (_request, context) =>
      refusing(() => {
        identity.of(context.requestHeader);
        return { worlds: world.runs.map(message) };
      }),
    getWorld: ({ run }, context) =>
      refusing(() => {
        identity.of(context.requestHeader);
        return message(world.run(run));
      }),
    listEntities: (request, context) =>
      refusing(() => {
        identity.of(context.requestHeader);
        return entityPage(world.run(request.run), request);
      }),
    watchEntities: (request, context) =>
      refusingStream(() => {
        identity.of(context.requestHeader);
        return entityEvents(world.run(request.run), request, context.signal);
      }),
    listActions: (request, context) =>
      refusing(() => {
        // It names what the entity has not seen yet.
        requireRole(identity.of(context.requestHeader), 'viewer');
        return { actions: listedActions(world.run(request.run), request.entity) };
      }),
    streamTicks: ({ run }, context) =>
      refusingStream(() => {
        identity.of(context.requestHeader);
        return tickEvents(world.run(run), clock, context.signal);
      }),
    createRun: ({ scenario, seed, set }, context) =>
      refusing(async () => {
        requireRole(identity.of(context.requestHeader), 'operator');
        return message(await created(world.create({ scenario, seed, set })));
      }),
    stopRun: ({ run }, context) =>
      refusing(async () => {
        requireRole(identity.of(context.requestHeader), 'operator');
        const stopped = world.run(run);
        await stopped.stop();
        return message(stopped);
      }),
  });
}

/** A scenario or a setting that can't be played is the operator's mistake, and is told. */
async function created(run: Promise<ServedRun>): Promise<ServedRun> {
  try {
    return await run;
  } catch (error) {
    if (error instanceof OrchestrateError && error.exitCode === 2)
      throw new ServeError('FIELD_INVALID', error.message);
    throw error;
  }
}

function listedActions(run: ServedRun, entity: string) {
  const space = spaceOf(run, entity);
  if (space === null)
    throw new ServeError(
      'FIELD_INVALID',
      `"${entity}" has more than ${LIMITS.actionSpace} actions to number`,
    );
  return space.actions.map(({ action, args }) => ({
    action,
    args: Object.fromEntries(
      Object.entries(args).map(([slot, value]) => [
        slot,
        { value: { case: 'text' as const, value: String(value) } },
      ]),
    ),
  }));
}

async function* tickEvents(
  run: ServedRun,
  clock: ServeClock,
  signal: AbortSignal,
): AsyncGenerator<TickEvent> {
  for await (const { item } of run.ticks(signal)) yield tickMessage(run, item, clock);
}

function hasTags({ tags }: Entity, wanted: readonly string[]): boolean {
  return wanted.every((tag) => tags.includes(tag));
}

const PAGE = 100;
const MOST = 1000;

function entityPage(run: ServedRun, request: ListEntitiesRequest): ListEntitiesResponse {
  const { tags, control, pageSize, pageToken } = request;
  const all = run.opened.scenario.agents
    .map(({ id }) => entityMessage(run, id))
    .filter((one) => hasTags(one, tags) && (control === Control.UNSPECIFIED || one.control === control));
  const from = pageToken === '' ? 0 : Number(pageToken);
  if (!Number.isSafeInteger(from) || from < 0)
    throw new ServeError('FIELD_INVALID', 'page_token is not a token from an earlier page');
  if (pageSize < 0) throw new ServeError('FIELD_INVALID', 'page_size is negative');
  const to = from + Math.min(pageSize === 0 ? PAGE : pageSize, MOST);
  const nextPageToken = to < all.length ? String(to) : '';
  return create(ListEntitiesResponseSchema, { entities: all.slice(from, to), nextPageToken });
}

async function* entityEvents(
  run: ServedRun,
  { tags }: WatchEntitiesRequest,
  signal: AbortSignal,
): AsyncGenerator<EntityEvent> {
  // Before the first look, so that no change falls between.
  const changes = run.news.entityChanges(signal);
  const event = (id: string): EntityEvent | null => {
    const entity = entityMessage(run, id);
    return hasTags(entity, tags) ? create(EntityEventSchema, { entity }) : null;
  };
  for (const { id } of run.opened.scenario.agents) {
    const one = event(id);
    if (one !== null) yield one;
  }
  for await (const { item } of changes) {
    const one = event(item);
    if (one !== null) yield one;
  }
}

function routeLeases(router: ConnectRouter, { world, identity, clock, ttlMs }: ApiOptions): void {
  router.service(LeaseService, {
    acquireLease: (request, context) =>
      refusing(() => {
        const run = world.run(request.run);
        const principal = identity.of(context.requestHeader);
        requireMayAcquire(run, principal, request);
        const lease = run.acquire({
          entity: request.entity,
          controller: controllerName(request.controller),
          principal: principal.name,
          ttlMs: timeToLive(request.ttl, run, ttlMs),
          supersedeEpoch: wholeNumber('supersede_epoch', request.supersedeEpoch),
          requestId: request.requestId,
        });
        return leaseMessage(run, lease, clock);
      }),
    renewLease: ({ lease: secret }, context) =>
      refusing(() => {
        identity.of(context.requestHeader);
        const { run } = world.holder(secret);
        return leaseMessage(run, run.renew(secret), clock);
      }),
    releaseLease: ({ lease: secret }, context) =>
      refusing(() => {
        identity.of(context.requestHeader);
        world.holder(secret).run.release(secret);
        return {};
      }),
  });
}

function requireMayAcquire(run: ServedRun, principal: Principal, request: AcquireLeaseRequest): void {
  requireRole(principal, 'agent');
  requireEntity(principal, request.entity);
  if (request.supersedeEpoch !== 0n) requireRole(principal, 'operator');
  const ours = worldVersion(run);
  if (request.worldVersion !== '' && request.worldVersion !== ours)
    throw new ServeError('VERSION_MISMATCH', `the world's rules are ${ours}, not ${request.worldVersion}`);
}

/** The longest time that a lease lasts without being renewed. */
const MAX_TTL_MS = 60_000;

function timeToLive(asked: Duration | undefined, { pace }: ServedRun, usual: number): number {
  if (asked === undefined) return usual;
  const ms = durationMs(asked);
  const least = 2 * pace.periodMs;
  if (Number.isFinite(ms) && ms >= least && ms > 0 && ms <= MAX_TTL_MS) return ms;
  throw new ServeError('FIELD_INVALID', `ttl must be from ${Math.max(1, least)} ms to ${MAX_TTL_MS} ms`);
}

/** Names what a log and a page show: one line, without control characters. */
function controllerName(name: string): string {
  const isPlain = !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) && name.isWellFormed();
  if (name !== '' && name.length <= LIMITS.controllerNameCharacters && isPlain) return name;
  throw new ServeError(
    'FIELD_INVALID',
    `controller must be a name of 1 to ${LIMITS.controllerNameCharacters} characters on one line`,
  );
}

function wholeNumber(field: string, value: bigint): number {
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new ServeError('FIELD_INVALID', `${field} must be a whole number from 0 to 2^53`);
}

function routePlay(router: ConnectRouter, { world, identity }: ApiOptions): void {
  router.service(PlayService, {
    streamObservations: (request, context) =>
      refusingStream(() => {
        const principal = identity.of(context.requestHeader);
        // The numbers count what is hidden too.
        if (request.parts.includes(Part.LEGAL)) requireRole(principal, 'viewer');
        return observations(world, request, context.signal);
      }),
    submitIntent: (request, context: HandlerContext) =>
      refusing(async () => {
        identity.of(context.requestHeader);
        return submitted(world, request);
      }),
    readCommand: (request, context) =>
      refusing(() => {
        identity.of(context.requestHeader);
        return commandRead(world, request);
      }),
  });
}

/** How many ticks are repeated to who missed them. */
const MOST_PAST_TICKS = 64;

function missedBy(run: ServedRun, entity: string, after: number): readonly CallRequest[] {
  if (run.tick - after <= MOST_PAST_TICKS) return run.past(entity, after);
  const words = `after_tick must be at most ${MOST_PAST_TICKS} ticks before the current tick, ${run.tick}`;
  throw new ServeError('RESUME_TOO_OLD', words);
}

/** What every observation of one stream is written with. */
function observationContext(run: ServedRun, entity: string, parts: readonly Part[]) {
  const { scenario, environment } = run.opened;
  const agent = scenario.agents.find(({ id }) => id === entity);
  const { tilePixels, ruler } = scenario.render;
  return {
    run: run.record.runId,
    protocol: agent?.protocol ?? 'command',
    isSpatial: environment.kind === 'grid',
    frame: { tilePixels, marginPixels: ruler ? tilePixels : 0 },
    actions: environment.actions,
    parts,
  };
}

async function* observations(
  world: ServedWorld,
  { lease: secret, parts, afterTick }: StreamObservationsRequest,
  signal: AbortSignal,
): AsyncGenerator<Observation> {
  const { run, lease } = world.holder(secret);
  const { runId } = run.record;
  const { entity, epoch } = lease;
  const context = observationContext(run, entity, parts);
  const reader = run.gate(entity).observe(signal);
  const after = wholeNumber('after_tick', afterTick);
  const missed = after === 0 ? [] : missedBy(run, entity, after);
  // Clients wait for the first message: it says at once that the stream is open.
  yield create(ObservationSchema, { run: runId, entity, epoch: BigInt(epoch), state: runState(run) });
  for (const { agent, turn, attempt, observation, messages } of missed) {
    const input = { agent, turn, attempt, observation, messages, form: FREE_FORM, memory: null };
    const message = observationMessage(input, { ...context, epoch, timeLeftMs: 0, skippedTicks: 0 });
    message.isPast = true;
    yield message;
  }
  for await (const { item, skipped } of reader) {
    const message = observationMessage(item.input, {
      ...context,
      epoch: item.epoch,
      timeLeftMs: run.timeLeft,
      skippedTicks: skipped,
    });
    message.problem = item.problem;
    if (parts.includes(Part.LEGAL))
      message.legal = [...(spaceOf(run, entity)?.legalIn(item.input.observation) ?? [])];
    message.reward = item.earned.reward;
    message.totalReward = item.earned.total;
    message.state = runState(run);
    yield message;
  }
  const { reward, total, terminated, truncated } = run.ending(entity);
  yield create(ObservationSchema, {
    run: runId,
    entity,
    epoch: BigInt(epoch),
    reward,
    totalReward: total,
    terminated,
    truncated,
    tick: BigInt(run.tick),
    isFinal: true,
    state: runState(run),
    reason: run.end?.reason ?? '',
  });
}

async function submitted(world: ServedWorld, request: SubmitIntentRequest) {
  const { run, lease } = world.holder(request.lease);
  if (request.entity !== '' && request.entity !== lease.entity)
    throw new ServeError('FIELD_INVALID', `the lease is for "${lease.entity}", not "${request.entity}"`);
  if (request.epoch !== 0n && Number(request.epoch) !== lease.epoch)
    throw new ServeError('EPOCH_CHANGED', `the lease has epoch ${lease.epoch}`);
  const { scenario } = run.opened;
  const agent = scenario.agents.find(({ id }) => id === lease.entity);
  const protocol = protocolOf(agent?.protocol ?? 'command');
  const spoken = (name: string): string => lookUp(scenario.spokenNames, name) ?? name;
  const reply = replyOf(request.intent, { protocol, actions: run.opened.environment.actions, spoken });
  const tick = wholeNumber('tick', request.tick);
  const basedOn = wholeNumber('based_on_tick', request.basedOnTick);
  const outcome = await run.submit(request.lease, {
    tick,
    basedOn: basedOn === 0 ? tick : basedOn,
    attempt: request.attempt === 0 ? 1 : request.attempt,
    reply,
    requestId: request.requestId,
  });
  return ackMessage(outcome);
}

/** Nothing of it is remembered: the world does not move, and no attempt is used up. */
function commandRead(world: ServedWorld, { lease: secret, line }: ReadCommandRequest): CommandReading {
  const { run, lease } = world.holder(secret);
  const observation = run.gate(lease.entity).perceived(lease);
  if (observation === null) return create(CommandReadingSchema, { message: 'there is no observation yet' });
  return readCommand(line, observation, run.opened.environment.actions);
}
