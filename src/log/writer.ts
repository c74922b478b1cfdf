/**
 * The log's writer: records in, durable rows out. One transaction at a time is open; it contains the staged
 * rows, and a COMMIT with `synchronous=FULL` makes it durable before a step is announced
 * (docs/reference/log.md "Order"). After any failure it refuses to continue: uncommitted rows are rolled
 * back, committed ones stay, and no log is ever deleted or restarted.
 */
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { errorMessage, StorageError } from '../base/errors.js';
import { claimWriter, forgetClaim, releaseWriter, logInUse } from './claim.js';
import { storageFailure } from './failures.js';
import { WAL_BYTES_KEPT, leaveWal, openForWriting, useWal } from './file.js';
import { FiguresKeeper } from './figures-keeper.js';
import { FileGuard } from './file-guard.js';
import { dropLog, isFree, makeLog, nameLog, removeAbandoned } from './unnamed-log.js';
import type { NewLog } from './unnamed-log.js';
import { WORLD_ID } from '../base/ids.js';
import type {
  CallEnd,
  CallRequest,
  LeaseRecord,
  OutsideRecord,
  ProbeRecord,
  RunEnd,
  RunRecord,
  StepRecord,
} from '../trajectory/records.js';
import type { ServingRecord } from '../trajectory/record-values.js';
import { RowWriter } from './rows.js';
import { upgradeTables } from './schema.js';
import { SealWriter } from './seals.js';
import type { RunSink } from '../trajectory/sink.js';

/**
 * Writes runs into a log file. Every method throws StorageError if its input can't be stored; after that, all
 * methods throw.
 */
export class LogWriter implements RunSink {
  readonly path: string;
  #db: Database.Database;
  readonly #token: string;
  #rows: RowWriter;
  #begin: Database.Statement;
  #end: Database.Statement;
  #writerToken: Database.Statement<[], string>;
  /** Null as long as the log has no name. */
  #guard: FileGuard | null;
  /** The log until it gets a name, which happens with its first run. */
  #new: NewLog | null;
  readonly #listeners: ((step: StepRecord) => void)[] = [];
  /** Steps written in the open transaction. */
  #staged: StepRecord[] = [];
  #durable: StepRecord | null = null;
  #failure: StorageError | null = null;
  #commits = 0;
  readonly #figures: FiguresKeeper;

  /**
   * Opens the log at `path` for appending runs, or creates it together with its folder; a new file gets its
   * name when its first run has begun. Throws StorageError if the file is not a log, if another process is
   * writing it, or if the disk reports an error.
   */
  constructor(path: string) {
    this.path = path;
    this.#figures = new FiguresKeeper(path);
    let db: Database.Database | null = null;
    let token = '';
    this.#new = null;
    try {
      this.#new = isFree(path) ? makeLog(path) : null;
      db = this.#new?.db ?? openForWriting(path);
      removeAbandoned(dirname(path));
      token = claimWriter(db, path, takeOver(db));
      if (this.#new === null) useWal(db, path);
      this.#token = token;
      this.#guard = this.#new === null ? new FileGuard(path, WAL_BYTES_KEPT) : null;
      this.#db = db;
      [this.#rows, this.#begin, this.#end, this.#writerToken] = statementsOf(db);
    } catch (error) {
      forgetClaim(token);
      db?.close();
      if (this.#new !== null) dropLog(this.#new);
      throw storageFailure(error, { path, verb: 'open', intact: null });
    }
  }

  /** The number of committed transactions so far. */
  get commits(): number {
    return this.#commits;
  }

  /** `serving`: how the session is served, if it is. */
  begin(run: RunRecord, initialState: unknown, serving: ServingRecord | null = null): void {
    this.#write(() => this.#rows.run(run, initialState, serving), true);
    if (this.#new !== null) this.#try(() => this.#giveName());
    this.#try(() => this.#figures.begin(run));
  }

  resume(run: RunRecord, firstStep: number, serving: ServingRecord | null = null): void {
    this.#write(() => this.#rows.session(run, firstStep, serving), true);
    this.#try(() => this.#figures.resume(run, firstStep));
  }

  request(call: CallRequest, durable: boolean): void {
    // The world's own step waits for the next agent's commit: no call was made in between, so nothing paid
    // for is at risk.
    if (!durable && this.#staged.some((step) => step.agent !== WORLD_ID)) this.flush();
    this.#write(() => this.#rows.call(call), durable);
    this.#figures.request(call);
  }

  reply(runId: string, call: number, end: CallEnd, durable: boolean): void {
    this.#write(() => this.#rows.reply(runId, call, end), durable);
    this.#figures.reply(runId, call, end);
  }

  probe(record: ProbeRecord): void {
    this.#write(() => this.#rows.probe(record), false);
    this.#figures.probe(record);
  }

  outside(record: OutsideRecord): void {
    this.#write(() => this.#rows.outside(record), true);
  }

  /** The record is durable when this returns. */
  lease(record: LeaseRecord): void {
    this.#write(() => this.#rows.lease(record), true);
  }

  step(record: StepRecord): void {
    this.#write(() => this.#rows.step(record), false);
    this.#staged.push(record);
    this.#figures.step(record);
  }

  flush(): void {
    if (this.#failure === null && !this.#db.inTransaction) return;
    this.#write(() => {}, true);
  }

  end(runId: string, end: RunEnd): void {
    this.#write(() => this.#rows.end(runId, end, this.#figures.end(runId)), true);
  }

  onDurable(listener: (step: StepRecord) => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Commits staged records, checkpoints everything into the one file and closes it. After a failure, it only
   * closes the file.
   */
  close(): void {
    if (!this.#db.open) return forgetClaim(this.#token);
    try {
      if (this.#new !== null) dropLog(this.#new);
      else if (this.#failure === null) {
        this.#write(() => this.#release(), true);
        this.#try(() => {
          leaveWal(this.#db);
          this.#guard?.checkAlone();
        });
      } else this.#releaseAfterFailure();
    } finally {
      forgetClaim(this.#token);
      this.#db.close();
    }
  }

  /** Gives a new log its name; from then on it is a log like any other, with our claim in it. */
  #giveName(): void {
    const { path } = this;
    if (this.#new !== null) nameLog(this.#new);
    this.#new = null;
    this.#db = openForWriting(path);
    useWal(this.#db, path);
    this.#guard = new FileGuard(path, WAL_BYTES_KEPT);
    [this.#rows, this.#begin, this.#end, this.#writerToken] = statementsOf(this.#db, this.#rows);
  }

  /**
   * Writes rows into the open transaction (opening one if there is none), commits, and reports the commit.
   */
  #write(rows: () => void, commit: boolean): void {
    if (this.#failure !== null) throw this.#closedError(this.#failure);
    this.#try(() => {
      if (!this.#db.inTransaction) this.#openTransaction();
      rows();
      if (commit) this.#commit();
    });
    if (commit) this.#notifyListeners();
  }

  #openTransaction(): void {
    this.#guard?.check();
    this.#begin.run();
    if (this.#writerToken.get() !== this.#token) throw logInUse(this.path, null);
  }

  #commit(): void {
    this.#end.run();
    this.#guard?.check();
    this.#commits++;
  }

  #notifyListeners(): void {
    const steps = this.#staged;
    this.#staged = [];
    for (const step of steps) {
      this.#durable = step;
      for (const listener of this.#listeners) listener(step);
    }
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /**
   * After some failures (such as a full disk), SQLite has rolled back already; after others, the transaction
   * is still open. SQLite tells which.
   */
  #fail(error: unknown): unknown {
    const failure = storageFailure(error, { path: this.path, verb: 'write', intact: this.#intactPart() });
    const message = errorMessage(failure);
    this.#failure =
      failure instanceof StorageError ? failure : new StorageError(message, [], { cause: failure });
    this.#staged = [];
    if (this.#db.inTransaction) {
      try {
        this.#db.exec('ROLLBACK');
      } catch {
        // Closing rolls back too; the first failure is the one to report.
      }
    }
    return failure;
  }

  #intactPart(): string {
    if (this.#durable === null) return 'the earlier contents of the log are complete';
    const { runId, step } = this.#durable;
    return `the log is complete up to step ${step} of run ${runId}`;
  }

  #closedError(failure: StorageError): StorageError {
    return new StorageError(
      `the log ${this.path} accepts no more records after a failure: ${failure.message}`,
      failure.hints,
      {
        cause: failure,
      },
    );
  }

  /**
   * A run without an end is sealed as left before the claim is released. The claim's row also shows that the
   * run was left, so one of the two always exists.
   */
  #release(): void {
    this.#rows.sealLeftRuns();
    releaseWriter(this.#db, this.#token);
  }

  /**
   * Tries to release the log after a failure. If that fails too, the row of this process stays, and the next
   * writer takes the log over once this process has ended.
   */
  #releaseAfterFailure(): void {
    try {
      const release = this.#db.transaction(() => {
        if (this.#writerToken.get() === this.#token) this.#release();
      });
      release.immediate();
    } catch {
      // The failure was reported when it happened.
    }
  }
}

function statementsOf(db: Database.Database, previousRows: RowWriter | null = null) {
  return [
    new RowWriter(db, previousRows),
    db.prepare('BEGIN IMMEDIATE'),
    db.prepare('COMMIT'),
    db.prepare<[], string>('SELECT token FROM writer').pluck(),
  ] as const;
}

/** Upgrades an older log, and seals runs as left if their writer is gone. */
function takeOver(db: Database.Database): (wasLeft: boolean) => void {
  return (wasLeft) => {
    upgradeTables(db);
    if (wasLeft) new SealWriter(db).sealLeft('all');
  };
}
