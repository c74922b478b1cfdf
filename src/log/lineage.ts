/**
 * Where the steps of a run are stored: a fork shares the first steps of its parent, which are not copied, and
 * the parent may be a fork itself. In an untrusted file parents could form a cycle, so a parent must be an
 * earlier run of the file.
 */
import { at } from '../base/assert.js';
import { damaged } from './damaged.js';

/** Steps `from` … `to`, both included, are stored under `run`. */
export interface RunSegment {
  /** The run's number in the file. */
  run: number;
  runId: string;
  from: number;
  to: number;
}

/** The part of a run's row that names its parent. */
export interface RunParentRow {
  run: number;
  run_id: string;
  parent_run: number | null;
  fork_step: number | null;
}

/** How to find a run's row: by id, which throws if there is none, or by number. */
export interface RunParents {
  named: (runId: string) => RunParentRow;
  numbered: (run: number) => RunParentRow | undefined;
}

/** A run's parents never change, so each is looked up once. `path` is for messages. */
export class Lineages {
  readonly #path: string;
  readonly #rows: RunParents;
  readonly #cache = new Map<string, readonly RunParentRow[]>();

  constructor(path: string, rows: RunParents) {
    this.#path = path;
    this.#rows = rows;
  }

  /**
   * Where the run's steps are stored, oldest first. The last range is its own and is open-ended, because it
   * may be growing.
   */
  of(runId: string): readonly RunSegment[] {
    const segments: RunSegment[] = [];
    let to = Number.MAX_SAFE_INTEGER;
    for (const { run, run_id: id, fork_step: forkStep } of this.#ancestors(runId)) {
      const from = Math.min(forkStep ?? 1, to + 1);
      if (from <= to) segments.unshift({ run, runId: id, from, to });
      to = from - 1;
    }
    return segments;
  }

  /** The number of the run whose rows contain a step. */
  holder(runId: string, step: number): number {
    const segments = this.of(runId);
    return (segments.find(({ from, to }) => step >= from && step <= to) ?? at(segments, 0)).run;
  }

  /** The number of the oldest ancestor's run, even if none of its steps are used. */
  oldest(runId: string): number {
    const ancestors = this.#ancestors(runId);
    return at(ancestors, ancestors.length - 1).run;
  }

  /** The run itself first. */
  #ancestors(runId: string): readonly RunParentRow[] {
    const known = this.#cache.get(runId);
    if (known !== undefined) return known;
    const ancestors = [this.#rows.named(runId)];
    for (let row = at(ancestors, 0); row.parent_run !== null;) {
      const parent = row.parent_run < row.run ? this.#rows.numbered(row.parent_run) : undefined;
      if (parent === undefined)
        throw damaged(this.#path, `the parent of run ${runId} is not an earlier run of the log`);
      ancestors.push(parent);
      row = parent;
    }
    this.#cache.set(runId, ancestors);
    return ancestors;
  }
}
