/**
 * What every protocol does before it reads: refuse a reply that did not end properly, and cut its reasoning away. In goes the raw
 * reply, out come the parts of its content that may hold the answer, or the problem.
 */
import { LIMITS } from '../base/limits.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import type { Reply } from '../model/chat.js';
import { answerParts } from './reasoning.js';
import type { Span } from './reading.js';

/** As much of a model's reply as reading needs. */
export type ReplyText = Pick<Reply, 'content' | 'reasoning' | 'toolCalls' | 'finishReason'>;

export type Intake =
  { readonly ok: true; readonly parts: readonly Span[] } | { readonly ok: false; readonly problem: Problem };

/** `ending` tells how an answer of the protocol ends, as a whole sentence. */
export function takeIn(reply: ReplyText, ending: string): Intake {
  const unfit = endProblem(reply);
  if (unfit !== null) return { ok: false, problem: unfit };
  const { parts, isOpen } = answerParts(reply.content);
  const isBlank = parts.every((part) => reply.content.slice(part.start, part.end).trim() === '');
  if (!isBlank || reply.toolCalls.length > 0) return { ok: true, parts };
  const thought = isOpen || (reply.reasoning ?? '') !== '' || reply.content.trim() !== '';
  const told = thought ? 'You reasoned but gave no answer.' : 'Your reply was empty.';
  return { ok: false, problem: problem('empty', `${told} ${ending}`) };
}

/** Only a reply that ended properly may act. */
export function endProblem({ content, finishReason }: ReplyText): Problem | null {
  if (finishReason === 'length') {
    return problem(
      'truncated',
      'Your reply was cut off before it ended, so nothing was done. Answer more briefly.',
    );
  }
  if (finishReason !== 'stop' && finishReason !== 'tool_calls') {
    return problem('truncated', 'Your reply did not end properly, so nothing was done. Answer again.', {
      finishReason,
    });
  }
  if (content.length <= LIMITS.replyBytes) return null;
  return problem('truncated', 'Your reply was far too long, so nothing was done. Answer more briefly.');
}
