/**
 * Before an agent is asked to act its memory may want the model's words, such as a summary of what is to be forgotten. They are an input
 * from outside: the call is logged and belongs to the step, so a replay uses what was stored.
 */
import { askAside } from './side-question.js';
import type { RunContext, Seat } from './run-context.js';
import type { RunState } from './run-state.js';
import { observationOf } from './request.js';
import type { CompletedCall } from './request.js';

export interface RecollectOptions {
  readonly seat: Seat;
  readonly step: number;
  readonly signal: AbortSignal;
}

/** The calls that it took: one at the most. A controller that can only act gives no words, and the memory does without. */
export async function recollect<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  { seat, step, signal }: RecollectOptions,
): Promise<readonly CompletedCall[]> {
  const agent = seat.spec.id;
  const past = progress.past(agent);
  const messages = past.wish();
  if (messages === null) return [];
  const observation = observationOf(parts, progress.state, seat);
  const asked = await askAside(parts, progress, {
    seat,
    step,
    purpose: 'summary',
    observation,
    messages,
    signal,
  });
  progress.keepPast(agent, past.digest(asked?.end.reply.content ?? null));
  return asked === null ? [] : [asked];
}
