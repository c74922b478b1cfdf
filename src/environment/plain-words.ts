/**
 * Words where only the picture tells what an agent sees: they depend on what was asked alone, so that two worlds
 * that look different but answer the same way are told apart by the picture and by nothing else.
 */
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import type { Grammar } from './grammar.js';
import { slotsOf } from './grammar.js';

/** The code of every plain refusal. */
export const NOT_POSSIBLE = 'illegal/not-possible';

/** The refusal without its reason, which only the log keeps (`details`). */
export function plainRefusal(verb: string, reason: Problem): Problem {
  if (reason.code === NOT_POSSIBLE) return reason;
  const { code, message } = reason;
  return problem(NOT_POSSIBLE, `This ${verb} is not possible now.`, { code, message });
}

/** The message about an action that was carried out, without what it was done with. */
export function plainMessage(verb: string): string {
  return `This ${verb} was carried out.`;
}

/** Whether the arguments of an action point at what is in sight: by a name, a direction or numbers. */
export function pointsAtSight(grammar: Grammar | null): boolean {
  const slots = grammar === null ? [] : slotsOf(grammar);
  return slots.some(({ slot }) => slot.kind !== 'text' && slot.kind !== 'word');
}
