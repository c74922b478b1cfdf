/**
 * One call to an agent's controller: the request (`request.ts`) is logged (for a remote controller, committed
 * before it is sent), and the reply is logged as soon as it arrives. If a reply was stored before an
 * interruption, or comes from a speculative call, it is used instead if the request is exactly the same.
 * Nothing is interpreted here.
 */
import { errorMessage } from '../base/errors.js';
import { assert } from '../base/assert.js';
import type { Decision } from '../agent/controller.js';
import type { CallEnd, CallRequest } from '../trajectory/records.js';
import { unlessAborted } from '../model/abort.js';
import type { RunContext } from './run-context.js';
import type { RunState } from './run-state.js';
import { compose, withCallNumber } from './request.js';
import type { CompletedCall, ComposedRequest, EarlyCall, CallContextParts } from './request.js';

export async function ask<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  context: CallContextParts,
): Promise<CompletedCall> {
  const { seat, observation, attempt } = context;
  const agent = seat.spec.id;
  assert(
    observation.turn === progress.turn,
    `the world is in turn ${observation.turn}, not ${progress.turn}`,
  );
  const { planned, form, text } = compose(parts, progress, context);
  const stored = progress.pending.takeReply(planned);
  if (stored !== null) {
    progress.setControllerMemory(agent, stored.end.memory);
    return { request: withCallNumber(planned, stored.call), end: stored.end, text };
  }
  const earlyCall = context.speculativeCalls?.take(planned) ?? null;
  if (earlyCall !== null) {
    const end = await endOfEarlyCall(parts, context, earlyCall);
    if (end.kind === 'replied') {
      progress.setControllerMemory(agent, end.memory);
      return { request: withCallNumber(planned, earlyCall.request.call), end, text };
    }
    context.signal.throwIfAborted();
  }
  const request = withCallNumber(planned, progress.nextCall());
  parts.sink.request(request, seat.controller.isRemote);
  parts.watcher.thinking?.(agent, observation.turn, attempt);
  const { reply, memory } = await callController(parts, progress, context, { request, form });
  const end = { kind: 'replied' as const, reply, memory };
  parts.sink.reply(request.runId, request.call, end, seat.controller.isRemote);
  progress.setControllerMemory(agent, end.memory);
  return { request, end, text };
}

/**
 * Waits for a speculative call to end; the decisions so far are made durable, and thereby reported, first.
 */
async function endOfEarlyCall<S>(
  parts: RunContext<S>,
  context: CallContextParts,
  earlyCall: EarlyCall,
): Promise<CallEnd> {
  if (earlyCall.end !== null) return earlyCall.end;
  const { seat, observation, attempt, speculativeCalls } = context;
  parts.sink.flush();
  parts.watcher.thinking?.(seat.spec.id, observation.turn, attempt);
  earlyCall.markAwaited();
  speculativeCalls?.callAhead();
  return earlyCall.ended;
}

async function callController<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  context: CallContextParts,
  { request, form }: { request: CallRequest } & Pick<ComposedRequest, 'form'>,
): Promise<Decision> {
  const { seat, observation, attempt, signal } = context;
  const agent = seat.spec.id;
  try {
    signal.throwIfAborted();
    informOracle(parts, progress, context);
    const pendingDecision = seat.controller.decide(
      {
        agent,
        turn: observation.turn,
        attempt,
        observation,
        messages: request.messages,
        form,
        memory: progress.controllerMemory(agent),
      },
      signal,
    );
    if (seat.controller.isRemote) context.speculativeCalls?.callAhead();
    return await unlessAborted(pendingDecision, signal);
  } catch (error) {
    const message = errorMessage(error);
    parts.sink.reply(parts.run.runId, request.call, { kind: 'failed', error: message }, true);
    throw error;
  }
}

/**
 * Passes the true position to an oracle. If all agents act at once, none has decided yet; if they act in
 * turn, those before this one have acted.
 */
function informOracle<S>(
  { environment, scenario }: RunContext<S>,
  progress: RunState<S>,
  { seat, observation, truth }: CallContextParts,
): void {
  if (seat.receivePosition === undefined || truth === undefined) return;
  const active = environment.active(truth.state as S);
  const first = scenario.turns.order === 'sequential' ? active.indexOf(seat.spec.id) : 0;
  const waiting = active.slice(first);
  seat.receivePosition({
    state: truth.state,
    turn: observation.turn,
    waiting,
    decided: [],
    free: truth.freeActs,
    memories: Object.fromEntries(
      environment.agents.map((agent) => [agent, progress.controllerMemory(agent)]),
    ),
  });
}
