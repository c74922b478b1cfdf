/**
 * From records to rows: one prepared INSERT per table. `writer.ts` decides when rows are committed, and
 * `read-rows.ts` makes records from rows again; what is written here must be read there exactly as it was.
 */
import type Database from 'better-sqlite3';
import { canonicalJson } from '../base/canonical.js';
import { assert, known } from '../base/assert.js';
import { StorageError } from '../base/errors.js';
import { BlobWriter } from './blobs.js';
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
  ServingRecord,
  StepRecord,
} from '../trajectory/records.js';
import { FIGURES_VERSION } from '../trajectory/run-figures.js';
import type { RunFigures } from '../trajectory/run-figures.js';
import { RequestWriter } from './requests.js';
import { leaseRow } from './lease-rows.js';
import { callHash, outsideHash, probeHash, replyHash, stepHash } from './row-hashes.js';
import { SealWriter } from './seals.js';

type SqlValue = string | number | null;

interface NewSession {
  readonly record: RunRecord;
  readonly sitting: number;
  readonly firstStep: number;
  /** Null if the session is not served. */
  readonly serving: ServingRecord | null;
}

export class RowWriter {
  readonly #db: Database.Database;
  readonly #blobs: BlobWriter;
  readonly #frames: FrameWriter;
  readonly #requests: RequestWriter;
  readonly #inserts = new Map<string, Database.Statement<[SqlValue[]]>>();
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
    const { lastInsertRowid } = this.#insert('runs', {
      run_id: runId,
      parent_run: parent === undefined ? null : this.#run(parent.runId),
      fork_step: parent?.step ?? null,
      name: record.scenario.name,
      seed: record.seed,
      source: this.#blobs.plain(contentOfText(record.source)),
      scenario: this.#blobs.deflated(contentOfJson(record.scenario)),
      tileset: this.#blobs.plain(contentOfText(tileset.manifest)),
      kept: this.#blobs.deflated(contentOfJson(record.kept)),
      genesis: record.genesisHash,
    });
    const run = Number(lastInsertRowid);
    this.#runs.set(runId, run);
    for (const [name, image] of Object.entries(tileset.images)) {
      this.#insert('tileset_images', { run, name, content: this.#blobs.bytes(image) });
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
    const { call, step, turn, agent, attempt, purpose, controller, startedAt, frameHash } = record;
    const run = this.#run(record.runId);
    const observation = contentOfJson(record.observation);
    const settings = record.settings === null ? null : contentOfText(JSON.stringify(record.settings));
    const head = { run, call, step, turn, agent, attempt, purpose, controller };
    const contents = {
      observation: observation.hash,
      messages: messagesHash(record.messages),
      settings: settings?.hash ?? null,
      frame: frameHash,
    };
    this.#insert('calls', {
      ...head,
      observation: this.#blobs.deflated(observation),
      ...this.#requests.columns(run, record),
      // After the request, which stores the picture.
      frame: frameHash === null ? null : this.#frames.number(frameHash),
      settings: settings === null ? null : this.#blobs.plain(settings),
      sha256: callHash({ ...head, stored_purpose: purpose, started_at: startedAt }, contents),
      started_at: startedAt,
    });
  }

  reply(runId: string, call: number, end: CallEnd): void {
    const row = {
      run: this.#run(runId),
      call,
      ...(end.kind === 'failed' ? failureColumns(end) : replyColumns(end)),
    };
    this.#insert('replies', { ...row, sha256: replyHash(row) });
  }

  outside(record: OutsideRecord): void {
    const run = this.#run(record.runId);
    const output = contentOfJson(record.output);
    const row = {
      run,
      step: record.step,
      position: this.#outsideOf(run, record.step),
      agent: record.agent,
      action: record.action,
      args: canonicalJson(record.args),
      started_at: record.startedAt,
      duration_ms: record.durationMs,
    };
    const sha256 = outsideHash(row, output.hash);
    this.#insert('outside', { ...row, output: this.#blobs.deflated(output), sha256 });
  }

  lease(record: LeaseRecord): void {
    const run = this.#run(record.runId);
    const last = this.#db.prepare<[number], number | null>('SELECT max(position) FROM leases WHERE run = ?');
    const position = { run, position: (last.pluck().get(run) ?? 0) + 1, sitting: this.#newestSession(run) };
    this.#insert('leases', leaseRow(record, position));
  }

  probe(record: ProbeRecord): void {
    const row = {
      run: this.#run(record.runId),
      call: record.call,
      kind: record.kind,
      question: record.question,
      options: record.options === null ? null : JSON.stringify(record.options),
      expected: record.expected,
      answer: record.answer,
      verdict: record.verdict,
    };
    this.#insert('probes', { ...row, sha256: probeHash(row) });
  }

  step(record: StepRecord): void {
    const run = this.#run(record.runId);
    const { step } = record;
    const row = {
      run,
      step,
      turn: record.turn,
      agent: record.agent,
      calls: JSON.stringify(record.calls),
      acts: JSON.stringify(record.acts),
      events: JSON.stringify(record.events),
      state: record.stateHash,
      parts: JSON.stringify(record.parts),
      chain: record.chain,
      finished_at: record.finishedAt,
      rewards: record.rewards === undefined ? null : JSON.stringify(record.rewards),
      overrun_ms: record.timing?.overrunMs ?? null,
      settle_ms: record.timing?.settleMs ?? null,
      untimely: record.untimely === undefined ? null : JSON.stringify(record.untimely),
    };
    this.#insert('steps', { ...row, sha256: stepHash(row) });
    if (record.snapshot !== undefined) this.#snapshot(run, step, record.snapshot);
  }

  /** `figures`: the figures of the run, if they were counted. */
  end(runId: string, end: RunEnd, figures: RunFigures | null): void {
    const run = this.#run(runId);
    const sitting = this.#newestSession(run);
    this.#insert('ends', {
      run,
      sitting,
      status: end.status,
      reason: end.reason.toWellFormed(),
      turns: end.turns,
      steps: end.steps,
      state: end.stateHash,
      chain: end.chain,
      final_state: this.#blobs.deflated(contentOfJson(end.finalState)),
      ended_at: end.endedAt,
    });
    if (figures !== null)
      this.#insert('figures', { run, sitting, version: FIGURES_VERSION, figures: JSON.stringify(figures) });
    this.#seals.seal('end', run, sitting);
  }

  /** Marks the runs that were started or resumed here and have no end as interrupted. */
  sealLeftRuns(): void {
    if (this.#openedRuns.size > 0) this.#seals.sealLeft(this.#openedRuns);
  }

  /** What may differ between the sessions of a run; each session ends where the next one begins. */
  #session(run: number, { record, sitting, firstStep, serving }: NewSession): void {
    this.#insert('sittings', {
      run,
      sitting,
      first_step: firstStep,
      versions: JSON.stringify(record.versions),
      controllers: JSON.stringify(record.controllers),
      started_at: record.startedAt,
    });
    if (serving !== null) this.#insert('served', { run, sitting, options: JSON.stringify(serving) });
    this.#seals.seal('begin', run, sitting);
    this.#openedRuns.add(run);
  }

  #snapshot(run: number, step: number, state: unknown): void {
    this.#insert('snapshots', { run, step, state: this.#blobs.deflated(contentOfJson(state)) });
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

  /**
   * One statement for each table and number of columns, because rows with the same number of columns have the
   * same ones. Values are bound by position; binding by name would cost twice as much.
   */
  #insert(table: string, row: Record<string, SqlValue>): Database.RunResult {
    const values = Object.values(row);
    const key = `${table} ${values.length}`;
    let insert = this.#inserts.get(key);
    if (insert === undefined) {
      const placeholders = values.map(() => '?').join(', ');
      insert = this.#db.prepare<[SqlValue[]]>(
        `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${placeholders})`,
      );
      this.#inserts.set(key, insert);
    }
    return insert.run(values);
  }
}

/** The columns of a reply, in the order of its hash. */
function replyColumns({ reply, memory }: Extract<CallEnd, { kind: 'replied' }>) {
  for (const text of [reply.content, reply.reasoning, reply.raw])
    assert(text === null || text.isWellFormed(), 'the text has a lone surrogate');
  return {
    error: null,
    content: reply.content,
    reasoning: reply.reasoning,
    tool_calls: JSON.stringify(reply.toolCalls),
    finish_reason: reply.finishReason,
    model: reply.model,
    usage: JSON.stringify(reply.usage),
    raw: reply.raw,
    adaptations: JSON.stringify(reply.adaptations),
    latency_ms: reply.latencyMs,
    tries: JSON.stringify(reply.tries),
    memory: memory === null ? null : JSON.stringify(memory),
  };
}

function failureColumns({ error }: Extract<CallEnd, { kind: 'failed' }>) {
  const emptyAnswer = { content: null, reasoning: null, tool_calls: null, finish_reason: null, model: null };
  const emptyMetadata = {
    usage: null,
    raw: null,
    adaptations: null,
    latency_ms: null,
    tries: null,
    memory: null,
  };
  return { error: error.toWellFormed(), ...emptyAnswer, ...emptyMetadata };
}
