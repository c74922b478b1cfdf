/**
 * The services of the API on one router. Each answers from a served run; for every call, the principal is
 * determined first.
 */
import type { ConnectRouter } from '@connectrpc/connect';
import { durationMs } from '@bufbuild/protobuf/wkt';
import type { Duration } from '@bufbuild/protobuf/wkt';
import { create } from '@bufbuild/protobuf';
import { OrchestrateError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { ServeClock } from '../clock.js';
import {
  Control,
  EntityEventSchema,
  LeaseService,
  ListEntitiesResponseSchema,
  WorldService,
} from '../gen/orchestrate/world/v1/world_pb.js';
import type {
  CreateRunRequest,
  Entity,
  EntityEvent,
  ListEntitiesRequest,
  ListEntitiesResponse,
  TickEvent,
  WatchEntitiesRequest,
} from '../gen/orchestrate/world/v1/world_pb.js';
import { spaceOf } from '../spaces.js';
import { requireControl, requireRole } from '../identity.js';
import { ServeError } from '../serve-error.js';
import type { ServedRun } from '../served-run.js';
import type { RunRequest } from '../served-world.js';
import type { ApiOptions } from './api-options.js';
import { withStatus, streamWithStatus } from './failures.js';
import { wholeNumber } from './fields.js';
import { entityMessage, leaseMessage, tickMessage, worldMessage, worldVersionOf } from './messages.js';

export function routeWorld(router: ConnectRouter, { world, identity, clock, ttlMs }: ApiOptions): void {
  const message = (run: ServedRun) => worldMessage(run, world.instance, ttlMs);
  router.service(WorldService, {
    listRuns: (_request, context) =>
      withStatus(() => {
        identity.authenticate(context.requestHeader);
        return { worlds: world.runs.map(message) };
      }),
    getWorld: ({ run }, context) =>
      withStatus(() => {
        identity.authenticate(context.requestHeader);
        return message(world.run(run));
      }),
    listEntities: (request, context) =>
      withStatus(() => {
        identity.authenticate(context.requestHeader);
        return entityPage(world.run(request.run), request);
      }),
    watchEntities: (request, context) =>
      streamWithStatus(() => {
        identity.authenticate(context.requestHeader);
        return entityEvents(world.run(request.run), request, context.signal);
      }, context.signal),
    listActions: (request, context) =>
      withStatus(() => {
        // It names things that the entity has not seen yet.
        requireRole(identity.authenticate(context.requestHeader), 'viewer');
        const space = spaceOf(world.run(request.run), request.entity);
        if (space === null)
          throw new ServeError(
            'FIELD_INVALID',
            `"${request.entity}" has more than ${LIMITS.actionSpace} possible actions, too many for a list`,
          );
        return {
          actions: space.actions.map(({ action, args }) => ({
            action,
            args: Object.fromEntries(
              Object.entries(args).map(([slot, value]) => [
                slot,
                { value: { case: 'text' as const, value: String(value) } },
              ]),
            ),
          })),
        };
      }),
    streamTicks: ({ run }, context) =>
      streamWithStatus(() => {
        identity.authenticate(context.requestHeader);
        return tickEvents(world.run(run), clock, context.signal);
      }, context.signal),
    createRun: (request, context) =>
      withStatus(async () => {
        requireRole(identity.authenticate(context.requestHeader), 'operator');
        return message(await reportInvalid(world.create(runRequest(request))));
      }),
    stopRun: ({ run }, context) =>
      withStatus(async () => {
        requireRole(identity.authenticate(context.requestHeader), 'operator');
        const stopped = world.run(run);
        await stopped.stop();
        return message(stopped);
      }),
  });
}

function runRequest({ scenario, seed, set, fromRun: run, fromTick }: CreateRunRequest): RunRequest {
  const tick = wholeNumber('from_tick', fromTick);
  if (run === '' && tick !== 0) throw new ServeError('FIELD_INVALID', 'from_tick needs from_run');
  if (run === '') return { scenario, seed, set, from: null };
  if (scenario !== '' || seed !== '')
    throw new ServeError(
      'FIELD_INVALID',
      'from_run has its own scenario and seed: leave out scenario and seed',
    );
  return { scenario, seed, set, from: { run, tick } };
}

/** A scenario or a setting that can't be played is the operator's mistake, and is reported. */
async function reportInvalid(run: Promise<ServedRun>): Promise<ServedRun> {
  try {
    return await run;
  } catch (error) {
    if (error instanceof OrchestrateError && error.exitCode === 2)
      throw new ServeError('FIELD_INVALID', error.message);
    throw error;
  }
}

async function* tickEvents(
  run: ServedRun,
  clock: ServeClock,
  signal: AbortSignal,
): AsyncGenerator<TickEvent> {
  for await (const { item } of run.ticks(signal)) yield tickMessage(run, item, clock);
}

function hasTags({ tags }: Entity, required: readonly string[]): boolean {
  return required.every((tag) => tags.includes(tag));
}

const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1000;

function entityPage(run: ServedRun, request: ListEntitiesRequest): ListEntitiesResponse {
  const { tags, control, pageSize, pageToken } = request;
  const entities = run.opened.scenario.agents
    .map(({ id }) => entityMessage(run, id))
    .filter(
      (entity) => hasTags(entity, tags) && (control === Control.UNSPECIFIED || entity.control === control),
    );
  const from = pageToken === '' ? 0 : Number(pageToken);
  if (!Number.isSafeInteger(from) || from < 0)
    throw new ServeError('FIELD_INVALID', 'page_token is not a token from an earlier page');
  if (pageSize < 0) throw new ServeError('FIELD_INVALID', 'page_size is negative');
  const to = from + Math.min(pageSize === 0 ? DEFAULT_PAGE_SIZE : pageSize, MAX_PAGE_SIZE);
  const nextPageToken = to < entities.length ? String(to) : '';
  return create(ListEntitiesResponseSchema, { entities: entities.slice(from, to), nextPageToken });
}

async function* entityEvents(
  run: ServedRun,
  { tags }: WatchEntitiesRequest,
  signal: AbortSignal,
): AsyncGenerator<EntityEvent> {
  // Subscribes before the first list, so that no change is missed.
  const changes = run.news.entityChanges(signal);
  const eventOf = (id: string): EntityEvent | null => {
    const entity = entityMessage(run, id);
    return hasTags(entity, tags) ? create(EntityEventSchema, { entity }) : null;
  };
  for (const { id } of run.opened.scenario.agents) {
    const event = eventOf(id);
    if (event !== null) yield event;
  }
  for await (const { item } of changes) {
    const event = eventOf(item);
    if (event !== null) yield event;
  }
}

export function routeLeases(router: ConnectRouter, { world, identity, clock, ttlMs }: ApiOptions): void {
  router.service(LeaseService, {
    acquireLease: (request, context) =>
      withStatus(async () => {
        const run = world.run(request.run);
        const principal = identity.authenticate(context.requestHeader);
        requireControl(principal, request.entity);
        if (request.supersedeEpoch !== 0n) requireRole(principal, 'operator');
        const ownVersion = worldVersionOf(run);
        if (request.worldVersion !== '' && request.worldVersion !== ownVersion)
          throw new ServeError(
            'VERSION_MISMATCH',
            `the version of the world's rules is ${ownVersion}, not ${request.worldVersion}`,
          );
        await run.begin();
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
      withStatus(() => {
        const principal = identity.authenticate(context.requestHeader);
        const { run, lease } = world.holder(secret);
        requireControl(principal, lease.entity);
        return leaseMessage(run, run.renew(secret), clock);
      }),
    releaseLease: ({ lease: secret }, context) =>
      withStatus(() => {
        const principal = identity.authenticate(context.requestHeader);
        const { run, lease } = world.holder(secret);
        requireControl(principal, lease.entity);
        run.release(secret);
        return {};
      }),
  });
}

/** The longest time that a lease may last without being renewed. */
const MAX_TTL_MS = 60_000;

function timeToLive(requested: Duration | undefined, { pace }: ServedRun, defaultMs: number): number {
  if (requested === undefined) return defaultMs;
  const ms = durationMs(requested);
  const minMs = 2 * pace.periodMs;
  if (Number.isFinite(ms) && ms >= minMs && ms > 0 && ms <= MAX_TTL_MS) return ms;
  throw new ServeError('FIELD_INVALID', `ttl must be between ${Math.max(1, minMs)} and ${MAX_TTL_MS} ms`);
}

/** The name appears in logs and on pages, so it must be one line without control characters. */
function controllerName(name: string): string {
  const isPlain = !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) && name.isWellFormed();
  if (name !== '' && name.length <= LIMITS.controllerNameCharacters && isPlain) return name;
  throw new ServeError(
    'FIELD_INVALID',
    `controller must be a name of 1 to ${LIMITS.controllerNameCharacters} characters on one line`,
  );
}
