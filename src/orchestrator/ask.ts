/**
 * One call to an agent's controller: the prompt is composed, the frame drawn, the request logged (for a remote controller committed
 * before it is sent), the reply logged as soon as it is there. Nothing is interpreted here.
 */
import { assert } from '../base/assert.js';
import { LIMITS } from '../base/limits.js';
import { quoted } from '../base/text.js';
import type { Problem } from '../base/problem.js';
import type { Decision } from '../agent/controller.js';
import type { Observation } from '../environment/observation.js';
import type { Reply, RequestForm } from '../model/chat.js';
import type { CallRequest } from '../log/records.js';
import type { Json } from '../base/json.js';
import { unlessAborted } from './abort.js';
import type { RunParts, Seat } from './parts.js';
import type { RunProgress } from './progress.js';
import { repairMessages } from './repair.js';

export interface Question {
  readonly seat: Seat;
  readonly step: number;
  /** From 1 within the step. */
  readonly attempt: number;
  readonly observation: Observation;
  /** Why the reply before this one did not do; null at first and after a free act. */
  readonly problem: Problem | null;
  /** The call before this one; null for the first. */
  readonly last: Asked | null;
  /** Asks for the last reply in a form that can be read, instead of anew. */
  readonly isRepair: boolean;
  readonly signal: AbortSignal;
}

export interface Asked {
  readonly request: CallRequest;
  readonly end: { readonly kind: 'replied'; readonly reply: Reply; readonly memory: Json };
  /** The turn's text as sent, which becomes the past. */
  readonly text: string;
}

export async function ask<S>(
  parts: RunParts<S>,
  progress: RunProgress<S>,
  question: Question,
): Promise<Asked> {
  const { seat, observation, attempt } = question;
  const agent = seat.spec.id;
  assert(
    observation.turn === progress.turn,
    `the world is in turn ${observation.turn}, not ${progress.turn}`,
  );
  const { text, messages, frameHash } = composed(parts, progress, question);
  const form = seat.composer.form(observation);
  const wanted: Wanted = {
    runId: parts.run.runId,
    step: question.step,
    turn: observation.turn,
    agent,
    attempt,
    purpose: question.isRepair ? 'repair' : 'act',
    controller: seat.controller.name,
    observation,
    messages,
    settings: seat.controller.settings?.(form) ?? null,
    frameHash,
    startedAt: parts.clock.now(),
  };
  const stored = progress.begun.reply(wanted);
  if (stored !== null) {
    progress.keepControllerMemory(agent, stored.end.memory);
    return { request: numbered(wanted, stored.call), end: stored.end, text };
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

/** A request that has no number yet. */
type Wanted = Omit<CallRequest, 'call'>;

/** Assigned, not spread: that would take many times as long (docs/PERFORMANCE.md). */
function numbered(wanted: Wanted, call: number): CallRequest {
  return Object.assign({ call }, wanted);
}

type Composed = Pick<Asked, 'text'> & Pick<CallRequest, 'messages' | 'frameHash'>;

/** A repair shows the same picture in the same place, and leaves the same turn behind. */
function composed<S>(parts: RunParts<S>, progress: RunProgress<S>, question: Question): Composed {
  const { seat, observation, problem, last, isRepair } = question;
  if (isRepair && last !== null && problem !== null) {
    const { request, end, text } = last;
    const broken = { messages: request.messages, reply: end.reply, problem };
    return { text, messages: repairMessages(broken, seat.protocol), frameHash: request.frameHash };
  }
  const text = seat.composer.turnText(observation, trouble(question));
  const picture =
    parts.painter !== null && observation.scene !== null ? parts.painter.paint(observation.scene) : null;
  const past = progress.past(seat.spec.id).messages();
  const messages = seat.composer.messages(past, text, picture);
  return { text, messages, frameHash: picture?.hash ?? null };
}

async function consult<S>(
  parts: RunParts<S>,
  progress: RunProgress<S>,
  question: Question,
  { request, form }: { readonly request: CallRequest; readonly form: RequestForm },
): Promise<Decision> {
  const { seat, observation, attempt, signal } = question;
  const agent = seat.spec.id;
  try {
    signal.throwIfAborted();
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
    return await unlessAborted(deciding, signal);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    parts.sink.reply(parts.run.runId, request.call, { kind: 'failed', error: message }, true);
    throw error;
  }
}

/** What the agent is told of its last try, its own words quoted as data. */
function trouble(question: Question): string | null {
  const { problem, last } = question;
  if (problem === null) return null;
  const lastReply = last?.end.reply.content ?? '';
  if (lastReply.trim() === '') return problem.message;
  return `You answered ${quoted(lastReply.slice(-LIMITS.replyTailUnits), LIMITS.replyQuotedCharacters)}. ${problem.message}`;
}
