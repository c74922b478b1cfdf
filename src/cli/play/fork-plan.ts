/**
 * How a fork continues from one of a run's steps, for `fork` and `branch`: with changes from there on, and with
 * the agents' first answers.
 */
import type { Io } from '../terminal/io.js';
import { withForkSettings } from '../../assembly/fork-settings.js';
import type { OpenedScenario } from '../../assembly/opened-scenario.js';
import { forkContinuation, requireForkStep } from '../../assembly/resume.js';
import type { ENV } from '../options/allow-options.js';
import type { FORK } from '../options/fork-options.js';
import type { Chosen } from '../options/option.js';
import { playersAt, requireSamePlayers } from '../options/same-players.js';
import { readableOf } from '../options/variables.js';
import type { ContinueOptions, OpenedLog, ResumeCommand } from './resume-run.js';

export type ForkCommandOptions = ContinueOptions &
  Chosen<typeof FORK & typeof ENV> & {
    set: readonly string[];
  };

/** By agent, its answer in its first step of the fork. */
export type FirstAnswers = (openedLog: OpenedLog, opened: OpenedScenario) => Readonly<Record<string, string>>;

/** How a fork continues from the step `at`. */
export function forkPlan(
  { options, io }: { options: ForkCommandOptions; io: Io },
  firstAnswers: FirstAnswers,
): ResumeCommand {
  const { at } = options;
  return {
    scenario: (openedLog) => {
      const { run, parts } = openedLog;
      const { modules } = parts;
      const scenario = withForkSettings(run, { set: options.set, modules, ...readableOf(io, options.env) });
      requireForkStep(openedLog, at, scenario);
      return scenario;
    },
    continuation: (openedLog, opened) => {
      const { reader, run } = openedLog;
      const continuation = forkContinuation(openedLog, { at, given: firstAnswers(openedLog, opened) });
      return {
        ...continuation,
        adopt: (newRecord) => {
          requireSamePlayers({ run, newRecord, previousPlayers: playersAt(reader, run, at) }, options);
          return continuation.adopt(newRecord);
        },
        note: `fork of ${run.runId} at step ${at}`,
      };
    },
  };
}
