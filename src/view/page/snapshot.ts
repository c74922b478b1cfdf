/** The page at one moment. It is all that the components need. */
import { known } from '../../base/assert.js';
import type { PageData, PageRun, PageStep } from '../page-data.js';
import { activeRun, lastStep, stepAt, type PageState } from './state.js';
import { highlightsOf, highlightsText, type PageHighlights } from './step-highlights.js';
import { summaryOf } from './step-summary.js';

export interface PageSnapshot {
  data: PageData;
  state: PageState;
  /** The run that the texts next to the pictures describe. */
  run: PageRun;
  /** Its step that is shown; null before the first. */
  step: PageStep | null;
  /** The last step of the run, or of the longer one if two are compared. */
  last: number;
  highlights: PageHighlights;
}

/**
 * `before`: the previous snapshot, whose highlights are reused if they are still valid; null for the first.
 */
export function snapshotOf(data: PageData, state: PageState, before: PageSnapshot | null): PageSnapshot {
  const run = known(activeRun(data, state), 'a run');
  const { query } = state;
  const isUnchanged = before?.data === data && before.run === run && before.state.query === query;
  const highlights = isUnchanged ? before.highlights : highlightsOf(data, run, query);
  return { data, state, run, step: stepAt(run, state.step), last: lastStep(data, state), highlights };
}

/** A step's summary with its highlights. */
export function describeStep({ run, highlights }: PageSnapshot, step: number): string {
  const highlighted = highlights.list[step - 1];
  const text = highlighted === undefined ? '' : highlightsText(highlighted);
  return `${summaryOf(run, stepAt(run, step))}${text === '' ? '' : ` (${text})`}`;
}
