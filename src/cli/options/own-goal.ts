/**
 * `--goal`: a question of the user's own, which goes into the scenario as `--set goal=…` does. What is wrong with it is told in the
 * words of the option that the user gave. In: the option, or what opening the scenario threw; out: a setting, or the error to tell.
 */
import { ScenarioError, UsageError } from '../../base/errors.js';
import { fit } from '../terminal/style.js';

/** The settings with the goal among them. */
export function withGoal(set: readonly string[], goal: string | undefined): readonly string[] {
  return goal === undefined ? set : [...set, `goal=${goal}`];
}

/** The same error, unless all that is wrong is the goal. */
export function goalError(error: unknown, path: string): unknown {
  if (!(error instanceof ScenarioError)) return error;
  const mistakes = error.diagnostics.filter(({ severity }) => severity === 'error');
  if (!mistakes.every(({ file, source }) => file === '--set' && source.startsWith('goal='))) return error;
  const [first] = mistakes;
  if (first === undefined) return error;
  return first.message.startsWith('unknown key')
    ? new UsageError(`--goal: ${fit(path, 200)} asks no question to replace`, [
        'scenarios with `questions` ask one, such as scenarios/react.yaml and scenarios/files.yaml',
        'elsewhere goals belong to agents: --set agents.<id>.goals=…',
      ])
    : new UsageError(`--goal: ${first.message}`, ['--goal "What is 3 * 14?"']);
}
