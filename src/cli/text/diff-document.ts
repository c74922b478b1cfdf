/** What `diff --json` prints: the comparison with every value as a bounded JSON text. */
import type { StepRecord } from '../../trajectory/records.js';
import type { ValueDifference } from '../../replay/compare.js';
import { pointer, shownValues } from '../../replay/compare.js';
import type { AlignedStep, DiffSide, RunSides } from '../../replay/diff/aligned-steps.js';
import type { WordsDiffer } from '../../replay/diff/divergence.js';
import type { RunDiff, WorldsAt } from '../../replay/diff/run-diff.js';

/** A run with the address under which the user finds it. */
export interface NamedSide extends DiffSide {
  address: string;
}

/** A comparison and what was compared. */
export interface ComparedRuns {
  diff: RunDiff;
  sides: RunSides<NamedSide>;
}

export function diffDocument({ diff, sides }: ComparedRuns): object {
  const { isSame, setup, divergence, promptDifference, replyDifference, parts, finish } = diff;
  return {
    same: isSame,
    a: { run: sides.a.run.runId, log: sides.a.address, ...finish.a },
    b: { run: sides.b.run.runId, log: sides.b.address, ...finish.b },
    setup: setup.map(shownDifference),
    shared_steps: diff.sharedSteps,
    parting: divergence === null ? null : { ...placeOf(divergence.moment), aspects: divergence.aspects },
    told: promptDifference === null ? null : valueDocument(promptDifference),
    answered: replyDifference === null ? null : valueDocument(replyDifference),
    parts,
    worlds: {
      before: worldsDocument(diff.worldsBefore),
      after: worldsDocument(diff.worldsAfter),
      end: worldsDocument(diff.worldsAtEnd),
      missing: diff.worldsMissing,
    },
    moments: diff.after.map((moment) => ({
      ...placeOf(moment),
      a: stepDocument(moment.a),
      b: stepDocument(moment.b),
    })),
  };
}

/** The two values at one position, as bounded JSON texts; null if there is none. */
export function shownDifference({ path, logged, made }: ValueDifference): {
  path: string;
  a: string | null;
  b: string | null;
} {
  const shown = shownValues(logged, made);
  return { path: pointer(path), a: shown.logged, b: shown.made };
}

function placeOf({ turn, agent, a, b }: AlignedStep): object {
  return { turn, agent, steps: { a: a?.step ?? null, b: b?.step ?? null } };
}

function valueDocument({ turn, agent, steps, part, difference }: WordsDiffer): object {
  return { turn, agent, steps, part, ...shownDifference(difference) };
}

function worldsDocument(at: WorldsAt | null): object | null {
  if (at === null) return null;
  const { values, hasMore, ...differ } = at.differ;
  const shown = values.map((one) => ({ part: one.part, ...shownDifference(one) }));
  return { steps: at.steps, ...differ, values: shown, has_more: hasMore };
}

function stepDocument(step: StepRecord | null): object | null {
  return step === null ? null : { acts: step.acts, events: step.events };
}
