/**
 * Seals: hashes of the rows that define a run and its end. `begin` covers the run's row, its tileset and the session's row; `end` covers
 * the row of its end; `left` covers the last step of a session that was left without an end. In a served run,
 * `begin` also covers how it was served, and `end` and `left` cover the number of lease events up to then;
 * `end` also covers the run's figures, if they are stored. The writer seals what it has just written, as read
 * back from SQLite; the reader computes seals in the same way.
 */
import type Database from 'better-sqlite3';
import { tablesVersion } from './schema.js';
import type { Columns } from '../trajectory/column-kinds.js';
import { rowHash } from './table.js';
import type { SqlValue, Table } from './table.js';
import { ENDS, RUNS, SITTINGS } from './tables.js';

type SealedTable = Pick<Table<Columns>, 'hasLaterValues' | 'laterValues'>;

export type SealKind = 'begin' | 'end' | 'left';

type SealedValues = readonly SqlValue[];

const BEGIN = `
  SELECT runs.run_id, parents.run_id, runs.fork_step, runs.name, runs.seed, source.sha256, scenario.sha256, manifest.sha256,
    (SELECT json_group_array(json_array(images.name, image.sha256) ORDER BY images.name)
      FROM tileset_images AS images LEFT JOIN blobs AS image ON image.blob = images.content WHERE images.run = runs.run),
    kept.sha256, runs.genesis, sitting, first_step, versions, controllers, started_at
  FROM runs JOIN sittings USING (run) LEFT JOIN runs AS parents ON parents.run = runs.parent_run
  LEFT JOIN blobs AS source ON source.blob = runs.source LEFT JOIN blobs AS scenario ON scenario.blob = runs.scenario
  LEFT JOIN blobs AS manifest ON manifest.blob = runs.tileset LEFT JOIN blobs AS kept ON kept.blob = runs.kept
  WHERE sittings.run = ? AND sitting = ?`;

const END = `
  SELECT run, sitting, status, reason, turns, steps, state, chain, blobs.sha256, ended_at
  FROM ends LEFT JOIN blobs ON blobs.blob = ends.final_state WHERE run = ? AND sitting = ?`;

/** The last step is the one before the next session's first, or the run's last. */
const LEFT = `
  SELECT sittings.run, sittings.sitting, step, chain FROM sittings
  LEFT JOIN sittings AS next ON next.run = sittings.run AND next.sitting = sittings.sitting + 1
  LEFT JOIN steps ON steps.run = sittings.run AND steps.step =
    coalesce(next.first_step - 1, (SELECT max(step) FROM steps WHERE steps.run = sittings.run))
  WHERE sittings.run = ? AND sittings.sitting = ?`;

/** Sessions that have neither an end nor a `left` seal. */
const OPEN = `
  SELECT run, sitting FROM sittings WHERE versions ->> 'log' >= 2 AND NOT EXISTS (
    SELECT 1 FROM seals WHERE seals.run = sittings.run AND seals.sitting = sittings.sitting AND kind <> 'begin'
  ) ORDER BY run, sitting`;

/** The additional rows under the seals of a served session; none for any other session. */
const SERVED = `SELECT options FROM served WHERE run = ? AND sitting = ?`;
const FIGURES = `SELECT 'figures', version, figures FROM figures WHERE run = ? AND sitting = ?`;
const LEASES = `SELECT count(*) FROM leases WHERE run = ? AND sitting <= ? HAVING count(*) > 0`;

/** The rows whose later columns a seal covers as well: those that its query does not list. */
const WHOLE_ROWS: Readonly<Record<SealKind, readonly (readonly [SealedTable, string])[]>> = {
  begin: [
    [RUNS, 'SELECT runs.* FROM runs JOIN sittings USING (run) WHERE run = ? AND sitting = ?'],
    [SITTINGS, 'SELECT * FROM sittings WHERE run = ? AND sitting = ?'],
  ],
  end: [[ENDS, 'SELECT * FROM ends WHERE run = ? AND sitting = ?']],
  left: [],
};

const ROWS: Readonly<Record<SealKind, string>> = { begin: BEGIN, end: END, left: LEFT };

/** For a log of version 2 or later. */
export class RunSeals {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Database.Statement<[number, number], SealedValues>>();

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** Null if the rows under the seal are missing. */
  of(kind: SealKind, run: number, sitting: number): string | null {
    const row = this.#valuesOf(ROWS[kind], run, sitting);
    return row === undefined ? null : rowHash(kind, [...row, ...this.#extraValues(kind, run, sitting)]);
  }

  /** The seals of sessions that were not served and have no figures are the same as before these existed. */
  #extraValues(kind: SealKind, run: number, sitting: number): SealedValues {
    if (tablesVersion(this.#db) < 3) return [];
    const queries = kind === 'begin' ? [SERVED] : kind === 'end' ? [LEASES, FIGURES] : [LEASES];
    return [
      ...queries.flatMap((sql) => this.#valuesOf(sql, run, sitting) ?? []),
      ...WHOLE_ROWS[kind].flatMap(([table, sql]) => {
        if (!table.hasLaterValues) return [];
        const row = this.#db.prepare<[number, number], object>(sql).get(run, sitting);
        return row === undefined ? [] : table.laterValues(row);
      }),
    ];
  }

  /** Prepared on first use, because preparing costs more than the query. */
  #valuesOf(sql: string, run: number, sitting: number): SealedValues | undefined {
    const statement =
      this.#statements.get(sql) ?? this.#db.prepare<[number, number], SealedValues>(sql).raw();
    this.#statements.set(sql, statement);
    return statement.get(run, sitting);
  }
}

export class SealWriter {
  readonly #db: Database.Database;
  readonly #seals: RunSeals;
  readonly #add: Database.Statement<[number, number, SealKind, string | null]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#seals = new RunSeals(db);
    this.#add = db.prepare('INSERT INTO seals (run, sitting, kind, sha256) VALUES (?, ?, ?, ?)');
  }

  /** For rows that are being written, in the caller's transaction. */
  seal(kind: SealKind, run: number, sitting: number): void {
    this.#add.run(run, sitting, kind, this.#seals.of(kind, run, sitting));
  }

  /** Seals sessions without an end as left: those of these runs, or all. */
  sealLeft(runs: ReadonlySet<number> | 'all'): void {
    const open = this.#db.prepare<[], { run: number; sitting: number }>(OPEN).all();
    for (const { run, sitting } of open) if (runs === 'all' || runs.has(run)) this.seal('left', run, sitting);
  }
}
