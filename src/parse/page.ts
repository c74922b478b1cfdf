/**
 * Preprocesses a reply before any protocol parses it: refuses one that did not end properly or is too long,
 * removes reasoning, splits the rest at end marks, finds quotations and code fences, and normalises the text.
 * The result is a "page" with what these stages found, or a problem.
 */
import { LIMITS } from '../base/limits.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { CONTENT_FILTER, NO_CHOICE, REFUSAL, SERVER_ERROR } from '../model/chat.js';
import type { Reply } from '../model/chat.js';
import type { EndMark } from './end-marks.js';
import { splitAtMarks } from './end-marks.js';
import type { NormalisedText } from './normalise.js';
import { normalise } from './normalise.js';
import type { TextSpan } from './reading.js';
import { answerParts } from './reasoning.js';
import type { ReplyStructure } from './structure.js';
import { structureOf } from './structure.js';

/** The part of a model's reply that parsing needs. */
export type ReplyText = Pick<Reply, 'content' | 'reasoning' | 'toolCalls' | 'finishReason'>;

/** A preprocessed reply, in which protocols look for the answer. */
export interface ReplyPage extends ReplyStructure {
  content: string;
  /** The parts of the content that may contain the answer, split at the end marks. */
  parts: readonly TextSpan[];
  marks: readonly EndMark[];
  normal: NormalisedText;
}

export type PageReading = { ok: true; page: ReplyPage } | { ok: false; problem: Problem };

/** `ending` is a sentence about how an answer of the protocol ends. */
export function pageOf(reply: ReplyText, ending: string): PageReading {
  const { content } = reply;
  const improperEnd = endProblem(reply, ending);
  if (improperEnd !== null) return { ok: false, problem: improperEnd };
  const answer = answerParts(content);
  const { parts, marks } = splitAtMarks(content, answer.parts) ?? { parts: [], marks: [] };
  const characters = parts.reduce((sum, part) => sum + part.end - part.start, 0);
  if (characters > LIMITS.answerCharacters) return { ok: false, problem: tooLong() };
  const normal = normalise(content, parts);
  if (normal.text.trim() === '' && reply.toolCalls.length === 0) {
    const hasReasoned = answer.isOpen || (reply.reasoning ?? '') !== '' || content.trim() !== '';
    const message = hasReasoned ? 'You reasoned but gave no answer.' : 'Your reply was empty.';
    return { ok: false, problem: problem('empty', `${message} ${ending}`) };
  }
  return { ok: true, page: { content, parts, marks, normal, ...structureOf(content, parts) } };
}

/** Only a reply that ended properly may act. */
function endProblem({ content, finishReason }: ReplyText, ending: string): Problem | null {
  switch (finishReason) {
    case 'stop':
    case 'tool_calls':
      return content.length > LIMITS.replyBytes ? tooLong() : null;
    case 'length':
      return problem(
        'truncated',
        'Your reply was cut off before it ended, so nothing was done. Answer more briefly.',
      );
    case REFUSAL:
      return problem('refused-by-model', `You declined to answer, so nothing was done. ${ending}`);
    case CONTENT_FILTER:
      return problem('filtered', 'A content filter held your answer back.');
    case NO_CHOICE:
      return problem('no-choice', 'The model server sent no answer of yours.');
    case SERVER_ERROR:
      return problem('server-error', 'The model server failed, so no answer of yours arrived.');
    default:
      return problem('truncated', 'Your reply did not end properly, so nothing was done. Answer again.', {
        finishReason,
      });
  }
}

function tooLong(): Problem {
  return problem('truncated', 'Your reply was far too long, so nothing was done. Answer more briefly.');
}
