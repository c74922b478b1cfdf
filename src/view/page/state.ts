/** What the page shows, as plain data. A step is counted from 1; 0 is the world before the first. */
import { WORLD_ID, agentName } from '../../base/ids.js';
import { passesFilter, type StepFilter } from './filter.js';
import type { PageData, PageMark, PageRun, PageStep } from '../page-data.js';

/** One of the pictures side by side. `view` is `map`, `sent`, or `agent:<id>`. */
export interface PanelState {
  run: string;
  view: string;
}

/** What the reader chose to see. Steps that the filter excludes are skipped. */
export interface PageView extends StepFilter {
  /** One or two. */
  panels: readonly PanelState[];
  /** The index of the picture that the texts describe. */
  active: number;
  step: number;
  isPlaying: boolean;
  /** 1 … 16. */
  speed: number;
  /** The search text; '' for none. */
  query: string;
}

/** The content of the dialog for a verdict with text. */
export interface AnnotationRequest {
  run: PageRun;
  step: number;
  agent: string;
  verdict: Exclude<PageMark['verdict'], 'none'>;
  /** Whether the step has a verdict, which can be removed. */
  hasVerdict: boolean;
  /** The text in the field when the dialog opens. */
  text: string;
  /** Why the text could not be saved; '' if it was not sent yet. */
  failure: string;
}

/** The page's state apart from its data. */
export interface PageState extends PageView {
  /** Whether the data is embedded, may still grow, or stopped; `liveNote` is the reason, '' for none. */
  live: 'file' | 'live' | 'lost';
  liveNote: string;
  /** Whether everything that existed when the page was opened has arrived. */
  isSettled: boolean;
  /**
   * The opened link, while its target is missing and the reader has not moved on; otherwise null.
   */
  pendingLink: string | null;
  /** A sentence about the missing target of the link; '' if nothing is missing. */
  missingText: string;
  /** The latest announcement for screen readers. */
  announcement: string;
  /** The name of the colour theme, on which the colours of the timeline depend. */
  theme: string;
  /**
   * Verdicts that were sent but are not yet among their run's marks, by `stepKey`, because the next key may
   * be pressed before they arrive.
   */
  sent: ReadonlyMap<string, PageMark>;
  /**
   * The outcome of saving the last verdict, and its step; `isSeen`: shown to all, not only to screen readers.
   */
  outcome: { key: string; words: string; isSeen: boolean };
  /** Null while the dialog is closed. */
  request: AnnotationRequest | null;
}

/** The state of a page whose data has not arrived yet. */
export const INITIAL_STATE: Omit<PageState, keyof PageView> = {
  live: 'file',
  liveNote: '',
  isSettled: false,
  pendingLink: null,
  missingText: '',
  announcement: '',
  theme: '',
  sent: new Map(),
  outcome: { key: '', words: '', isSeen: false },
  request: null,
};

export const SPEEDS = [1, 2, 4, 8, 16] as const;

export function runOf(data: PageData, id: string): PageRun | undefined {
  return data.runs.find((run) => run.id === id);
}

/** The run that the texts describe. */
export function activeRun(data: PageData, state: PageView): PageRun | undefined {
  return runOf(data, state.panels[state.active]?.run ?? '') ?? data.runs[0];
}

/** The last step of the longer run. */
export function lastStep(data: PageData, { panels }: PageView): number {
  return panels.reduce((most, { run }) => Math.max(most, runOf(data, run)?.steps.length ?? 0), 0);
}

/**
 * The step of a run at a position of the timeline: its last step if the run was shorter; null before the
 * first.
 */
export function stepAt(run: PageRun, step: number): PageStep | null {
  return run.steps[Math.min(step, run.steps.length) - 1] ?? null;
}

/**
 * The steps that pass the filter, the nearest first; `wraps`: continues at the other end, and the current
 * step comes last.
 */
export function stepsInDirection(
  run: PageRun,
  { step: current, ...filter }: PageView,
  { way: direction, last, isRound: wraps }: { way: 1 | -1; last: number; isRound: boolean },
): readonly number[] {
  const all = Array.from({ length: last + 1 }, (_, i) => current + direction * (i + 1));
  const steps = wraps ? all.map((step) => (step + last + 1) % (last + 1)) : all;
  return steps.filter((step) => step >= 0 && step <= last && passesFilter(run.steps[step - 1], filter));
}

/** A key for a step of a run, including step 0. */
export function stepKey(run: PageRun, step: number): string {
  return `${run.id} ${step}`;
}

/** An agent's display name. */
export function nameOf(run: PageRun, agent: string): string {
  return agent === WORLD_ID ? 'the world' : agentName(run.agents, agent);
}

/** The run's views, with their labels. */
export function viewsOf(run: PageRun): readonly (readonly [view: string, text: string])[] {
  const { map, eyes } = run.start;
  const hasSent = run.steps.some(({ calls }) => calls.some(({ picture }) => picture !== null));
  return [
    ...(map === null ? [] : [['map', run.isMapWhole ? 'whole map' : 'map around the acting agent'] as const]),
    ...run.agents.flatMap(({ id, name }, i) =>
      (eyes[i] ?? null) === null ? [] : [[`agent:${id}`, `view of ${name}`] as const],
    ),
    ...(hasSent ? [['sent', 'sent picture'] as const] : []),
  ];
}

/** The second picture: the first of the run's forks or its parent, otherwise another view. */
export function secondPanel(data: PageData, first: PanelState): PanelState {
  const run = runOf(data, first.run);
  if (run === undefined) return first;
  const relative = data.runs.find(({ id, parent }) => parent?.run === run.id || run.parent?.run === id);
  if (relative !== undefined) return { run: relative.id, view: first.view };
  const other = viewsOf(run).find(([view]) => view !== first.view);
  return { run: run.id, view: other?.[0] ?? first.view };
}
