/**
 * One call to an agent's controller: the request (`request.ts`) is logged (for a remote controller, committed
 * before it is sent), and the reply is logged as soon as it arrives. If a reply was stored before an
 * interruption, or comes from a speculative call, it is used instead if the request is exactly the same.
 * Nothing is interpreted here.
 */
import { assert } from '../base/assert.js';
import type { Decision } from '../agent/controller.js';
import type { CallEnd, CallRequest } from '../trajectory/records.js';
import { unlessAborted } from '../model/abort.js';
import type { RunContext } from './run-context.js';
import type { RunState } from './run-state.js';
import { compose, numbered } from './request.js';
import type { CompletedCall, ComposedRequest, EarlyCall, CallContextParts } from './request.js';

export async function ask<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  question: CallContextParts,
): Promise<CompletedCall> {
  const { seat, observation, attempt } = question;
  const agent = seat.spec.id;
  assert(
    observation.turn === progress.turn,
    `the world is in turn ${observation.turn}, not ${progress.turn}`,
  );
  const { wanted, form, text } = compose(parts, progress, question);
  const stored = progress.begun.reply(wanted);
  if (stored !== null) {
    progress.keepControllerMemory(agent, stored.end.memory);
    return { request: numbered(wanted, stored.call), end: stored.end, text };
  }
  const early = question.ahead?.take(wanted) ?? null;
  if (early !== null) {
    const end = await endOf(parts, question, early);
    if (end.kind === 'replied') {
      progress.keepControllerMemory(agent, end.memory);
      return { request: numbered(wanted, early.request.call), end, text };
    }
    question.signal.throwIfAborted();
  }
  const request = numbered(wanted, progress.nextCall());
  parts.sink.request(request, seat.controller.isRemote);
  parts.watcher.thinking?.(agent, observation.turn, attempt);
  const { reply, memory } = await consult(parts, progress, question, { request, form });
  const end = { kind: 'replied' as const, reply, memory };
  parts.sink.reply(request.runId, request.call, end, seat.controller.isRemote);
  progress.keepControllerMemory(agent, end.memory);
  return { request, end, text };
}

/** For a speculative call; while it is pending, the decisions so far are reported. */
async function endOf<S>(
  parts: RunContext<S>,
  question: CallContextParts,
  early: EarlyCall,
): Promise<CallEnd> {
  if (early.end !== null) return early.end;
  const { seat, observation, attempt, ahead } = question;
  parts.sink.flush();
  parts.watcher.thinking?.(seat.spec.id, observation.turn, attempt);
  early.beAwaited();
  ahead?.think();
  return early.ended;
}

async function consult<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  question: CallContextParts,
  { request, form }: { readonly request: CallRequest } & Pick<ComposedRequest, 'form'>,
): Promise<Decision> {
  const { seat, observation, attempt, signal } = question;
  const agent = seat.spec.id;
  try {
    signal.throwIfAborted();
    tellOracle(parts, question);
    const deciding = seat.controller.decide(
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
    if (seat.controller.isRemote) question.ahead?.think();
    return await unlessAborted(deciding, signal);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    parts.sink.reply(parts.run.runId, request.call, { kind: 'failed', error: message }, true);
    throw error;
  }
}

/** If agents act at once, no one has decided yet; if they act in turn, those before this one have acted. */
function tellOracle<S>(
  { environment, scenario }: RunContext<S>,
  { seat, observation, truth }: CallContextParts,
): void {
  if (seat.witness === undefined || truth === undefined) return;
  const active = environment.active(truth.state as S);
  const first = scenario.turns.order === 'sequential' ? active.indexOf(seat.spec.id) : 0;
  const waiting = active.slice(first);
  seat.witness({ state: truth.state, turn: observation.turn, waiting, decided: [], free: truth.freeActs });
}
