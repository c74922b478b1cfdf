/**
 * A question outside the game, whose answer is text and never an action: a summary for the agent's memory, an
 * explanation, a probe. It is logged like any other call, with its own purpose: committed before it is sent,
 * and its end as soon as it arrives. It counts towards the run's budget.
 */
import { errorMessage } from '../base/errors.js';
import type { Observation } from '../environment/observation.js';
import type { CallRequest } from '../trajectory/records.js';
import type { CallPurpose } from '../trajectory/record-values.js';
import { FREE_FORM } from '../model/chat.js';
import type { Message } from '../model/chat.js';
import { unlessAborted } from '../model/abort.js';
import { priceOf } from '../trajectory/cost.js';
import type { RunContext, Seat } from './run-context.js';
import type { RunState } from './run-state.js';
import type { CompletedCall } from './request.js';

export interface SideQuestion {
  seat: Seat;
  step: number;
  purpose: Exclude<CallPurpose, 'act' | 'repair'>;
  /** What the agent knows at this moment. */
  observation: Observation;
  messages: readonly Message[];
  /** The hash of the picture among them; none by default. */
  frameHash?: string | null;
  signal: AbortSignal;
}

/**
 * The answer; null if the agent's controller can only act. Throws the controller's error, with the call
 * logged as failed.
 */
export async function askSideQuestion<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  question: SideQuestion,
): Promise<CompletedCall | null> {
  const { seat, observation, messages, signal } = question;
  const { controller } = seat;
  if (controller.answer === undefined) return null;
  const agent = seat.spec.id;
  const planned: Omit<CallRequest, 'call'> = {
    runId: parts.run.runId,
    step: question.step,
    turn: observation.turn,
    agent,
    attempt: 1,
    purpose: question.purpose,
    controller: controller.name,
    observation,
    messages,
    settings: controller.settings?.(FREE_FORM) ?? null,
    frameHash: question.frameHash ?? null,
    startedAt: parts.clock.now(),
  };
  const stored = progress.pending.takeReply(planned);
  if (stored !== null) {
    const completed = { request: { ...planned, call: stored.call }, end: stored.end, text: '' };
    charge(parts, progress, completed, seat);
    return completed;
  }
  const request = { ...planned, call: progress.nextCall() };
  parts.sink.request(request, controller.isRemote);
  try {
    signal.throwIfAborted();
    const reply = await unlessAborted(controller.answer(messages, signal), signal);
    const end = { kind: 'replied' as const, reply, memory: progress.controllerMemory(agent) };
    parts.sink.reply(request.runId, request.call, end, controller.isRemote);
    const completed = { request, end, text: '' };
    charge(parts, progress, completed, seat);
    return completed;
  } catch (error) {
    const message = errorMessage(error);
    parts.sink.reply(request.runId, request.call, { kind: 'failed', error: message }, true);
    throw error;
  }
}

/** A summary is one of its step's calls and is counted with them. */
function charge<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  completed: CompletedCall,
  { spec }: Seat,
): void {
  if (completed.request.purpose !== 'summary') progress.charge([completed], priceOf(parts.scenario, spec));
}
