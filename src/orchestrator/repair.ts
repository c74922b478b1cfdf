/**
 * The repair call: where a reply can't be read, the agent is shown it once more and asked for the answer alone. The request is the
 * one before it and two messages more, so the picture stays where it was and a server that keeps prefixes has all but the end
 * (docs/decisions/0012). Reasoning is not shown again.
 */
import type { Problem } from '../base/problem.js';
import type { Message, Reply } from '../model/chat.js';
import type { Protocol } from '../parse/protocol.js';
import type { ReplyReading } from '../parse/reading.js';
import { answerWords } from './answer-words.js';

/** Unreadable, not wrong: an answer that was parsed and refused gets the reason and a full new attempt. */
const UNREADABLE: readonly Problem['code'][] = ['truncated', 'unparsable', 'ambiguous'];

/** Whether a reply holds words that could be put into the form asked for. */
export function isRepairable(reply: Reply, reading: ReplyReading): boolean {
  return !reading.ok && UNREADABLE.includes(reading.problem.code) && answerWords(reply) !== '';
}

export interface UnreadableReply {
  /** What was asked. */
  readonly messages: readonly Message[];
  readonly reply: Reply;
  readonly problem: Problem;
}

/** The request that was answered unreadably, the answer, and what was wrong with it. */
export function repairMessages(broken: UnreadableReply, protocol: Protocol): readonly Message[] {
  return [
    ...broken.messages,
    { role: 'assistant', parts: [{ kind: 'text', text: answerWords(broken.reply) }] },
    { role: 'user', parts: [{ kind: 'text', text: protocol.repair(broken.problem) }] },
  ];
}
