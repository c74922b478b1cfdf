/**
 * What every protocol does before it reads: refuse a reply that did not end properly, cut its reasoning away, and make the rest
 * uniform. In goes the raw reply, out comes its answer in one spelling, or the problem. A reply that is too long costs no more than a look.
 */
import { LIMITS } from '../base/limits.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import type { Reply } from '../model/chat.js';
import type { Normal } from './normalise.js';
import { normalise } from './normalise.js';
import { answerParts } from './reasoning.js';
import type { Span } from './reading.js';

/** As much of a model's reply as reading needs. */
export type ReplyText = Pick<Reply, 'content' | 'reasoning' | 'toolCalls' | 'finishReason'>;

export type Intake =
  /** `parts` are the places of the answer in the raw content. */
  | { readonly ok: true; readonly normal: Normal; readonly parts: readonly Span[] }
  | { readonly ok: false; readonly problem: Problem };

/** `ending` tells how an answer of the protocol ends, as a whole sentence. */
export function takeIn(reply: ReplyText, ending: string): Intake {
  const unfit = endProblem(reply);
  if (unfit !== null) return { ok: false, problem: unfit };
  const { parts, isOpen } = answerParts(reply.content);
  const characters = parts.reduce((sum, part) => sum + part.end - part.start, 0);
  if (characters > LIMITS.answerCharacters) return { ok: false, problem: tooLong() };
  const normal = normalise(reply.content, parts);
  if (normal.text.trim() !== '' || reply.toolCalls.length > 0) return { ok: true, normal, parts };
  const thought = isOpen || (reply.reasoning ?? '') !== '' || reply.content.trim() !== '';
  const told = thought ? 'You reasoned but gave no answer.' : 'Your reply was empty.';
  return { ok: false, problem: problem('empty', `${told} ${ending}`) };
}

/** Only a reply that ended properly may act. */
function endProblem({ content, finishReason }: ReplyText): Problem | null {
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
  return content.length > LIMITS.replyBytes ? tooLong() : null;
}

function tooLong(): Problem {
  return problem('truncated', 'Your reply was far too long, so nothing was done. Answer more briefly.');
}
