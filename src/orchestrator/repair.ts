/**
 * The repair call: if a reply can't be parsed, the agent is shown the reply once and asked for only the
 * answer. The request is the previous one plus two messages, so the picture stays in place and a server's
 * prefix cache has everything except the end (docs/decisions/0012). Reasoning is not shown again.
 */
import type { Problem } from '../base/problem.js';
import type { Message, Reply } from '../model/chat.js';
import type { Protocol } from '../parse/protocol.js';
import type { ReplyReading } from '../parse/reading.js';
import { answerText } from './answer-text.js';

/**
 * Only for unreadable replies: after an answer that was parsed and refused, the agent gets the reason and a
 * full new attempt.
 */
const UNREADABLE: readonly Problem['code'][] = ['truncated', 'unparsable', 'ambiguous'];

/** Whether a reply contains text that could be put into the required form. */
export function isRepairable(reply: Reply, reading: ReplyReading): boolean {
  return !reading.ok && UNREADABLE.includes(reading.problem.code) && answerText(reply) !== '';
}

export interface UnreadableReply {
  /** What was asked. */
  messages: readonly Message[];
  reply: Reply;
  problem: Problem;
}

/** The request with the unreadable answer, the answer, and its error. */
export function repairMessages(broken: UnreadableReply, protocol: Protocol): readonly Message[] {
  return [
    ...broken.messages,
    { role: 'assistant', parts: [{ kind: 'text', text: answerText(broken.reply) }] },
    { role: 'user', parts: [{ kind: 'text', text: protocol.repair(broken.problem) }] },
  ];
}
