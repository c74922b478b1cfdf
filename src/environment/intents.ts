/** Why the rules of any world refuse an intent before they ask its action. */
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import type { ActionRegistry, Intent } from './action.js';

/** `isActive`: whether the agent still acts; `isAllowed`: whether it may ever use the action of this name. */
export function intentProblem<S>(
  actions: ActionRegistry<S>,
  intent: Intent,
  { isActive, isAllowed }: { isActive: boolean; isAllowed: (action: string) => boolean },
): Problem | undefined {
  const action = actions.get(intent.action);
  if (action === undefined)
    return problem('unknown-action', `There is no action ${JSON.stringify(intent.action)}.`);
  if (!isActive) return problem('illegal/not-active', 'You no longer act in this run.');
  if (!isAllowed(action.name)) return problem('not-offered', `${action.name} is not one of your actions.`);
  return undefined;
}
