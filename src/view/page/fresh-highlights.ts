/** What the time line marks and the keys leap between, kept until it changes. In: a run and what is looked for; out: its marks. */
import type { PageData, PageRun } from '../page-data.js';
import { stepsWith } from './search.js';
import { marksOf, type StepMarks } from './step-highlights.js';

/** What the time line marks, and the steps that were found; `key` tells of what. */
export interface PageHighlights {
  readonly key: string;
  readonly list: readonly StepMarks[];
  readonly found: ReadonlySet<number>;
}

export class FreshMarks {
  #marks: PageHighlights = { key: '', list: [], found: new Set() };

  /**
   * Made anew where the run grew or something else is looked for: also between two frames, since whoever types ENTER won't wait for one. `version`: another
   * one with each change of the data or the colours.
   */
  of(
    data: PageData,
    run: PageRun,
    { query, version }: { readonly query: string; readonly version: number },
  ): PageHighlights {
    const key = `${run.id} ${run.steps.length} ${version} ${query}`;
    if (key !== this.#marks.key) {
      const found = stepsWith(data, run, query);
      this.#marks = { key, list: marksOf(run, data, found), found };
    }
    return this.#marks;
  }
}
