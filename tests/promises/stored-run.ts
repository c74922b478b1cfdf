/**
 * What a run that was cut off had stored, held against the whole run. In: a log, the run that nobody touched, what was stored before; out: how
 * far it came, which requests are answered, and what is wrong.
 */
import { known } from '../../src/base/assert.js';
import { UsageError } from '../../src/base/errors.js';
import { WORLD_ID } from '../../src/base/ids.js';
import { LogReader } from '../../src/log/reader.js';
import type { MemorySink } from '../../src/trajectory/memory-sink.js';
import type { CallEnd } from '../../src/trajectory/records.js';
import type { Message } from '../../src/model/chat.js';
import { wireMessages } from '../../src/model/request.js';
import { messagesIn } from '../support/chat-script.js';
import type { Played } from '../support/play.js';

/** Steps and replies that were stored when the last process died. */
export interface Stored {
  agentSteps: number;
  steps: number;
  replies: ReadonlySet<string>;
  faults: readonly string[];
}

export const NOTHING: Stored = { agentSteps: 0, steps: 0, replies: new Set(), faults: [] };

export function look(log: string, { sink }: Pick<Played, 'sink'>, before: Stored): Stored {
  if (!hasRun(log)) return before.steps === 0 ? NOTHING : { ...before, faults: ['the run is gone'] };
  const reader = new LogReader(log);
  try {
    const { runId } = known(reader.runs()[0], 'a run');
    const steps = [...reader.steps(runId)];
    const faults = steps.flatMap(({ step, chain }, i) =>
      step === i + 1 && chain === sink.steps[i]?.chain
        ? []
        : [`step ${step} stands in place ${i + 1}, or is another one`],
    );
    if (steps.length < before.steps) faults.push(`${before.steps} steps before, ${steps.length} now`);
    const asked = [...steps.map(({ step }) => step), steps.length + 1, steps.length + 2, steps.length + 3];
    const calls = asked.flatMap((step) => reader.calls(runId, step));
    const replied = calls.filter(({ end }) => end?.kind === 'replied' && !isLost(end));
    return {
      agentSteps: steps.filter(({ agent }) => agent !== WORLD_ID).length,
      steps: steps.length,
      replies: new Set(replied.map(({ request }) => keyOf(request.messages))),
      faults,
    };
  } finally {
    reader.close();
  }
}

/** Whether a call ended without an answer, because the server failed at this request alone. */
export function isLost(end: CallEnd | null): boolean {
  return end?.kind === 'replied' && end.reply.finishReason === 'server-error';
}

/** What a run lost to its server: attempts, as `agent/turn/attempt`, and summaries, by their requests. */
export function lossesIn(log: string): readonly string[] {
  if (!hasRun(log)) return [];
  const reader = new LogReader(log);
  try {
    const { runId } = known(reader.runs()[0], 'a run');
    return [...reader.steps(runId)].flatMap(({ step, calls }) => {
      const asked = reader.calls(runId, step);
      const attempts = asked.filter(({ request, end }) => calls.includes(request.call) && isLost(end));
      const summaries = asked.filter(({ request }) => request.purpose === 'summary');
      const isAnswered = summaries.some(({ request }) => calls.includes(request.call));
      return [
        ...attempts.map(({ request: { agent, turn, attempt } }) => `${agent}/${turn}/${attempt}`),
        ...(isAnswered ? [] : summaries.map(({ request }) => keyOf(request.messages))),
      ];
    });
  } finally {
    reader.close();
  }
}

/** By request, how often the log says that it was lost. */
export function timesLost(log: string): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  const reader = new LogReader(log);
  try {
    const { runId } = known(reader.runs()[0], 'a run');
    for (const { step } of reader.steps(runId))
      for (const { request, end } of reader.calls(runId, step)) {
        const key = keyOf(request.messages);
        if (isLost(end)) times.set(key, (times.get(key) ?? 0) + 1);
      }
    return times;
  } finally {
    reader.close();
  }
}

/** A request as its texts, as the server sees it: neighbours of one role come to it as one message. */
export function keyOf(messages: readonly Message[]): string {
  const sent = { messages: wireMessages(messages, { foldSystem: false }) };
  return JSON.stringify(messagesIn(sent).map(({ texts }) => texts));
}

/** Requests that the whole run made once. */
export function askedOnce(sink: MemorySink): ReadonlySet<string> {
  const times = new Map<string, number>();
  for (const entry of sink.entries) {
    if (entry.kind !== 'request') continue;
    const key = keyOf(entry.call.messages);
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  return new Set([...times].filter(([, count]) => count === 1).map(([key]) => key));
}

/** Whether a log was begun. Throws where it was, and can't be read. */
export function hasRun(log: string): boolean {
  try {
    const reader = new LogReader(log);
    const { length } = reader.runs();
    reader.close();
    return length > 0;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}
