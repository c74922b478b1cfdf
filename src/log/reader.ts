/**
 * The log's reader: the same records that were written, also from a log that is being written, or whose writer was killed.
 * It opens read-only and defensively (`file.ts`); a damaged or foreign file is a StorageError that says what is
 * wrong with it. Steps come in small pages, so memory stays flat and a live writer's WAL is never held back.
 */
import type Database from 'better-sqlite3';
import { StorageError } from '../base/errors.js';
import type { Json } from '../base/json.js';
import { BlobReader } from './blobs.js';
import { storageFailure } from './failures.js';
import { FrameReader } from './frames.js';
import type { ReadableLog } from './file.js';
import { openForReading } from './file.js';
import type { CallRow, EndRow, LoggedProbe, OutsideRow, ProbeRow, RunRow, StepRow } from './read-rows.js';
import { RecordMaker } from './read-rows.js';
import type {
  CallEnd,
  CallRequest,
  LoggedFrame,
  OutsideRecord,
  RunEnd,
  RunRecord,
  RunStatus,
  StepRecord,
} from './records.js';
import { RequestReader } from './requests.js';

const PAGE_STEPS = 64;

/** A run at a glance. `status` is its newest sitting's, `running` where that has no end: under way, or killed. */
export interface RunSummary {
  readonly runId: string;
  /** For a fork: the run whose steps before `step` it shares; null for a run of its own. */
  readonly parent: { readonly runId: string; readonly step: number } | null;
  /** The scenario's name. */
  readonly name: string;
  readonly seed: string;
  readonly status: RunStatus;
  /** The last step in the log; 0 before the first. */
  readonly steps: number;
  /** When its first sitting began, in milliseconds since 1970. */
  readonly startedAt: number;
}

/** One call of a controller or model. */
export interface LoggedCall {
  readonly request: CallRequest;
  /** Null: no reply was stored. */
  readonly end: CallEnd | null;
}

/** Which steps; all by default. */
export interface StepFilter {
  /** First and last step, both included. */
  readonly from?: number;
  readonly to?: number;
  readonly agent?: string;
}

/**
 * Reads a log, also while it is being written. Every method throws StorageError, naming the file, where the log is damaged or has no such
 * run.
 */
export class LogReader {
  readonly path: string;
  readonly #log: ReadableLog;
  readonly #blobs: BlobReader;
  readonly #frames: FrameReader;
  readonly #requests: RequestReader;
  readonly #records: RecordMaker;
  readonly #statements = new Map<string, Database.Statement>();

  /** StorageError where there is no log at `path` that can be read. */
  constructor(path: string) {
    this.path = path;
    this.#log = guarded(path, () => openForReading(path));
    this.#blobs = new BlobReader(this.#log.db, path);
    this.#frames = new FrameReader(this.#log.db, path);
    this.#requests = new RequestReader(this.#log.db, this.#blobs, this.#frames, path);
    this.#records = new RecordMaker(this.#blobs, path);
  }

  /** Lets go of the file; the reader can't be used after it. */
  close(): void {
    this.#log.close();
  }

  /** In the order in which they began. */
  runs(): readonly RunSummary[] {
    return this.#read(() => this.#all<RunRow>(`${SELECT_RUN} ORDER BY runs.run`).map(summary));
  }

  /** What was written before the first step: scenario, seed, tileset, versions. */
  run(runId: string): RunRecord {
    return this.#read(() => {
      const row = this.#runRow(runId);
      const images = this.#all<{ name: string; content: number }>(
        'SELECT name, content FROM tileset_images WHERE run = ? ORDER BY name',
        row.run,
      );
      const entries = images.map(({ name, content }) => [name, this.#blobs.bytes(content)]);
      const { parent } = summary(row);
      return {
        runId,
        ...(parent === null ? {} : { parent }),
        source: this.#blobs.text(row.source),
        scenario: this.#blobs.json<RunRecord['scenario']>(row.scenario),
        seed: row.seed,
        versions: this.#records.json<RunRecord['versions']>(row.versions, 'the versions of a run'),
        tileset: { manifest: this.#blobs.text(row.tileset), images: Object.fromEntries(entries) },
        controllers: this.#records.json<Record<string, Json>>(row.controllers, 'the controllers of a run'),
        kept: this.#blobs.json<RunRecord['kept']>(row.kept),
        startedAt: row.started_at,
        genesisHash: row.genesis,
      };
    });
  }

  /** In order; those written meanwhile are included. Read page by page, so a long run is never whole in memory. */
  *steps(runId: string, filter: StepFilter = {}): IterableIterator<StepRecord> {
    const { run } = this.#read(() => this.#runRow(runId));
    const to = filter.to ?? Number.MAX_SAFE_INTEGER;
    let next = filter.from ?? 1;
    for (;;) {
      const from = next;
      const page = this.#read(() =>
        filter.agent === undefined
          ? this.#all<StepRow>(`${SELECT_STEP} ${STEP_RANGE}`, run, from, to, PAGE_STEPS)
          : this.#all<StepRow>(
              `${SELECT_STEP} AND agent = ? ${STEP_RANGE}`,
              run,
              filter.agent,
              from,
              to,
              PAGE_STEPS,
            ),
      );
      for (const row of page) yield this.#read(() => this.#records.step(runId, row));
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_STEPS) return;
      next = last.step + 1;
    }
  }

  /** One step by its number, from 1; null where it was not played. */
  step(runId: string, step: number): StepRecord | null {
    return this.#read(() => {
      const { run } = this.#runRow(runId);
      const row = this.#get<StepRow>(`${SELECT_STEP} AND steps.step = ?`, run, step);
      return row === undefined ? null : this.#records.step(runId, row);
    });
  }

  /** Every call made for a step, those that were abandoned included, with the exact messages that were sent. */
  calls(runId: string, step: number): readonly LoggedCall[] {
    return this.#read(() => {
      const { run } = this.#runRow(runId);
      const rows = this.#all<CallRow>(
        `${SELECT_CALL('INDEXED BY calls_of_step')} AND step = ? ORDER BY calls.call`,
        run,
        step,
      );
      return rows.map((row) => this.#call(run, runId, row));
    });
  }

  /** One call by its number, from 1; null where there is none. */
  call(runId: string, call: number): LoggedCall | null {
    return this.#read(() => {
      const { run } = this.#runRow(runId);
      const row = this.#get<CallRow>(`${SELECT_CALL('')} AND calls.call = ?`, run, call);
      return row === undefined ? null : this.#call(run, runId, row);
    });
  }

  /** What was asked beside the run: looking back after its end, and interviews. In order. */
  asides(runId: string): readonly LoggedCall[] {
    return this.#read(() => {
      const { run } = this.#runRow(runId);
      const rows = this.#all<CallRow>(
        `${SELECT_CALL('INDEXED BY calls_beside')} AND purpose IN ('reflection', 'interview') ORDER BY calls.call`,
        run,
      );
      return rows.map((row) => this.#call(run, runId, row));
    });
  }

  /** Every question with a known answer that was asked, in order. */
  probes(runId: string): readonly LoggedProbe[] {
    return this.#read(() => {
      const { run } = this.#runRow(runId);
      return this.#all<ProbeRow>(SELECT_PROBES, run).map((row) => this.#records.probe(runId, row));
    });
  }

  /** The number that the run's next call would have. */
  nextCall(runId: string): number {
    return this.#read(() => {
      const { run } = this.#runRow(runId);
      return (this.#get<{ call: number | null }>(LAST_CALL, run)?.call ?? 0) + 1;
    });
  }

  /** The picture that was sent under a frame hash; null where none was. */
  frame(hash: string): LoggedFrame | null {
    return this.#read(() => this.#frames.frame(hash));
  }

  /** What came from outside for a step, in order. */
  outside(runId: string, step: number): readonly OutsideRecord[] {
    return this.#read(() => {
      const { run } = this.#runRow(runId);
      const rows = this.#all<OutsideRow>(
        'SELECT * FROM outside WHERE run = ? AND step = ? ORDER BY position',
        run,
        step,
      );
      return rows.map((row) => this.#records.outside(runId, row));
    });
  }

  /** The newest snapshot taken at or before a step; step 0 is the state before the first. */
  snapshotBefore(runId: string, step: number): { readonly step: number; readonly state: Json } {
    return this.#read(() => {
      const { run } = this.#runRow(runId);
      const row = this.#get<{ step: number; state: number }>(
        'SELECT step, state FROM snapshots WHERE run = ? AND step <= ? ORDER BY step DESC LIMIT 1',
        run,
        step,
      );
      if (row === undefined) throw new StorageError(`run ${runId} has no snapshot at or before step ${step}`);
      return { step: row.step, state: this.#blobs.json<Json>(row.state) };
    });
  }

  /** How the run's newest sitting ended; null while it is under way, or where its process was killed. */
  end(runId: string): RunEnd | null {
    return this.#read(() => {
      const { run } = this.#runRow(runId);
      const row = this.#get<EndRow>(SELECT_END, run, run);
      return row === undefined ? null : this.#records.end(row);
    });
  }

  #call(run: number, runId: string, row: CallRow): LoggedCall {
    const messages = this.#requests.messages(run, row.call);
    return { request: this.#records.request(runId, row, messages), end: this.#records.callEnd(row) };
  }

  #runRow(runId: string): RunRow {
    const row = this.#get<RunRow>(`${SELECT_RUN} WHERE runs.run_id = ?`, runId);
    if (row !== undefined) return row;
    const ids = this.#all<{ run_id: string }>('SELECT run_id FROM runs ORDER BY run LIMIT 20');
    const hint = ids.length === 0 ? 'it holds none yet' : `it holds ${ids.map((id) => id.run_id).join(', ')}`;
    throw new StorageError(`the log ${this.path} holds no run ${runId}`, [hint]);
  }

  #all<Row>(sql: string, ...values: (string | number)[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  #get<Row>(sql: string, ...values: (string | number)[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  #prepare(sql: string): Database.Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#log.db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #read<T>(work: () => T): T {
    return guarded(this.path, work);
  }
}

const NEWEST_SITTING = (run: '?' | 'runs.run') =>
  `(SELECT max(sitting) FROM sittings WHERE sittings.run = ${run})`;
const SELECT_RUN = `
  SELECT runs.*, first.versions, first.controllers, first.started_at, parents.run_id AS parent, ends.status,
    coalesce((SELECT max(step) FROM steps WHERE steps.run = runs.run), 0) AS steps
  FROM runs JOIN sittings AS first ON first.run = runs.run AND first.sitting = 1
  LEFT JOIN runs AS parents ON parents.run = runs.parent_run
  LEFT JOIN ends ON ends.run = runs.run AND ends.sitting = ${NEWEST_SITTING('runs.run')}`;

const SELECT_END = `SELECT * FROM ends WHERE run = ? AND sitting = ${NEWEST_SITTING('?')}`;

const SELECT_STEP = `
  SELECT steps.*, snapshots.state AS snapshot
  FROM steps LEFT JOIN snapshots ON snapshots.run = steps.run AND snapshots.step = steps.step
  WHERE steps.run = ?`;
const STEP_RANGE = 'AND steps.step BETWEEN ? AND ? ORDER BY steps.step LIMIT ?';

const SELECT_PROBES = `
  SELECT call, step, turn, agent, kind, question, options, expected, answer, verdict
  FROM probes JOIN calls USING (run, call) WHERE run = ? ORDER BY call`;

const LAST_CALL = 'SELECT max(call) AS call FROM calls WHERE run = ?';

/** Without statistics SQLite would read all of the run's calls to find those of one step. */
const SELECT_CALL = (index: '' | 'INDEXED BY calls_of_step' | 'INDEXED BY calls_beside') => `
  SELECT calls.*, replies.call AS replied, replies.error, replies.content, replies.reasoning, replies.tool_calls,
    replies.finish_reason, replies.model, replies.usage, replies.raw, replies.adaptations, replies.latency_ms, replies.tries, replies.memory,
    replies.sha256 AS reply_sha256
  FROM calls ${index} LEFT JOIN replies ON replies.run = calls.run AND replies.call = calls.call
  WHERE calls.run = ?`;

function summary(row: RunRow): RunSummary {
  return {
    runId: row.run_id,
    parent: row.parent === null ? null : { runId: row.parent, step: row.fork_step ?? 0 },
    name: row.name,
    seed: row.seed,
    status: row.status ?? 'running',
    steps: row.steps,
    startedAt: row.started_at,
  };
}

function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storageFailure(error, { path, verb: 'read', kept: null });
  }
}
