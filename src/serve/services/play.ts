/** Playing: the stream of what an entity perceives, and the intents that answer it. */
import { create, toJsonString } from '@bufbuild/protobuf';
import type { ConnectRouter, HandlerContext } from '@connectrpc/connect';
import { FREE_FORM } from '../../model/chat.js';
import { lookUp } from '../../base/look-up.js';
import { protocolOf } from '../../parse/protocols.js';
import type { CallRequest } from '../../trajectory/records.js';
import { ackMessage } from '../acks.js';
import { readCommand } from '../command-reading.js';
import {
  CommandReadingSchema,
  Part,
  PlayService,
  SubmitIntentRequestSchema,
} from '../gen/orchestrate/world/v1/world_pb.js';
import type {
  IntentAck,
  StreamObservationsRequest,
  SubmitIntentRequest,
} from '../gen/orchestrate/world/v1/world_pb.js';
import { requireControl, requireRole } from '../identity.js';
import { replyOf } from '../intents.js';
import { observationInit } from '../observations.js';
import type { ObservationInit } from '../observations.js';
import { ServeError } from '../serve-error.js';
import type { ServedRun } from '../served-run.js';
import type { ServedWorld } from '../served-world.js';
import { spaceOf } from '../spaces.js';
import type { ApiOptions } from './api-options.js';
import { withStatus, streamWithStatus } from './failures.js';
import { wholeNumber } from './fields.js';
import { runState } from './messages.js';

export function routePlay(router: ConnectRouter, options: ApiOptions): void {
  const { world, identity } = options;
  router.service(PlayService, {
    streamObservations: (request, context) =>
      streamWithStatus(() => {
        const principal = identity.authenticate(context.requestHeader);
        // The numbers include hidden things.
        if (request.parts.includes(Part.LEGAL)) requireRole(principal, 'viewer');
        const holder = world.holder(request.lease);
        requireControl(principal, holder.lease.entity);
        return observations(holder, request, context.signal);
      }, context.signal),
    submitIntent: (request, context) => withStatus(() => handleIntent(options, request, context)),
    readCommand: (request, context) =>
      withStatus(() => {
        const principal = identity.authenticate(context.requestHeader);
        const { run, lease } = world.holder(request.lease);
        requireControl(principal, lease.entity);
        // Nothing is stored: the world does not change, and no attempt is used up.
        const observation = run.gate(lease.entity).latestObservation(lease);
        if (observation === null)
          return create(CommandReadingSchema, { message: 'there is no observation yet' });
        return readCommand(request.line, observation, run.opened.environment.actions);
      }),
  });
}

/** The maximum number of ticks that are repeated for a client that missed them. */
const MOST_PAST_TICKS = 64;

function missedRequests(run: ServedRun, entity: string, after: number): readonly CallRequest[] {
  if (run.tick - after <= MOST_PAST_TICKS) return run.store.pastRequests(entity, after);
  const message = `after_tick must be at most ${MOST_PAST_TICKS} ticks before the current tick, ${run.tick}`;
  throw new ServeError('RESUME_TOO_OLD', message);
}

/** What every observation of one stream needs. */
function observationContext(run: ServedRun, entity: string, parts: readonly Part[]) {
  const { scenario, environment } = run.opened;
  const agent = scenario.agents.find(({ id }) => id === entity);
  const { tilePixels, ruler } = scenario.render;
  return {
    run: run.record.runId,
    protocol: agent?.protocol ?? 'command',
    briefing: run.gate(entity).briefing,
    isSpatial: environment.kind === 'grid',
    frame: { tilePixels, marginPixels: ruler ? tilePixels : 0 },
    actions: environment.actions,
    parts,
  };
}

/** A lease, and the run of its entity. */
type LeaseHolder = ReturnType<ServedWorld['holder']>;

async function* observations(
  { run, lease }: LeaseHolder,
  { parts, afterTick }: StreamObservationsRequest,
  signal: AbortSignal,
): AsyncGenerator<ObservationInit> {
  const { runId } = run.record;
  const { entity, epoch } = lease;
  const context = observationContext(run, entity, parts);
  const reader = run.gate(entity).observe(signal);
  const after = wholeNumber('after_tick', afterTick);
  const missed = after === 0 ? [] : missedRequests(run, entity, after);
  // Clients wait for the first message, which confirms at once that the stream is open.
  yield { run: runId, entity, epoch: BigInt(epoch), state: runState(run) };
  for (const { agent, turn, attempt, observation, messages } of missed) {
    const input = { agent, turn, attempt, observation, messages, form: FREE_FORM, memory: null };
    const init = observationInit(input, { ...context, epoch, timeLeftMs: 0, skippedTicks: 0 });
    yield { ...init, isPast: true };
  }
  for await (const { item, skipped } of reader) {
    const init = observationInit(item.input, {
      ...context,
      epoch: item.epoch,
      timeLeftMs: run.timeLeft,
      skippedTicks: skipped,
    });
    const legal = parts.includes(Part.LEGAL)
      ? spaceOf(run, entity)?.legalIn(item.input.observation)
      : undefined;
    yield Object.assign(init, {
      problem: item.problem,
      legal: [...(legal ?? [])],
      reward: item.earned.reward,
      rewards: [...item.earned.byName],
      totalReward: item.earned.total,
      state: runState(run),
    });
  }
  const { reward, byName, total, terminated, truncated } = run.ending(entity);
  yield {
    run: runId,
    entity,
    epoch: BigInt(epoch),
    reward,
    rewards: [...byName],
    totalReward: total,
    terminated,
    truncated,
    tick: BigInt(run.tick),
    isFinal: true,
    state: runState(run),
    reason: run.end?.reason ?? '',
  };
}

async function handleIntent(
  { world, identity }: ApiOptions,
  request: SubmitIntentRequest,
  { requestHeader }: HandlerContext,
): Promise<IntentAck> {
  const principal = identity.authenticate(requestHeader);
  const { run, lease } = world.holder(request.lease);
  requireControl(principal, lease.entity);
  if (request.entity !== '' && request.entity !== lease.entity)
    throw new ServeError('FIELD_INVALID', `the lease is for "${lease.entity}", not "${request.entity}"`);
  if (request.epoch !== 0n && Number(request.epoch) !== lease.epoch)
    throw new ServeError('EPOCH_CHANGED', `the lease has epoch ${lease.epoch}, not ${request.epoch}`);
  const { scenario } = run.opened;
  const agent = scenario.agents.find(({ id }) => id === lease.entity);
  const protocol = protocolOf(agent?.protocol ?? 'command');
  const spoken = (name: string): string => lookUp(scenario.spokenNames, name) ?? name;
  const observation = run.gate(lease.entity).latestObservation(lease);
  const { actions, namesOfKind = () => [] } = run.opened.environment;
  const reply = replyOf(request.intent, { protocol, actions, spoken, namesOfKind, observation });
  const tick = wholeNumber('tick', request.tick);
  const basedOn = wholeNumber('based_on_tick', request.basedOnTick);
  const outcome = await run.submit(request.lease, {
    tick,
    basedOn: basedOn === 0 ? tick : basedOn,
    attempt: request.attempt === 0 ? 1 : request.attempt,
    reply,
    requestId: request.requestId,
    content: request.requestId === '' ? '' : toJsonString(SubmitIntentRequestSchema, request),
  });
  return ackMessage(outcome);
}
