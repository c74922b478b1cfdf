/**
 * `show --regret`: the cost of each step of a logged run, found by a search before and after it. Unknown
 * costs are marked as such.
 */
import { counted } from '../../base/counted.js';
import { regretOfRun } from '../../assembly/regret.js';
import { UsageError } from '../../base/errors.js';
import type { LogReader } from '../../log/reader.js';
import type { RunSummary } from '../../trajectory/run-summary.js';
import type { OpenStage } from '../../replay/verify.js';
import type { GoalDistance, StepRegret } from '../../solve/regret.js';
import { SEARCHES_IN_VAIN } from '../logs/logged-costs.js';
import { fit, jsonText, pad } from '../terminal/style.js';

/** Throws UsageError if the run's environment is not available, or has no success condition. */
export function regretText(
  reader: LogReader,
  { runId }: RunSummary,
  { agent, json, effort }: { agent: string | undefined; json: boolean; effort: number },
  open: OpenStage,
): string {
  const run = reader.run(runId);
  const { environment } = open(run);
  if (!environment.hasGoal)
    throw new UsageError('this scenario has no success condition, so steps have no cost');
  const steps = [...reader.steps(runId)];
  const all = regretOfRun(
    { scenario: run.scenario, environment },
    { seed: run.seed, steps },
    effort,
    SEARCHES_IN_VAIN * effort,
  );
  const regret = all.filter((one) => agent === undefined || one.agent === agent);
  if (json) return `${jsonText({ run_id: runId, effort, regret })}\n`;
  return `${[...regret.map(stepLine), totalLine(regret)].join('\n')}\n`;
}

function stepLine({ turn, agent, before, after, lostTurns, isFatal, guessedTurns }: StepRegret): string {
  const isGuess = lostTurns === null && after !== 'never' && guessedTurns !== null;
  const turns = isGuess ? guessedTurns : lostTurns;
  const certainty = isGuess ? ' (estimate)' : '';
  const lost = isFatal
    ? 'winning became impossible'
    : turns === null
      ? ''
      : `${turns === 0 ? 'nothing' : counted(turns, 'turn')} lost${certainty}`;
  const distances = `${distanceText(before)}, then ${distanceText(after)}`;
  return `${`T${turn}`.padStart(5)}  ${pad(fit(agent, 40), 12)}  ${lost === '' ? distances : `${lost} (${distances})`}`;
}

function distanceText(distance: GoalDistance): string {
  if (distance === null) return "can't tell";
  return distance === 'never' ? 'unwinnable' : `${counted(distance, 'turn')} to go`;
}

function totalLine(regret: readonly StepRegret[]): string {
  const known = regret.flatMap(({ lostTurns }) => (lostTurns === null ? [] : [lostTurns]));
  const sum = known.reduce((total, turns) => total + turns, 0);
  const unwinnable = regret.filter(({ before }) => before === 'never').length;
  const fatal = regret.filter(({ isFatal }) => isFatal).length;
  const unknown = regret.length - known.length - unwinnable - fatal;
  const notes = [
    fatal === 0 ? '' : `; ${counted(fatal, 'step')} made winning impossible`,
    unwinnable === 0 ? '' : `; ${counted(unwinnable, 'step')} taken from an unwinnable position`,
    unknown === 0 ? '' : `; ${counted(unknown, 'step')} unknown (--effort searches longer)`,
  ];
  return `${counted(sum, 'turn')} lost in ${counted(known.length, 'step')}${notes.join('')}`;
}
