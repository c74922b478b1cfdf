/**
 * From records to rows (`tables.ts`): one prepared INSERT per table. `writer.ts` decides when rows are committed, and
 * `read-rows.ts` makes records from rows again; what is written here must be read there exactly as it was.
 */
import type Database from 'better-sqlite3';
import { canonicalJson } from '../base/canonical.js';
import { assert, known } from '../base/assert.js';
import { StorageError } from '../base/errors.js';
import { BlobWriter } from './blobs.js';
import type { Columns } from '../trajectory/column-kinds.js';
import { messagesHash } from '../trajectory/chain.js';
import { contentOfJson, contentOfText } from '../trajectory/content.js';
import { FrameWriter } from './frames.js';
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
import { FIGURES_VERSION } from '../trajectory/run-figures.js';
import type { RunFigures } from '../trajectory/run-figures.js';
import { RequestWriter } from './requests.js';
import { callHash } from './row-hashes.js';
import { SealWriter } from './seals.js';
import type { SqlValue, Table } from './table.js';
import {
  CALLS,
  ENDS,
  FIGURES,
  LEASES,
  OUTSIDE,
  PROBES,
  REPLIES,
  RUNS,
  SERVED,
  SITTINGS,
  SNAPSHOTS,
  STEPS,
  TILESET_IMAGES,
} from './tables.js';

type AnyTable = Pick<Table<Columns>, 'insert'>;

interface NewSession {
  record: RunRecord;
  sitting: number;
  firstStep: number;
  /** Null if the session is not served. */
  serving: ServingRecord | null;
}

export class RowWriter {
  readonly #db: Database.Database;
  readonly #blobs: BlobWriter;
  readonly #frames: FrameWriter;
  readonly #requests: RequestWriter;
  readonly #inserts = new Map<AnyTable, Database.Statement<[SqlValue[]]>>();
  readonly #runs = new Map<string, number>();
  readonly #seals: SealWriter;
  /**
   * Runs that were started or resumed here. Only the file shows whether one has its end: written rows may
   * have been rolled back.
   */
  readonly #openedRuns: Set<number>;

  /** `previousWriter` wrote into the same log over another connection. */
  constructor(db: Database.Database, previousWriter: RowWriter | null = null) {
    this.#db = db;
    this.#openedRuns = new Set(previousWriter === null ? [] : previousWriter.#openedRuns);
    this.#seals = new SealWriter(db);
    this.#blobs = new BlobWriter(db);
    this.#frames = new FrameWriter(db);
    this.#requests = new RequestWriter(this.#blobs, this.#frames);
  }

  run(record: RunRecord, initialState: unknown, serving: ServingRecord | null = null): void {
    const { runId, parent, tileset } = record;
    if (this.#findRun(runId) !== undefined) throw new StorageError(`the log already contains a run ${runId}`);
    const row = RUNS.encode(record, {
      parentRun: parent === undefined ? null : this.#run(parent.runId),
      forkStep: parent?.step ?? null,
      name: record.scenario.name,
      source: this.#blobs.plain(contentOfText(record.source)),
      scenario: this.#blobs.deflated(contentOfJson(record.scenario)),
      tileset: this.#blobs.plain(contentOfText(tileset.manifest)),
      kept: this.#blobs.deflated(contentOfJson(record.kept)),
    });
    const { lastInsertRowid } = this.#insert(RUNS, row);
    const run = Number(lastInsertRowid);
    this.#runs.set(runId, run);
    for (const [name, image] of Object.entries(tileset.images)) {
      this.#insert(TILESET_IMAGES, { run, name, content: this.#blobs.bytes(image) });
    }
    this.#session(run, { record, sitting: 1, firstStep: parent?.step ?? 1, serving });
    // A fork's state before its first step follows from its parent's log.
    if (parent === undefined) this.#snapshot(run, 0, initialState);
  }

  /** Another session of an existing run. */
  session(record: RunRecord, firstStep: number, serving: ServingRecord | null = null): void {
    const run = this.#run(record.runId);
    this.#session(run, { record, sitting: this.#newestSession(run) + 1, firstStep, serving });
  }

  call(record: CallRequest): void {
    const { frameHash } = record;
    const run = this.#run(record.runId);
    const observation = contentOfJson(record.observation);
    const settings = record.settings === null ? null : contentOfText(JSON.stringify(record.settings));
    const contents = {
      observation: observation.hash,
      messages: messagesHash(record.messages),
      settings: settings?.hash ?? null,
      frame: frameHash,
    };
    const columns = {
      run,
      observation: this.#blobs.deflated(observation),
      ...this.#requests.columns(run, record),
      // After the request, which stores the picture.
      frame: frameHash === null ? null : this.#frames.number(frameHash),
      settings: settings === null ? null : this.#blobs.plain(settings),
    };
    this.#insert(
      CALLS,
      CALLS.encode(record, columns, (row) => callHash(row, contents)),
    );
  }

  reply(runId: string, call: number, end: CallEnd): void {
    if (end.kind === 'replied')
      for (const text of [end.reply.content, end.reply.reasoning, end.reply.raw])
        assert(text === null || text.isWellFormed(), 'the text has a lone surrogate');
    const answer =
      end.kind === 'failed' ? { error: end.error.toWellFormed() } : { ...end.reply, memory: end.memory };
    this.#insert(REPLIES, REPLIES.encode(answer, { run: this.#run(runId), call }));
  }

  outside(record: OutsideRecord): void {
    const run = this.#run(record.runId);
    const output = contentOfJson(record.output);
    const row = OUTSIDE.encode(record, {
      run,
      position: this.#outsideOf(run, record.step),
      args: canonicalJson(record.args),
      output: output.hash,
    });
    this.#insert(OUTSIDE, { ...row, output: this.#blobs.deflated(output) });
  }

  lease(record: LeaseRecord): void {
    const run = this.#run(record.runId);
    const last = this.#db.prepare<[number], number | null>('SELECT max(position) FROM leases WHERE run = ?');
    const position = (last.pluck().get(run) ?? 0) + 1;
    this.#insert(LEASES, LEASES.encode(record, { run, position, sitting: this.#newestSession(run) }));
  }

  probe(record: ProbeRecord): void {
    this.#insert(PROBES, PROBES.encode(record, { run: this.#run(record.runId) }));
  }

  step(record: StepRecord): void {
    const run = this.#run(record.runId);
    this.#insert(STEPS, STEPS.encode(record, { run }));
    if (record.snapshot !== undefined) this.#snapshot(run, record.step, record.snapshot);
  }

  /** `figures`: the figures of the run, if they were counted. */
  end(runId: string, end: RunEnd, figures: RunFigures | null): void {
    const run = this.#run(runId);
    const sitting = this.#newestSession(run);
    const finalState = this.#blobs.deflated(contentOfJson(end.finalState));
    const reason = end.reason.toWellFormed();
    this.#insert(ENDS, ENDS.encode(end, { run, sitting, reason, finalState }));
    if (figures !== null) {
      this.#insert(FIGURES, { run, sitting, version: FIGURES_VERSION, figures: JSON.stringify(figures) });
    }
    this.#seals.seal('end', run, sitting);
  }

  /** Marks the runs that were started or resumed here and have no end as interrupted. */
  sealLeftRuns(): void {
    if (this.#openedRuns.size > 0) this.#seals.sealLeft(this.#openedRuns);
  }

  /** What may differ between the sessions of a run; each session ends where the next one begins. */
  #session(run: number, { record, sitting, firstStep, serving }: NewSession): void {
    this.#insert(SITTINGS, SITTINGS.encode(record, { run, sitting, firstStep }));
    if (serving !== null) this.#insert(SERVED, { run, sitting, options: JSON.stringify(serving) });
    this.#seals.seal('begin', run, sitting);
    this.#openedRuns.add(run);
  }

  #snapshot(run: number, step: number, state: unknown): void {
    this.#insert(SNAPSHOTS, { run, step, state: this.#blobs.deflated(contentOfJson(state)) });
  }

  #run(runId: string): number {
    const run = known(this.#runs.get(runId) ?? this.#findRun(runId), `run ${runId} in the log`);
    this.#runs.set(runId, run);
    return run;
  }

  #findRun(runId: string): number | undefined {
    return this.#db.prepare<[string], number>('SELECT run FROM runs WHERE run_id = ?').pluck().get(runId);
  }

  #newestSession(run: number): number {
    const newest = this.#db.prepare<[number], number>('SELECT max(sitting) FROM sittings WHERE run = ?');
    return known(newest.pluck().get(run), 'a session');
  }

  /** The number of effects that the step has had so far. */
  #outsideOf(run: number, step: number): number {
    const count = this.#db.prepare<[number, number], number>(
      'SELECT count(*) FROM outside WHERE run = ? AND step = ?',
    );
    return known(count.pluck().get(run, step), 'a count');
  }

  /** `row`: a value for each column, in their order. */
  #insert(table: AnyTable, row: Readonly<Record<string, SqlValue>>): Database.RunResult {
    const insert = this.#inserts.get(table) ?? this.#db.prepare<[SqlValue[]]>(table.insert);
    this.#inserts.set(table, insert);
    return insert.run(Object.values(row));
  }
}
