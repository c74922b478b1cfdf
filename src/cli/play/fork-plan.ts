/**
 * How a fork continues from one of a run's steps, for `fork` and `branch`. In: the changes from there on, and
 * the agents' first answers; out: the input of `resume-run.ts`.
 */
import { withForkSettings } from '../../assembly/fork-settings.js';
import type { OpenedScenario } from '../../assembly/open.js';
import { forkContinuation, requireForkStep } from '../../assembly/resume.js';
import { playersAt, requireSamePlayers } from '../options/same-players.js';
import { readableOf } from '../options/variables.js';
import type { GoOnOptions, OpenedLog, ResumeCommand, ResumeCommandContext } from './resume-run.js';

export interface ForkCommandOptions extends GoOnOptions {
  /** The first replayed step. */
  readonly at: number;
  readonly reply: string | undefined;
  readonly agent: string | undefined;
  readonly say: string | undefined;
  readonly set: readonly string[];
  readonly env: readonly string[] | undefined;
}

export interface ForkPlace extends ResumeCommandContext {
  readonly options: ForkCommandOptions;
}

/** By agent, its answer in its first step of the fork. */
export type Given = (taken: OpenedLog, opened: OpenedScenario) => Readonly<Record<string, string>>;

/** How a fork continues from the step `at`. */
export function forkPlan({ options, io }: ForkPlace, given: Given): ResumeCommand {
  const { at } = options;
  return {
    scenario: (taken) => {
      const { run, own } = taken;
      const { modules } = own;
      const scenario = withForkSettings(run, { set: options.set, modules, ...readableOf(io, options.env) });
      requireForkStep(taken, at, scenario);
      return scenario;
    },
    goesOn: (taken, opened) => {
      const { reader, run } = taken;
      const goesOn = forkContinuation(taken, { at, given: given(taken, opened) });
      return {
        ...goesOn,
        adopt: (fresh) => {
          requireSamePlayers({ run, fresh, played: playersAt(reader, run, at) }, options);
          return goesOn.adopt(fresh);
        },
        note: `fork of ${run.runId} at step ${at}`,
      };
    },
  };
}
