/**
 * One call to an agent's controller: the prompt is composed, the frame drawn, the request logged (for a remote controller committed
 * before it is sent), the reply logged as soon as it is there. Nothing is interpreted here.
 */
import { quoted } from '../base/text.js';
import type { Problem } from '../base/problem.js';
import type { Decision } from '../agent/controller.js';
import type { Observation } from '../environment/observation.js';
import type { Message, Reply } from '../model/chat.js';
import { pastMessages } from '../agent/memory.js';
import type { RunParts, Seat } from './parts.js';
import type { RunProgress } from './progress.js';

export interface Question {
  readonly seat: Seat;
  readonly step: number;
  /** From 1 within the step. */
  readonly attempt: number;
  readonly observation: Observation;
  /** Why the reply before this one did not do; null at first and after a free act. */
  readonly problem: Problem | null;
  /** What it was; null for the first. */
  readonly lastReply: string | null;
  readonly signal: AbortSignal;
}

export interface Asked {
  readonly call: number;
  readonly observation: Observation;
  readonly messages: readonly Message[];
  readonly frameHash: string | null;
  /** The turn's text as sent, which becomes the past. */
  readonly text: string;
  readonly reply: Reply;
}

export async function ask<S>(parts: RunParts<S>, progress: RunProgress<S>, question: Question): Promise<Asked> {
  const { seat, observation, attempt } = question;
  const agent = seat.spec.id;
  const text = seat.composer.turnText(observation, trouble(question));
  const picture = parts.painter !== null && observation.scene !== null ? parts.painter.paint(observation.scene) : null;
  const messages = seat.composer.messages(pastMessages(progress.past(agent)), text, picture);
  const call = progress.nextCall();
  const { runId } = parts.run;
  parts.sink.request(
    {
      runId,
      call,
      step: question.step,
      turn: observation.turn,
      agent,
      attempt,
      purpose: 'act',
      controller: seat.controller.name,
      observation,
      messages,
      frameHash: picture?.hash ?? null,
      startedAt: parts.clock.now(),
    },
    seat.controller.isRemote,
  );
  parts.watcher.thinking?.(agent, observation.turn, attempt);
  const decision = await consult(parts, progress, question, { call, messages });
  parts.sink.reply(runId, call, { kind: 'replied', ...decision }, seat.controller.isRemote);
  progress.keepControllerMemory(agent, decision.memory);
  return { call, observation, messages, frameHash: picture?.hash ?? null, text, reply: decision.reply };
}

async function consult<S>(
  parts: RunParts<S>,
  progress: RunProgress<S>,
  question: Question,
  sent: { readonly call: number; readonly messages: readonly Message[] },
): Promise<Decision> {
  const { seat, observation, attempt, signal } = question;
  const agent = seat.spec.id;
  try {
    signal.throwIfAborted();
    return await seat.controller.decide(
      {
        agent,
        turn: observation.turn,
        attempt,
        observation,
        messages: sent.messages,
        memory: progress.controllerMemory(agent),
      },
      signal,
    );
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    parts.sink.reply(parts.run.runId, sent.call, { kind: 'failed', error: message }, true);
    throw error;
  }
}

/** What the agent is told of its last try, its own words quoted as data. */
function trouble(question: Question): string | null {
  const { problem, lastReply } = question;
  if (problem === null) return null;
  if (lastReply === null || lastReply.trim() === '') return problem.message;
  return `You answered ${quoted(lastReply.slice(-600), 300)}. ${problem.message}`;
}
