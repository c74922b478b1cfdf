/**
 * Which turn's observation a reply answers, if it is an earlier one: in a served world that allows it, a slow
 * model acts on what it saw some turns ago. It is stored among the reply's adaptations, so that every log can
 * contain it.
 */
import type { Reply } from '../model/chat.js';

const MARK = 'based-on:';

/** How a reply says it. */
export function basedOnTurn(turn: number): string {
  return `${MARK}${turn}`;
}

/** The earlier turn; null for a reply to the observation that it was asked with. */
export function answeredTurn({ adaptations }: Pick<Reply, 'adaptations'>): number | null {
  const mark = adaptations.find((one) => one.startsWith(MARK));
  const turn = Number(mark?.slice(MARK.length));
  return mark !== undefined && Number.isSafeInteger(turn) ? turn : null;
}
