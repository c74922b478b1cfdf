/**
 * A turn in which none of an agent's replies could act, so that a wait replaced its action. At the start of
 * its next turn, the agent is shown its last answer and the reason why it failed: with one attempt per turn,
 * this is its only feedback.
 */
import type { Observation } from '../environment/observation.js';
import { WAITED } from '../environment/standard-actions.js';
import { LIMITS } from '../base/limits.js';
import type { Problem } from '../base/problem.js';
import { quoted } from '../base/text.js';
import type { Reply } from '../model/chat.js';
import { answerText } from './answer-text.js';

export interface LostTurn {
  turn: number;
  /** The end of the agent's last reply, without reasoning; '' if it said nothing. */
  answer: string;
  /** The reason why the last reply was not accepted. */
  problem: Problem;
}

/** `last` is the reply whose problem led to the wait. */
export function lostTurn(turn: number, last: Reply, problem: Problem): LostTurn {
  return { turn, answer: answerText(last).trim(), problem };
}

/** One or two sentences more than the problem itself. */
export function lostTurnText({ turn, answer, problem }: LostTurn): string {
  return [`Turn ${turn} was lost, and you waited.`, quoteAnswer(answer), problem.message]
    .filter((part) => part !== '')
    .join(' ');
}

/** The agent's own words, quoted as data; '' if it said nothing. */
export function quoteAnswer(answer: string): string {
  if (answer.trim() === '') return '';
  return `You answered ${quoted(answer.slice(-LIMITS.replyTailUnits), LIMITS.replyQuotedCharacters)}.`;
}

/** An observation without the wait that replaced the lost turn, of which the agent is told in the same text. */
export function withoutWait(observation: Observation): Observation {
  const sections = observation.sections.map((section) =>
    section.id === 'last' ? { ...section, lines: section.lines.filter((line) => line !== WAITED) } : section,
  );
  return { ...observation, sections };
}
