/**
 * A turn in which none of an agent's replies could act, so that a wait replaced its action. At the start of
 * its next turn, the agent is shown its answer and the reason why it failed: with one attempt per turn, this
 * is its only feedback. In: its last reply and the problem. Out: a plain value, and its wording for the
 * prompt.
 */
import { LIMITS } from '../base/limits.js';
import type { Problem } from '../base/problem.js';
import { quoted } from '../base/text.js';
import type { Reply } from '../model/chat.js';
import { answerWords } from './answer-words.js';

export interface LostTurn {
  readonly turn: number;
  /** The end of the agent's last reply, without reasoning; '' if it said nothing. */
  readonly words: string;
  /** The reason why the last reply was not accepted. */
  readonly problem: Problem;
}

/** `last` is the reply whose problem led to the wait. */
export function lostTurn(turn: number, last: Reply, problem: Problem): LostTurn {
  return { turn, words: answerWords(last).trim(), problem };
}

/** One or two sentences more than the problem itself. */
export function lostTurnText({ turn, words, problem }: LostTurn): string {
  return [`Turn ${turn} was lost, and you waited.`, answered(words), problem.message]
    .filter((part) => part !== '')
    .join(' ');
}

/** The agent's own words, quoted as data; '' if it said nothing. */
export function answered(words: string): string {
  if (words.trim() === '') return '';
  return `You answered ${quoted(words.slice(-LIMITS.replyTailUnits), LIMITS.replyQuotedCharacters)}.`;
}
