/**
 * Reflection: after the end, the scenario may ask agents to explain their decisions. They get their own
 * system text without the answer format, their past and the outcome. By then, the end is in the log, and the
 * answers change nothing: each is a call with its own purpose outside the run and the chain.
 */
import { counted } from '../base/counted.js';
import { ModelError } from '../base/errors.js';
import { breakControlTokens, oneLine } from '../base/text.js';
import type { Memory } from '../agent/memory.js';
import { userMessage } from '../agent/memory.js';
import type { RunEnd } from '../trajectory/records.js';
import type { Message } from '../model/chat.js';
import type { ReflectionSpec } from '../scenario/scenario.js';
import { isSpent } from './budget.js';
import { askSideQuestion } from './side-question.js';
import type { RunContext, Seat, StopSignals } from './run-context.js';
import type { RunState } from './run-state.js';
import { observationOf } from './request.js';

const QUESTION =
  'Look back on your turns. Explain in a few sentences why you decided as you did: what you saw or heard, what you took it for, and where you were wrong.';

/**
 * Asks one agent after the other, within the budget of tokens and cost; if a model can't be asked, the run's
 * end stays the same.
 */
export async function reflect<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  { end, stop }: { end: RunEnd; stop: StopSignals },
): Promise<void> {
  for (const seat of parts.seats) {
    const { id, reflection } = seat.spec;
    const step = progress.lastStep(id);
    const isAsked =
      isReflectionDue(reflection, end) && seat.controller.answer !== undefined && step !== undefined;
    if (isSpent(parts.scenario.budget, progress.spent)) return;
    if (!isAsked || stop.soft.aborted || stop.hard.aborted) continue;
    const { text, error } = await askForExplanation(parts, progress, { seat, step, end, signal: stop.hard });
    parts.watcher.reflected?.(id, text, error);
  }
}

/** Whether agents are asked after a run that ended like this. */
export function isReflectionDue({ when }: ReflectionSpec, { status }: RunEnd): boolean {
  if (when === 'success') return status === 'succeeded';
  return when === 'always' && (status === 'succeeded' || status === 'failed' || status === 'ended');
}

/** The agent's explanation, or the reason why it could not be asked; neither if it was stopped. */
interface ReflectionResult {
  text: string | null;
  error: string | null;
}

interface ReflectionRequest {
  seat: Seat;
  step: number;
  end: RunEnd;
  signal: AbortSignal;
}

async function askForExplanation<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  { seat, step, end, signal }: ReflectionRequest,
): Promise<ReflectionResult> {
  const { id } = seat.spec;
  const observation = observationOf(parts, progress.state, seat);
  const messages = reflectionMessages(seat, progress.memory(id), end);
  parts.watcher.thinking?.(id, observation.turn, 1);
  try {
    const completed = await askSideQuestion(parts, progress, {
      seat,
      step,
      purpose: 'reflection',
      observation,
      messages,
      signal,
    });
    return { text: completed?.end.reply.content ?? null, error: null };
  } catch (error) {
    if (error instanceof ModelError) return { text: null, error: error.message };
    if (signal.aborted) return { text: null, error: null };
    throw error;
  }
}

/** The question to an agent after the end. */
function reflectionMessages(
  { spec, composer }: Seat,
  past: Memory,
  { status, reason, turns }: RunEnd,
): readonly Message[] {
  const why = breakControlTokens(oneLine(reason));
  const stop = /[.!?…]["'”’)]?$/.test(why) ? '' : '.';
  const outcome = `The run is over after ${counted(turns, 'turn')}. It ${OUTCOMES[status]}: ${why}${stop}`;
  return [
    { role: 'system', parts: [{ kind: 'text', text: composer.plainSystem }] },
    ...past.messages(),
    userMessage(`${outcome}\n\n${spec.reflection.question ?? QUESTION}`),
  ];
}

const OUTCOMES: Readonly<Record<RunEnd['status'], string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  ended: 'ended',
  interrupted: 'was stopped',
  error: 'broke off',
};
