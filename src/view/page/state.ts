/** What the page shows, as plain data. A step is counted from 1; 0 is the world before the first. */
import { WORLD_ID } from '../../base/ids.js';
import type { PageData, PageRun, PageStep } from '../page-data.js';

/** One of the pictures side by side. `view` is `map`, `sent`, or `agent:<id>`. */
export interface PanelState {
  readonly run: string;
  readonly view: string;
}

export interface PageState {
  /** One or two. */
  readonly panels: readonly PanelState[];
  /** Which of them the words are about. */
  readonly active: number;
  readonly step: number;
  /** Whose steps are gone through; null: everybody's. */
  readonly agent: string | null;
  readonly isPlaying: boolean;
  /** 1 … 16. */
  readonly speed: number;
  /** What is looked for; '' for nothing. */
  readonly query: string;
}

export const SPEEDS = [1, 2, 4, 8, 16] as const;

export function runOf(data: PageData, id: string): PageRun | undefined {
  return data.runs.find((run) => run.id === id);
}

/** The run that the words are about. */
export function activeRun(data: PageData, state: PageState): PageRun | undefined {
  return runOf(data, state.panels[state.active]?.run ?? '') ?? data.runs[0];
}

/** The last step of the longer run. */
export function lastStep(data: PageData, { panels }: PageState): number {
  return panels.reduce((most, { run }) => Math.max(most, runOf(data, run)?.steps.length ?? 0), 0);
}

/** The step of a run at a place of the time line: its last one where the run was shorter; null before the first. */
export function stepAt(run: PageRun, step: number): PageStep | null {
  return run.steps[Math.min(step, run.steps.length) - 1] ?? null;
}

/** Steps of whoever is gone through, the nearest first; `isRound`: past the end it begins again, and the step that is shown comes last. */
export function stepsAlong(
  run: PageRun,
  { step: now, agent }: PageState,
  { way, last, isRound }: { readonly way: 1 | -1; readonly last: number; readonly isRound: boolean },
): readonly number[] {
  const all = Array.from({ length: last + 1 }, (_, i) => now + way * (i + 1));
  const steps = isRound ? all.map((step) => (step + last + 1) % (last + 1)) : all;
  return steps.filter(
    (step) => step >= 0 && step <= last && (agent === null || run.steps[step - 1]?.agent === agent),
  );
}

/** A name for people. */
export function nameOf(run: PageRun, agent: string): string {
  if (agent === WORLD_ID) return 'the world';
  return run.agents.find(({ id }) => id === agent)?.name ?? agent;
}

/** What the run's views are called. */
export function viewsOf(run: PageRun): readonly (readonly [view: string, text: string])[] {
  const { map, eyes } = run.start;
  const hasSent = run.steps.some(({ calls }) => calls.some(({ picture }) => picture !== null));
  return [
    ...(map === null ? [] : [['map', run.isMapWhole ? 'whole map' : 'map around who acts'] as const]),
    ...run.agents.flatMap(({ id, name }, i) =>
      (eyes[i] ?? null) === null ? [] : [[`agent:${id}`, `eyes of ${name}`] as const],
    ),
    ...(hasSent ? [['sent', 'picture that was sent'] as const] : []),
  ];
}

/** What stands beside a picture: the first of the run's forks or its parent, else another pair of eyes. */
export function besideOf(data: PageData, first: PanelState): PanelState {
  const run = runOf(data, first.run);
  if (run === undefined) return first;
  const kin = data.runs.find(({ id, parent }) => parent?.run === run.id || run.parent?.run === id);
  if (kin !== undefined) return { run: kin.id, view: first.view };
  const other = viewsOf(run).find(([view]) => view !== first.view);
  return { run: run.id, view: other?.[0] ?? first.view };
}
