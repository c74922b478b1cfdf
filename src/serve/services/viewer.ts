/**
 * The service for viewers: a stream of finished steps, filtered, and a snapshot of the whole world as it is
 * drawn. A step is sent only once it is in the log.
 */
import type { ConnectRouter } from '@connectrpc/connect';
import { create } from '@bufbuild/protobuf';
import type { Event } from '../../environment/action.js';
import type { Point } from '../../environment/space.js';
import { ViewerEventsSchema, ViewerService } from '../gen/orchestrate/world/v1/world_pb.js';
import type {
  StreamViewerEventsRequest,
  ViewerEvents,
  ViewFilter,
} from '../gen/orchestrate/world/v1/world_pb.js';
import { meantOf } from '../../base/nearest.js';
import { oneLine } from '../../base/text.js';
import { ServeError } from '../serve-error.js';
import { requireRole } from '../identity.js';
import type { ServedRun } from '../served-run.js';
import type { StepRecord } from '../../trajectory/records.js';
import { withStatus, streamWithStatus } from './failures.js';
import type { ApiOptions } from './api-options.js';

export function routeViewer(router: ConnectRouter, { world, identity }: ApiOptions): void {
  router.service(ViewerService, {
    getViewerSnapshot: ({ run }, context) =>
      withStatus(() => {
        requireRole(identity.authenticate(context.requestHeader), 'viewer');
        const { step, tick, scene } = world.run(run).store.snapshot();
        return { step: BigInt(step), tick: BigInt(tick), sceneJson: JSON.stringify(scene) };
      }),
    streamViewerEvents: (request, context) =>
      streamWithStatus(() => {
        requireRole(identity.authenticate(context.requestHeader), 'viewer');
        const run = world.run(request.run);
        requireKinds(request.filter, run.opened.environment.eventKinds);
        return viewerEvents(run, request, context.signal);
      }, context.signal),
  });
}

/** A misspelt kind would wait for ever. Throws ServeError. */
function requireKinds(filter: ViewFilter | undefined, known: readonly string[] | undefined): void {
  if (known === undefined) return;
  const unknown = filter?.kinds.find((kind) => !known.includes(kind));
  if (unknown === undefined) return;
  throw new ServeError(
    'FIELD_INVALID',
    `filter.kinds: no event is called "${oneLine(unknown, 100)}"; ${meantOf(unknown, known, 'events')}`,
  );
}

async function* viewerEvents(
  run: ServedRun,
  { filter }: StreamViewerEventsRequest,
  signal: AbortSignal,
): AsyncGenerator<ViewerEvents> {
  const reader = run.news.steps(signal);
  // Clients wait for the first message, which confirms at once that the stream is open, and contains the
  // current tick.
  yield create(ViewerEventsSchema, { tick: BigInt(run.tick) });
  for await (const { item, skipped } of reader) {
    const message = stepMessage(item, filter);
    if (message === null && skipped === 0) continue;
    const toSend =
      message ?? create(ViewerEventsSchema, { tick: BigInt(item.turn), step: BigInt(item.step) });
    toSend.skippedSteps = BigInt(skipped);
    yield toSend;
  }
}

/** Null if no part of the step is wanted. */
function stepMessage(step: StepRecord, filter: ViewFilter | undefined): ViewerEvents | null {
  const events = step.events.filter((event) => matchesFilter(event, filter));
  const matchesActor =
    filter === undefined || filter.actors.length === 0 || filter.actors.includes(step.agent);
  const acceptsAnyEvent = filter === undefined || (filter.kinds.length === 0 && filter.region === undefined);
  if (events.length === 0 && !(matchesActor && acceptsAnyEvent)) return null;
  const last = step.acts.at(-1);
  return create(ViewerEventsSchema, {
    tick: BigInt(step.turn),
    step: BigInt(step.step),
    actor: step.agent,
    action: last?.intent?.action ?? '',
    ok: last?.result.ok ?? true,
    words: last === undefined ? '' : last.result.ok ? last.result.message : last.result.problem.message,
    events: events.map(({ kind, actor, at, data, seenBy }) => ({
      kind,
      actor: actor ?? '',
      ...(at === null ? {} : { at: { x: at.x, y: at.y } }),
      dataJson: JSON.stringify(data),
      seenBy: [...seenBy],
    })),
  });
}

function matchesFilter({ kind, actor, at }: Event, filter: ViewFilter | undefined): boolean {
  if (filter === undefined) return true;
  const { actors, kinds, region } = filter;
  if (actors.length > 0 && !actors.includes(actor ?? '')) return false;
  if (kinds.length > 0 && !kinds.includes(kind)) return false;
  if (region?.from === undefined || region.to === undefined) return true;
  return at !== null && isWithin(at, region.from, region.to);
}

function isWithin({ x, y }: Point, from: Point, to: Point): boolean {
  return x >= from.x && x <= to.x && y >= from.y && y <= to.y;
}
