/**
 * When a step is given up: after `turns.attempts` failed replies, or, with `turns.refusals`, after as many that could
 * not be read or that many refused actions. Only the form decides what could be read: an action on something that
 * the agent doesn't perceive was read and refused, or else the number of tries would tell what a picture shows. A
 * request that its server did not answer could not be read.
 */
import { isServerFault } from '../base/problem.js';
import type { TurnSpec } from '../scenario/scenario.js';
import type { ActRecord } from './act.js';

export type StepLimits = Pick<TurnSpec, 'attempts' | 'refusals'>;

export interface FailedReplies {
  unread: number;
  refused: number;
}

export const NOTHING_FAILED: FailedReplies = { unread: 0, refused: 0 };

/** With one more failed reply; `isRead`: whether a command was read in it. */
export function withFailed({ unread, refused }: FailedReplies, isRead: boolean): FailedReplies {
  return isRead ? { unread, refused: refused + 1 } : { unread: unread + 1, refused };
}

/** How many more replies may fail, whatever they fail at; 0 if the step is given up. */
export function attemptsLeft({ attempts, refusals }: StepLimits, { unread, refused }: FailedReplies): number {
  if (refusals === undefined) return attempts - unread - refused;
  return Math.min(attempts - unread, refusals - refused);
}

/** The first try that its server answered. */
export function firstAnswered({ acts }: { acts: readonly ActRecord[] }): ActRecord | undefined {
  return acts.find(
    ({ insteadOf, result }) => insteadOf === null && (result.ok || !isServerFault(result.problem.code)),
  );
}

/** The try after which the step was given up; null if it was not, as in a tick that closed before the next try. */
export function lastFailure({ acts }: { acts: readonly ActRecord[] }): ActRecord | null {
  const standIn = acts.at(-1)?.insteadOf ?? null;
  const last = acts.findLast(({ insteadOf }) => insteadOf === null);
  if (standIn === null || last === undefined || last.result.ok) return null;
  return last.result.problem.code === standIn.code ? last : null;
}
