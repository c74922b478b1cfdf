/**
 * The turn whose observation a reply answers, if that is an earlier turn: a served world can allow a slow
 * model to act on an observation from some turns ago. The turn is stored among the reply's adaptations, so
 * that logs of every version can contain it.
 */
import type { Reply } from '../model/chat.js';

const MARK = 'based-on:';

/** The adaptation that records the turn. */
export function basedOnTurn(turn: number): string {
  return `${MARK}${turn}`;
}

/** The earlier turn; null for a reply to the observation of its own request. */
export function answeredTurn({ adaptations }: Reply): number | null {
  const mark = adaptations.find((one) => one.startsWith(MARK));
  const turn = Number(mark?.slice(MARK.length));
  return mark !== undefined && Number.isSafeInteger(turn) ? turn : null;
}
