/**
 * Whether a run is complete: its rows, sessions and ends match their seals, each session was closed, no step
 * is missing, and the end belongs to its last step. It is checked before anything of a run is returned, so that
 * no command continues with a changed run.
 */
import type Database from 'better-sqlite3';
import { counted } from '../base/counted.js';
import { damaged } from './damaged.js';
import { endChain } from '../trajectory/chain.js';
import type { ReadTransactions } from './read-transactions.js';
import type { EndRow } from './read-columns.js';
import { tablesVersion } from './schema.js';
import { RunSeals } from './seals.js';
import { Statements } from './statements.js';
import type { SealKind } from './seals.js';

interface SessionSeals {
  sitting: number;
  first_step: number;
  /** The version of the log that its program wrote; null if unknown. */
  log: number | null;
  ended: number;
}

interface SealRow {
  sitting: number;
  kind: SealKind;
  sha256: string;
}

interface StepEnd {
  state: string;
  chain: string;
}

const SESSIONS = `
  SELECT sitting, first_step, CASE WHEN json_valid(versions) THEN versions ->> 'log' END AS log, ends.sitting IS NOT NULL AS ended
  FROM sittings LEFT JOIN ends USING (run, sitting) WHERE run = ? ORDER BY sitting`;
const SEALS = 'SELECT sitting, kind, sha256 FROM seals WHERE run = ? ORDER BY sitting, kind';
const ENDS = 'SELECT * FROM ends WHERE run = ? AND sitting = ?';
const STEPS =
  'SELECT count(*) AS count, min(step) AS first, max(step) AS last FROM steps WHERE steps.run = ?';
const STEP = 'SELECT state, chain FROM steps WHERE run = ? AND step = ?';
const FIRST = 'SELECT genesis, coalesce(fork_step, 1) AS first FROM runs WHERE run = ?';

const ENDED = 'SELECT count(*) AS count FROM ends WHERE run = ?';
/** Runs whose own row, or that of their first session, is missing. */
const SELECT_LOST_RUN = `
  SELECT run FROM (SELECT run FROM runs UNION SELECT run FROM sittings UNION SELECT run FROM ends UNION SELECT DISTINCT run FROM snapshots)
  WHERE run NOT IN (SELECT run FROM runs) OR run NOT IN (SELECT run FROM sittings WHERE sitting = 1) ORDER BY run LIMIT 1`;
const SELECT_LOST_SEAL = 'SELECT run FROM seals EXCEPT SELECT run FROM runs ORDER BY run LIMIT 1';

export class RunChecks {
  readonly #db: Database.Database;
  readonly #path: string;
  readonly #transactions: ReadTransactions;
  readonly #rows: Statements;
  /** By run, the state of the file's content when the run was found complete. */
  readonly #complete = new Map<number, number>();
  #seals: RunSeals | null = null;

  constructor(db: Database.Database, path: string, transactions: ReadTransactions) {
    this.#db = db;
    this.#path = path;
    this.#transactions = transactions;
    this.#rows = new Statements(db);
  }

  /** Throws if a run has no row, or its beginning is missing. */
  requireAll(): void {
    const lost =
      this.#get<{ run: number }>(SELECT_LOST_RUN) ??
      (this.#isSealed() ? this.#get<{ run: number }>(SELECT_LOST_SEAL) : undefined);
    if (lost !== undefined) throw damaged(this.#path, `the beginning of run number ${lost.run} is missing`);
  }

  require(run: number): void {
    // Within one transaction, because the log may be growing.
    const endTransaction = this.#transactions.begin();
    try {
      const content = this.#get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? -1;
      if (this.#complete.get(run) === content) return;
      this.#require(run);
      this.#complete.set(run, content);
    } finally {
      endTransaction();
    }
  }

  #require(run: number): void {
    const sessions = this.#all<SessionSeals>(SESSIONS, run);
    const seals = this.#isSealed() ? this.#all<SealRow>(SEALS, run) : [];
    this.#checkSessions(run, sessions, seals);
    this.#checkSteps(run);
    for (const [i, session] of sessions.entries())
      this.#checkClosed(run, session, { next: sessions[i + 1], seals });
  }

  /** Whether all of a run's rows have a hash: if the run was begun in an older log, some don't. */
  isHashed(run: number): boolean {
    return (this.#all<SessionSeals>(SESSIONS, run)[0]?.log ?? 1) >= 2;
  }

  #isSealed(): boolean {
    return tablesVersion(this.#db) >= 2;
  }

  #checkSessions(run: number, sessions: readonly SessionSeals[], seals: readonly SealRow[]): void {
    sessions.forEach(({ sitting, log }, i) => {
      const previousVersion = sessions[i - 1]?.log ?? 1;
      if (sitting !== i + 1) throw this.#damaged(run, `session ${i + 1} is missing`);
      if (!Number.isSafeInteger(log) || log === null || log < previousVersion)
        throw this.#damaged(run, `the versions of session ${sitting} were altered`);
      const isSealed = seals.some((seal) => seal.sitting === sitting && seal.kind === 'begin');
      if (log >= 2 && !isSealed) throw this.#damaged(run, `session ${sitting} has no seal`);
    });
    // One end more than there are sessions means an end of a session that does not exist.
    const ended = sessions.filter((one) => one.ended !== 0).length;
    if (this.#get<{ count: number }>(ENDED, run)?.count !== ended)
      throw this.#damaged(run, 'an end record belongs to a session that does not exist');
    for (const { sitting, kind, sha256 } of seals) {
      this.#seals ??= new RunSeals(this.#db);
      if (!Object.hasOwn(SEALED_PARTS, kind))
        throw this.#damaged(run, `session ${sitting} has an unknown kind of seal`);
      const computed = this.#seals.of(kind, run, sitting);
      if (computed === null) throw this.#damaged(run, `${SEALED_PARTS[kind]} session ${sitting} is missing`);
      if (computed !== sha256)
        throw this.#damaged(run, `${SEALED_PARTS[kind]} session ${sitting} was altered (hash mismatch)`);
    }
  }

  /** From the first step on, none is missing. */
  #checkSteps(run: number): void {
    const from = this.#get<{ first: number }>(FIRST, run)?.first ?? 1;
    const { count, first, last } = this.#get<{ count: number; first: number | null; last: number | null }>(
      STEPS,
      run,
    ) ?? {
      count: 0,
      first: null,
      last: null,
    };
    if (first !== null && last !== null && (first !== from || last - first + 1 !== count))
      throw this.#damaged(run, `expected steps ${from} to ${last}, found ${counted(count, 'step')}`);
  }

  /** The session has an end that is sealed and fits its last step, or was left, or is still in progress. */
  #checkClosed(
    run: number,
    { sitting, log, ended }: SessionSeals,
    { next, seals }: { next: SessionSeals | undefined; seals: readonly SealRow[] },
  ): void {
    const version = log ?? 1;
    const hasSeal = (kind: SealKind): boolean =>
      seals.some((seal) => seal.sitting === sitting && seal.kind === kind);
    if (ended !== 0) {
      if (version >= 2 && !hasSeal('end'))
        throw this.#damaged(run, `the end of session ${sitting} has no seal`);
      this.#checkEnd(run, sitting, { version, next });
    } else if (version >= 2 && !hasSeal('left') && (next !== undefined || !this.#isBeingWritten()))
      throw this.#damaged(run, `the end of session ${sitting} is missing`);
  }

  #checkEnd(
    run: number,
    sitting: number,
    { version, next }: { version: number; next: SessionSeals | undefined },
  ): void {
    const end = this.#get<EndRow>(ENDS, run, sitting);
    if (end === undefined) return;
    const { genesis = '', first = 1 } = this.#get<{ genesis: string; first: number }>(FIRST, run) ?? {};
    const last =
      next === undefined ? this.#get<{ last: number | null }>(STEPS, run)?.last : next.first_step - 1;
    if (end.steps !== (last ?? first - 1))
      throw this.#damaged(run, `its end record names the wrong last step (${end.steps})`);
    const step = this.#get<StepEnd>(STEP, run, end.steps);
    // A fork without its own steps ends with its parent's last step; `verify` computes its chain.
    if (step === undefined && first > 1) return;
    const { status, reason, turns, steps, state: stateHash } = end;
    const chain = endChain(version, step?.chain ?? genesis, { status, reason, turns, steps, stateHash });
    if (chain !== end.chain || (step !== undefined && step.state !== end.state))
      throw this.#damaged(run, `its end record does not match step ${end.steps}`);
  }

  #isBeingWritten(): boolean {
    return this.#get('SELECT slot FROM writer') !== undefined;
  }

  #damaged(run: number, problem: string): Error {
    const id = this.#get<{ run_id: string }>('SELECT run_id FROM runs WHERE run = ?', run)?.run_id ?? run;
    return damaged(this.#path, `run ${id}: ${problem}`);
  }

  #all<Row>(sql: string, ...values: number[]): readonly Row[] {
    return this.#rows.all(sql, ...values);
  }

  #get<Row>(sql: string, ...values: number[]): Row | undefined {
    return this.#rows.get(sql, ...values);
  }
}

const SEALED_PARTS: Readonly<Record<SealKind, string>> = {
  begin: 'the beginning of',
  end: 'the end of',
  left: 'the last step of',
};
