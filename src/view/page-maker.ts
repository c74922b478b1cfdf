/**
 * Makes a page's data from logs alone, part by part: first all that exists, then what unfinished runs add,
 * and runs that begin in the meantime. One maker serves one page file, one page of a server with all its
 * visitors, or one opened run of a list.
 */
import { LIMITS } from '../base/limits.js';
import { UsageError } from '../base/errors.js';
import { NO_MARKS } from '../log/annotations.js';
import type { AnnotationEntry } from '../log/annotations.js';
import { annotateStep } from '../replay/checked-annotation.js';
import type { OpenStage } from '../replay/verify.js';
import type { PagePart, PageRunPart } from './page-data.js';
import { RunPacker } from './page-run.js';
import { pageTileset } from './page-tileset.js';
import type { OpenRunSource, RunSource, ViewedLog } from './run-source.js';
import { PageTables } from './tables.js';
import { WatchedMarks } from './watched-annotations.js';

/** Ticks of each run in one part: some hundred milliseconds of work. */
const TICKS = 64;

/** Where a page's data comes from: logs, or tables. */
export type PageSource = Pick<PageMaker, 'part' | 'annotate'>;

export class PageMaker {
  readonly #logs: readonly ViewedLog[];
  readonly #open: OpenRunSource;
  readonly #stage: OpenStage;
  readonly #tables = new PageTables();
  readonly #runs = new Map<string, { packer: RunPacker; log: ViewedLog }>();
  readonly #marks: ReadonlyMap<ViewedLog, WatchedMarks>;

  /** `stage` opens a run in order to parse a correction. */
  constructor(logs: readonly ViewedLog[], open: OpenRunSource, stage: OpenStage) {
    this.#logs = logs;
    this.#open = open;
    this.#stage = stage;
    this.#marks = new Map(logs.map((log) => [log, new WatchedMarks(log.reader.path)]));
  }

  /**
   * The next part; null if nothing is new. `isAll` includes a tick that may still grow, for a page that is
   * made only once. Rejects with UsageError if there are too many runs for a page, and with StorageError if a
   * log can't be read.
   */
  async part({ isAll }: { isAll: boolean }): Promise<PagePart | null> {
    await this.#openRuns();
    const runs: PageRunPart[] = [];
    for (const { packer, log } of this.#runs.values()) {
      const marks = this.#marks.get(log)?.now() ?? NO_MARKS;
      const part = packer.part({ ticks: TICKS, isAll, marks });
      if (part === null) continue;
      runs.push(part);
      // The rest of a long run follows in the next part, so that parts stay small.
      if (part.hasMore) break;
    }
    return runs.length === 0 ? null : { ...this.#tables.take(), runs };
  }

  /**
   * Saves a verdict on a step next to the log of its run; the next part includes it. Throws UsageError if it
   * is not valid for that step or the run is not on the page, StorageError if it can't be saved.
   */
  annotate(entry: AnnotationEntry): void {
    const log = this.#runs.get(entry.run)?.log;
    if (log === undefined) throw new UsageError('this page has no such run');
    annotateStep(log.reader, entry, this.#stage);
  }

  async #openRuns(): Promise<void> {
    for (const log of this.#logs)
      for (const summary of log.reader.runs()) {
        if (!isOnPage(log, summary.runId) || this.#runs.has(summary.runId)) continue;
        if (this.#runs.size >= LIMITS.pageRuns) throw tooManyRuns(`${log.file}#${summary.runId}`);
        const source = await this.#open(log, summary);
        const tileset = await this.#tileset(source);
        this.#runs.set(summary.runId, { packer: new RunPacker(source, this.#tables, tileset), log });
      }
  }

  async #tileset({ run }: RunSource): Promise<number> {
    const tileset = await pageTileset(run.tileset.manifest, run.tileset.images);
    return this.#tables.tileset(JSON.stringify(tileset), () => tileset);
  }
}

/** Whether the page shows this run of the log. */
export function isOnPage({ runId, isWanted }: ViewedLog, id: string): boolean {
  return runId === null ? (isWanted?.(id) ?? true) : id === runId;
}

/** `address`: the address of one of the runs. */
export function tooManyRuns(address: string): UsageError {
  return new UsageError(`a page shows at most ${LIMITS.pageRuns} runs`, [
    `choose one: ${address}`,
    'report --csv lists every run with its log',
  ]);
}
