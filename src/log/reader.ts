/**
 * The log's reader: it returns the same records that were written, even from a log that is being written or
 * whose writer was killed. It opens the file read-only and defensively (`file.ts`); a damaged or foreign file
 * is a StorageError that describes the fault. Steps are read in small pages, so memory use is constant and a
 * live writer's WAL is never held back.
 */
import { StorageError } from '../base/errors.js';
import type { Json } from '../base/json.js';
import { BlobReader } from './blobs.js';
import type { CheckMode } from './blobs.js';
import { FrameReader } from './frames.js';
import type { ReadableLog } from './file.js';
import { openForReading } from './file.js';
import { readFromLog } from './failures.js';
import type { RunSegment } from './lineage.js';
import { ReadTransactions } from './read-transactions.js';
import {
  LAST_CALL,
  SELECT_ANSWERING,
  SELECT_END,
  SELECT_FIRST_STATE,
  SELECT_OUTSIDE,
  SELECT_PROBES,
  SELECT_SESSIONS,
  SELECT_SNAPSHOT,
  SELECT_STEP,
  SELECT_STEP_OUTLINE,
  SELECT_TOKENS,
  STEP_RANGE,
} from './queries.js';
import type { AnsweringModel } from './provenance.js';
import type { StepFilter } from './queries.js';
import type { EndRow, OutsideRow, ProbeRow, SessionRow, StepOutlineRow, StepRow } from './read-columns.js';
import { CallReader } from './call-reader.js';
import type { RunRows } from './call-reader.js';
import { CallMaker } from './read-calls.js';
import { RecordMaker, summaryOf } from './read-rows.js';
import type {
  CallOutline,
  LeaseRecord,
  LoggedCall,
  LoggedFrame,
  LoggedProbe,
  OutsideRecord,
  PlayedStep,
  RunEnd,
  RunRecord,
  SessionRecord,
  StepRecord,
} from '../trajectory/records.js';
import type { ServingRecord } from '../trajectory/record-values.js';
import { RequestReader } from './read-requests.js';
import { RowValues } from './row-values.js';
import { RunChecks } from './run-checks.js';
import { RunFinder } from './run-finder.js';
import type { AgentTokens, RunSummary } from '../trajectory/run-summary.js';
import { leaseRecords, checkedLeases } from './lease-rows.js';
import { keptFigures } from './kept-figures.js';
import type { RunFigures } from '../trajectory/run-figures.js';
import { servingRecord } from './served-rows.js';
import { Statements } from './statements.js';
import { TilesetReader } from './tilesets.js';

const PAGE_STEPS = 64;

/**
 * Reads a log, also while it is being written. Every method throws StorageError, with the name of the file,
 * if the log is damaged or has no such run.
 */
export class LogReader {
  readonly path: string;
  readonly #log: ReadableLog;
  readonly #blobs: BlobReader;
  readonly #frames: FrameReader;
  readonly #records: RecordMaker;
  readonly #calls: CallReader;
  readonly #runs: RunFinder;
  readonly #rows: Statements;
  readonly #tilesets: TilesetReader;
  readonly #transactions: ReadTransactions;

  /**
   * StorageError if there is no readable log at `path`. `unchecked`: content that does not match its own hash
   * is returned as stored.
   */
  constructor(path: string, checking: CheckMode = 'checked') {
    this.path = path;
    this.#log = readFromLog(path, () => openForReading(path));
    this.#transactions = new ReadTransactions(this.#log.db);
    this.#rows = new Statements(this.#log.db);
    this.#blobs = new BlobReader(this.#log.db, path, checking);
    this.#frames = new FrameReader(this.#log.db, path, checking);
    this.#tilesets = new TilesetReader(this.#log.db, this.#blobs);
    const values = new RowValues(path, checking);
    this.#records = new RecordMaker(this.#blobs, values);
    this.#calls = new CallReader({
      rows: this.#rows,
      requests: new RequestReader(this.#log.db, this.#blobs, this.#frames, path),
      make: new CallMaker(this.#blobs, this.#frames, values),
      read: (work) => this.#read(work),
      values,
    });
    const checks = checking === 'checked' ? new RunChecks(this.#log.db, path, this.#transactions) : null;
    this.#runs = new RunFinder({ path, rows: this.#rows, records: this.#records, checks });
  }

  /** Closes the file; the reader can't be used after that. */
  close(): void {
    this.#log.close();
  }

  /**
   * Where the run's steps are stored, oldest first: a fork's first steps are stored with its parent. The last
   * range is its own and open-ended.
   */
  stretches(runId: string): readonly RunSegment[] {
    return this.#read(() => this.#runs.lineages.of(runId));
  }

  /** The runs in the order in which they began. */
  runs(): readonly RunSummary[] {
    return this.#read(() => this.#runs.all().map(summaryOf));
  }

  /** The record from before the first step: scenario, seed, tileset, versions. */
  run(runId: string): RunRecord {
    return this.#read(() => {
      const row = this.#runs.named(runId);
      return this.#records.run(row, this.#tilesets.of(row));
    });
  }

  /** Only the tileset of a run. */
  tileset(runId: string): RunRecord['tileset'] {
    return this.#read(() => this.#tilesets.of(this.#runs.named(runId)));
  }

  /**
   * The steps in order, including those written in the meantime. Reads page by page, never a whole run into
   * memory.
   */
  *steps(runId: string, filter: StepFilter = {}): IterableIterator<StepRecord> {
    for (const { rows } of this.#stepPages<StepRow>(runId, SELECT_STEP, filter))
      for (const row of rows) {
        const { snapshots } = filter;
        yield this.#read(() =>
          this.#records.step(runId, row, { snapshots, isHashed: this.#runs.isHashed(row.run) }),
        );
      }
  }

  /** Like `steps`, but only an outline of each step, with its calls. */
  *played(runId: string, filter: Omit<StepFilter, 'snapshots'> = {}): IterableIterator<PlayedStep> {
    for (const { run, rows } of this.#stepPages(runId, SELECT_STEP_OUTLINE, filter)) {
      const callsOf = this.#calls.pages({ run, runId }, rows.at(-1)?.step ?? 0);
      const endTransaction = this.#read(() => this.#transactions.begin());
      try {
        for (const row of rows) {
          const step = this.#read(() => this.#records.outline(runId, row, this.#runs.isHashed(run)));
          yield { step, calls: () => this.#read(() => callsOf(step)) };
        }
      } finally {
        endTransaction();
      }
    }
  }

  /** Consecutive steps, with the run whose rows they are. */
  *#stepPages<Row extends StepOutlineRow>(runId: string, select: string, filter: StepFilter) {
    const { from: first = 1, to: last = Number.MAX_SAFE_INTEGER, agent } = filter;
    const sql = `${select} ${agent === undefined ? '' : 'AND agent = ?'} ${STEP_RANGE}`;
    const agentParameter = agent === undefined ? [] : [agent];
    for (const { run, from, to } of this.stretches(runId)) {
      let rows: readonly Row[];
      let next = Math.max(from, first);
      do {
        rows = this.#read(() =>
          this.#rows.all<Row>(sql, run, ...agentParameter, next, Math.min(to, last), PAGE_STEPS),
        );
        yield { run, rows };
        next = (rows.at(-1)?.step ?? 0) + 1;
      } while (rows.length === PAGE_STEPS);
    }
  }

  /** One step by its number, from 1; null if it was not played. */
  step(runId: string, step: number): StepRecord | null {
    return this.#read(() => {
      const row = this.#rows.get<StepRow>(
        `${SELECT_STEP} AND steps.step = ?`,
        this.#runs.lineages.holder(runId, step),
        step,
      );
      return row === undefined
        ? null
        : this.#records.step(runId, row, { isHashed: this.#runs.isHashed(row.run) });
    });
  }

  /** Every call for a step, abandoned ones included, with the exact messages that were sent. */
  calls(runId: string, step: number): readonly LoggedCall[] {
    return this.#read(() => this.#calls.ofStep(this.#holder(runId, step), step));
  }

  /**
   * Every call for a step, with only the parts that are quick to read; the request itself is read on demand.
   */
  outlines(runId: string, step: number): readonly CallOutline[] {
    return this.#read(() => this.#calls.outlines(this.#holder(runId, step), step));
  }

  /** One call by its number, from 1; null if there is none. */
  call(runId: string, call: number): LoggedCall | null {
    return this.#read(() => {
      for (const { run, to } of this.#runs.lineages.of(runId).toReversed()) {
        const loggedCall = this.#calls.numbered({ run, runId }, { call, to });
        if (loggedCall !== null) return loggedCall;
      }
      return null;
    });
  }

  /** Questions outside the run, in order: reflections after its end, and interviews. */
  asides(runId: string): readonly LoggedCall[] {
    return this.#read(() => {
      const { run } = this.#runs.named(runId);
      return this.#calls.outsideSteps({ run, runId });
    });
  }

  /** Every question with a known answer that an agent was asked, in order. */
  probes(runId: string): readonly LoggedProbe[] {
    return this.#read(() =>
      this.#runs.lineages
        .of(runId)
        .flatMap(({ run, from, to }) =>
          this.#rows
            .all<ProbeRow>(SELECT_PROBES, run, from, to)
            .map((row) => this.#records.probe(runId, row, this.#runs.isHashed(run))),
        ),
    );
  }

  /** The highest number of a call for a step up to `step`; 0 if there is none. */
  lastCall(runId: string, step: number): number {
    return this.#read(() => {
      const last = this.#runs.lineages.of(runId).map(({ run, from, to }) => {
        return this.#rows.get<{ call: number | null }>(LAST_CALL, run, from, Math.min(to, step))?.call ?? 0;
      });
      return Math.max(0, ...last);
    });
  }

  /** The number of the run's next call. */
  nextCall(runId: string): number {
    return this.lastCall(runId, Number.MAX_SAFE_INTEGER) + 1;
  }

  /** The usage of a run's agents by id, as counted by their servers; for a fork, only its own calls. */
  tokens(runId: string): readonly AgentTokens[] {
    return this.#read(() => this.#rows.all<AgentTokens>(SELECT_TOKENS, this.#runs.named(runId).run));
  }

  /** The models as their servers named them in their answers, by agent; for a fork, only in its own calls. */
  answeringModels(runId: string): readonly AnsweringModel[] {
    return this.#read(() => this.#rows.all<AnsweringModel>(SELECT_ANSWERING, this.#runs.named(runId).run));
  }

  /** The sent picture with a frame hash; null if there is none. */
  frame(hash: string): LoggedFrame | null {
    return this.#read(() => this.#frames.frame(hash));
  }

  /** The outputs from outside for a step, in order. */
  outside(runId: string, step: number): readonly OutsideRecord[] {
    return this.#read(() => {
      const rows = this.#rows.all<OutsideRow>(SELECT_OUTSIDE, this.#runs.lineages.holder(runId, step), step);
      return rows.map((row) => this.#records.outside(runId, row, this.#runs.isHashed(row.run)));
    });
  }

  /** The options that the run was served with last; null for a run that was never served. */
  serving(runId: string): ServingRecord | null {
    return this.#read(() => servingRecord(this.#log.db, this.#runs.named(runId).run, this.path));
  }

  /**
   * The figures of the run, as stored with its end; null for a run in progress, and if there are none that
   * this program can use.
   */
  keptFigures(runId: string): RunFigures | null {
    return this.#read(() => keptFigures(this.#log.db, this.#runs.named(runId).run, this.path));
  }

  /**
   * The lease events of a served run, in order. With `areWhole`, throws StorageError if a call or an event
   * refers to a missing one.
   */
  leases(runId: string, { areWhole = false } = {}): readonly LeaseRecord[] {
    const query = areWhole ? checkedLeases : leaseRecords;
    return this.#read(() => query(this.#log.db, this.#runs.named(runId).run, { runId, path: this.path }));
  }

  /** The newest snapshot taken at or before a step; step 0 is the state before the first. */
  snapshotBefore(runId: string, step: number): { step: number; state: Json } {
    return this.#read(() => {
      for (const { run, from, to } of this.#runs.lineages.of(runId).toReversed()) {
        const row = this.#rows.get<{ step: number; state: number }>(
          SELECT_SNAPSHOT,
          run,
          from,
          Math.min(to, step),
        );
        if (row !== undefined) return { step: row.step, state: this.#blobs.json<Json>(row.state) };
      }
      const first = this.#rows.get<{ state: number }>(SELECT_FIRST_STATE, this.#runs.lineages.oldest(runId));
      if (first !== undefined) return { step: 0, state: this.#blobs.json<Json>(first.state) };
      throw new StorageError(`run ${runId} has no snapshot at or before step ${step}`);
    });
  }

  /** The periods in which the run itself was played, without its parent's; oldest first. */
  sessions(runId: string): readonly SessionRecord[] {
    return this.#read(() => {
      const { run } = this.#runs.newest(runId);
      return this.#rows.all<SessionRow>(SELECT_SESSIONS, run).map((row) => this.#records.session(row));
    });
  }

  /** How the run's newest session ended; null while it is in progress, or if its process was killed. */
  end(runId: string): RunEnd | null {
    return this.#readEnd(runId, (row) => this.#records.end(row));
  }

  /** How the run's newest session ended, without the final state, which is slow to read. */
  ending(runId: string): Omit<RunEnd, 'finalState'> | null {
    return this.#readEnd(runId, (row) => this.#records.ending(row));
  }

  #readEnd<T>(runId: string, make: (row: EndRow) => T): T | null {
    return this.#read(() => {
      const { run } = this.#runs.newest(runId);
      const row = this.#rows.get<EndRow>(SELECT_END, run, run);
      return row === undefined ? null : make(row);
    });
  }

  #holder(runId: string, step: number): RunRows {
    return { run: this.#runs.lineages.holder(runId, step), runId };
  }

  #read<T>(work: () => T): T {
    return readFromLog(this.path, work);
  }
}
