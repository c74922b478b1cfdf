/** Runs of a log by id or number; each is checked once for completeness before anything of it is read. */
import { StorageError } from '../base/errors.js';
import { Lineages } from './lineage.js';
import { SELECT_RUN } from './queries.js';
import type { RunRow } from './read-columns.js';
import type { RecordMaker } from './read-rows.js';
import type { RunChecks } from './run-checks.js';
import type { Statements } from './statements.js';

export interface RunFinderParts {
  /** The path of the log, for messages. */
  path: string;
  rows: Statements;
  records: RecordMaker;
  /** Null: stored content is returned unchecked. */
  checks: RunChecks | null;
}

export class RunFinder {
  readonly #parts: RunFinderParts;
  readonly lineages: Lineages;
  /** Complete runs, by number; they stay complete, because rows are only ever added. */
  readonly #complete = new Set<number>();
  /** By a run's number, whether all of its rows have hashes. */
  readonly #areHashed = new Map<number, boolean>();

  constructor(parts: RunFinderParts) {
    this.#parts = parts;
    this.lineages = new Lineages(parts.path, {
      named: (runId) => this.named(runId),
      numbered: (run) => {
        const row = parts.rows.get<RunRow>(`${SELECT_RUN} WHERE runs.run = ?`, run);
        return row === undefined ? undefined : this.#checked(row);
      },
    });
  }

  /** In the order in which they began; only their own rows are checked. */
  all(): readonly RunRow[] {
    const { rows, records, checks } = this.#parts;
    checks?.requireAll();
    const runRows = rows.all<RunRow>(`${SELECT_RUN} ORDER BY runs.run`);
    for (const row of runRows) records.checkRun(row);
    return runRows;
  }

  named(runId: string): RunRow {
    const { path, rows } = this.#parts;
    const row = rows.get<RunRow>(`${SELECT_RUN} WHERE runs.run_id = ?`, runId);
    if (row !== undefined) return this.#checked(row);
    const ids = rows.all<{ run_id: string }>('SELECT run_id FROM runs ORDER BY run LIMIT 20');
    const hint =
      ids.length === 0 ? 'the log has no runs yet' : `its runs: ${ids.map((id) => id.run_id).join(', ')}`;
    throw new StorageError(`the log ${path} has no run ${runId}`, [hint]);
  }

  /** The same, checked again, because the run may have been in progress. */
  newest(runId: string): RunRow {
    const row = this.named(runId);
    this.#parts.checks?.require(row.run);
    return row;
  }

  isHashed(run: number): boolean {
    const known = this.#areHashed.get(run);
    if (known !== undefined) return known;
    const isHashed = this.#parts.checks?.isHashed(run) ?? false;
    this.#areHashed.set(run, isHashed);
    return isHashed;
  }

  /** Every read of a run first checks that the run is complete. */
  #checked(row: RunRow): RunRow {
    if (this.#complete.has(row.run)) return row;
    this.#parts.records.checkRun(row);
    this.#parts.checks?.require(row.run);
    this.#complete.add(row.run);
    return row;
  }
}
