/**
 * The runs of an export, their order, and which belong together. A fork belongs with its parent, and runs of
 * one scenario and seed belong together, in whatever file they are: no split separates them.
 */
import { compareText } from '../base/ids.js';
import { damaged } from '../log/damaged.js';
import { SeenRuns } from '../log/seen-runs.js';
import type { RunSummary } from '../trajectory/run-summary.js';

/** A run of the export. */
export interface PickedRun {
  path: string;
  runId: string;
  /**
   * Its position in the export, from `00001`, for file names: a run's id may contain characters that a file
   * name can't.
   */
  ordinal: string;
  /** If a fork's parent is exported too, the shared steps appear only with the parent. */
  firstStep: number;
  lastStep: number;
  /** The same for all runs that no split may separate. */
  group: string;
  /** The same for all runs of one scenario; forks have the group of their parents. */
  scenarioGroup: string;
  summary: RunSummary;
}

/** The requested runs of one log. */
export interface ChosenRuns {
  path: string;
  /** All runs of the file. */
  runs: readonly RunSummary[];
  /** The requested run; null for all runs. */
  runId: string | null;
}

/**
 * In the order of the runs' ids, so that the same runs make the same data set, however they are divided into
 * logs. A run that is named twice, or is in two logs, is used once. `isExported`: whether rows of a run are
 * exported at all; steps that a fork shares with an excluded parent appear with the fork. Throws StorageError
 * if parents form a cycle, and UsageError if two logs hold different runs with one id.
 */
export function pickRuns(
  chosen: readonly ChosenRuns[],
  isExported: (run: RunSummary) => boolean = () => true,
): readonly PickedRun[] {
  const picked: Omit<PickedRun, 'ordinal'>[] = [];
  const handled = new Set<string>();
  const exported = new Set<string>();
  const seen = new SeenRuns();
  for (const one of chosen) {
    for (const run of runsOf(one)) {
      rejectCycle(one, run);
      if (isExported(run)) exported.add(address(one.path, run.runId));
    }
  }
  for (const one of chosen) {
    const all = one.runs;
    for (const summary of runsOf(one)) {
      const name = address(one.path, summary.runId);
      if (handled.has(name)) continue;
      handled.add(name);
      if (seen.isCopy(summary, { file: one.path, name: one.path })) continue;
      picked.push({
        path: one.path,
        runId: summary.runId,
        firstStep: firstOwnStep(summary, all, (runId) => exported.has(address(one.path, runId))),
        lastStep: summary.steps,
        group: groupOf(rootOf(summary, all)),
        scenarioGroup: rootOf(summary, all).name,
        summary,
      });
    }
  }
  return picked
    .toSorted((one, other) => compareText(one.runId, other.runId))
    .map((run, i) => ({ ...run, ordinal: String(i + 1).padStart(5, '0') }));
}

function runsOf({ runs, runId }: ChosenRuns): readonly RunSummary[] {
  return runId === null ? runs : runs.filter((one) => one.runId === runId);
}

function address(path: string, runId: string): string {
  return `${path}\n${runId}`;
}

/** A run has at most as many ancestors as there are runs. */
function rejectCycle({ path, runs }: ChosenRuns, run: RunSummary): void {
  let ancestor: RunSummary | undefined = run;
  for (let i = 0; i <= runs.length && ancestor !== undefined; i++) {
    const parent: RunSummary['parent'] = ancestor.parent;
    if (parent === null) return;
    ancestor = runs.find(({ runId }) => runId === parent.runId);
  }
  if (ancestor !== undefined) throw damaged(path, `run ${run.runId} descends from itself`);
}

/** The first step that no exported ancestor contains. */
function firstOwnStep(
  { parent }: RunSummary,
  all: readonly RunSummary[],
  isExported: (runId: string) => boolean,
): number {
  if (parent === null) return 1;
  if (isExported(parent.runId)) return parent.step;
  const parentRun = all.find(({ runId }) => runId === parent.runId);
  return parentRun === undefined ? 1 : Math.min(parent.step, firstOwnStep(parentRun, all, isExported));
}

/** The run that a fork, or a fork of a fork, descends from. */
function rootOf(summary: RunSummary, all: readonly RunSummary[]): RunSummary {
  const parentRun = all.find(({ runId }) => runId === summary.parent?.runId);
  return parentRun === undefined || parentRun === summary ? summary : rootOf(parentRun, all);
}

function groupOf({ name, seed }: RunSummary): string {
  return JSON.stringify([name, seed]);
}
