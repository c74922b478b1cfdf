/**
 * What an agent is told of its acts. All results and refusals pass through here, whichever rule they come
 * from. Hints at actions that the agent doesn't have are kept back and, where only the picture tells what is
 * seen, all that the picture is to show.
 */
import type { Problem } from '../../base/problem.js';
import type { ActResult } from '../../environment/environment.js';
import { plainMessage, plainRefusal, pointsAtSight } from '../../environment/plain-words.js';
import type { GridAction } from './actions/grid-action.js';
import type { GridRegistry } from './registry.js';
import type { GridWorld } from './world.js';
import { isAllowed, isPlain } from './world.js';

/** Whose act it is. */
interface Teller {
  world: GridWorld;
  registry: GridRegistry;
  action: GridAction;
  agent: string;
}

/** `words`: what may be told of the outcome all the same, because it is no sight. */
export function told(
  result: ActResult,
  teller: Teller,
  words: string = plainMessage(teller.action.name),
): ActResult {
  if (!result.ok) return { ...result, problem: toldRefusal(result.problem, teller) };
  const { world, action } = teller;
  return isPlain(world) && pointsAtSight(action.grammar) ? { ...result, message: words } : result;
}

export function toldRefusal(refusal: Problem, teller: Teller): Problem {
  const { world, action } = teller;
  // Neither is about anything in sight.
  if (refusal.code === 'action-failed' || refusal.code === 'not-offered') return refusal;
  const possible = withPossibleHints(refusal, teller);
  return isPlain(world) && pointsAtSight(action.grammar) ? plainRefusal(action.name, possible) : possible;
}

/**
 * Without the sentences after the first that name an action which the agent doesn't have: in the program's own
 * sentences, only verbs are written in capitals.
 */
function withPossibleHints(refusal: Problem, { world, registry, agent }: Teller): Problem {
  const isMissing = (verb: string): boolean =>
    registry.get(verb)?.name === verb && !isAllowed(world, agent, verb);
  const isPossible = (sentence: string): boolean =>
    !(sentence.match(/\b[A-Z]{2,}\b/g) ?? []).some(isMissing) &&
    (world.definition.rules.goTo !== false || !/\bGO TO\b/.test(sentence));
  const [reason, ...hints] = refusal.message.split(/(?<=\.) (?=[A-Z])/);
  const kept = hints.filter(isPossible);
  return kept.length === hints.length ? refusal : { ...refusal, message: [reason, ...kept].join(' ') };
}
