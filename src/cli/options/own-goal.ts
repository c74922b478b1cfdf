/**
 * `--goal`: the user's own question, applied to the scenario like `--set goal=…`. Its errors are reported in
 * terms of this option.
 */
import { ScenarioError, UsageError } from '../../base/errors.js';
import { fit } from '../terminal/style.js';

/** The settings, including the goal. */
export function withGoal(set: readonly string[], goal: string | undefined): readonly string[] {
  return goal === undefined ? set : [...set, `goal=${goal}`];
}

/** The same error, unless the goal is the only mistake. */
export function goalError(error: unknown, path: string): unknown {
  if (!(error instanceof ScenarioError)) return error;
  const mistakes = error.diagnostics.filter(({ severity }) => severity === 'error');
  if (!mistakes.every(({ file, source }) => file === '--set' && source.startsWith('goal='))) return error;
  const [first] = mistakes;
  if (first === undefined) return error;
  return first.message.startsWith('unknown key')
    ? new UsageError(`--goal: ${fit(path, 200)} has no question to replace`, [
        'scenarios with `questions` have one, such as scenarios/react.yaml and scenarios/files.yaml',
        'in other scenarios, agents have goals: --set agents.<id>.goals=…',
      ])
    : new UsageError(`--goal: ${first.message}`, ['--goal "What is 3 * 14?"']);
}
