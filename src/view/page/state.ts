/** What the page shows, as plain data. A step is counted from 1; 0 is the world before the first. */
import { WORLD_ID } from '../../base/ids.js';
import { passesFilter, type StepFilter } from './filter.js';
import type { PageData, PageMark, PageRun, PageStep } from '../page-data.js';

/** One of the pictures side by side. `view` is `map`, `sent`, or `agent:<id>`. */
export interface PanelState {
  readonly run: string;
  readonly view: string;
}

/** What somebody chose to see. Steps that the filter leaves out are passed over. */
export interface PageView extends StepFilter {
  /** One or two. */
  readonly panels: readonly PanelState[];
  /** Which of them the words are about. */
  readonly active: number;
  readonly step: number;
  readonly isPlaying: boolean;
  /** 1 … 16. */
  readonly speed: number;
  /** What is looked for; '' for nothing. */
  readonly query: string;
}

/** A verdict that takes words; what the dialog asks for. */
export interface AnnotationRequest {
  readonly run: PageRun;
  readonly step: number;
  readonly agent: string;
  readonly verdict: Exclude<PageMark['verdict'], 'none'>;
  /** Whether something was said before, which can be taken back. */
  readonly hasVerdict: boolean;
  /** The text in the field when the dialog opens. */
  readonly text: string;
  /** Why the same text was not kept before; '' if it was not sent yet. */
  readonly failure: string;
}

/** All that the page remembers beside its data. */
export interface PageState extends PageView {
  /** Whether the data is a file's, may still grow, or comes no more, with the reason; '' for none. */
  readonly live: 'file' | 'live' | 'lost';
  readonly liveNote: string;
  /** Whether all is here that there was when the page was opened. */
  readonly isSettled: boolean;
  /**
   * The address of the opened link, while a part of it is missing and the reader has not moved on; otherwise
   * null.
   */
  readonly pendingLink: string | null;
  /** What of the address is not there, in words; '' if all is. */
  readonly missingText: string;
  /** The newest words for readers aloud. */
  readonly announcement: string;
  /** Light or dark, by name: colours of the timeline depend on it. */
  readonly theme: string;
  /**
   * Verdicts that were sent and are not yet among their run's marks, by `stepKey`: the next key may be
   * pressed before they arrive.
   */
  readonly sent: ReadonlyMap<string, PageMark>;
  /**
   * The outcome of the last verdict, and its step; `isSeen`: also for the eye, not only for screen readers.
   */
  readonly outcome: { readonly key: string; readonly words: string; readonly isSeen: boolean };
  /** Null while the dialog is closed. */
  readonly request: AnnotationRequest | null;
}

/** Before anybody did anything, of a page whose data is still on its way. */
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

/** The run that the words are about. */
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
 * Steps of the chosen agent, the nearest first; `isRound`: after the end it starts again, and the current
 * step comes last.
 */
export function stepsInDirection(
  run: PageRun,
  { step: current, ...filter }: PageView,
  {
    way: direction,
    last,
    isRound: wraps,
  }: { readonly way: 1 | -1; readonly last: number; readonly isRound: boolean },
): readonly number[] {
  const all = Array.from({ length: last + 1 }, (_, i) => current + direction * (i + 1));
  const steps = wraps ? all.map((step) => (step + last + 1) % (last + 1)) : all;
  return steps.filter((step) => step >= 0 && step <= last && passesFilter(run.steps[step - 1], filter));
}

/** Names a step of a run; step 0 too. */
export function stepKey(run: PageRun, step: number): string {
  return `${run.id} ${step}`;
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
