/**
 * From records to rows: one prepared INSERT per table. `writer.ts` decides when rows are committed, `read-rows.ts` makes
 * records of rows again; what is written here must come back there exactly as it was.
 */
import type Database from 'better-sqlite3';
import { canonicalJson } from '../base/canonical.js';
import { known } from '../base/assert.js';
import { StorageError } from '../base/errors.js';
import { BlobWriter } from './blobs.js';
import { messagesHash } from './chain.js';
import { callHash, contentOfJson, contentOfText, replyHash } from './content.js';
import { FrameWriter } from './frames.js';
import type {
  CallEnd,
  CallRequest,
  OutsideRecord,
  ProbeRecord,
  RunEnd,
  RunRecord,
  StepRecord,
} from './records.js';
import { RequestWriter } from './requests.js';

type Value = string | number | null;

export class RowWriter {
  readonly #db: Database.Database;
  readonly #blobs: BlobWriter;
  readonly #frames: FrameWriter;
  readonly #requests: RequestWriter;
  readonly #inserts = new Map<string, Database.Statement<[Value[]]>>();
  readonly #runs = new Map<string, number>();

  constructor(db: Database.Database) {
    this.#db = db;
    this.#blobs = new BlobWriter(db);
    this.#frames = new FrameWriter(db);
    this.#requests = new RequestWriter(this.#blobs, this.#frames);
  }

  run(record: RunRecord, initialState: unknown): void {
    const { runId, parent, tileset } = record;
    if (this.#findRun(runId) !== undefined) throw new StorageError(`the log already holds a run ${runId}`);
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
    this.#sitting(run, { record, sitting: 1, firstStep: parent?.step ?? 1 });
    for (const [name, image] of Object.entries(tileset.images)) {
      this.#insert('tileset_images', { run, name, content: this.#blobs.bytes(image) });
    }
    // A fork's state before its first step is what its parent's log makes it.
    if (parent === undefined) this.#snapshot(run, 0, initialState);
  }

  /** One more stretch of a run that is there. */
  sitting(record: RunRecord, firstStep: number): void {
    const run = this.#run(record.runId);
    this.#sitting(run, { record, sitting: this.#newestSitting(run) + 1, firstStep });
  }

  call(record: CallRequest): void {
    const run = this.#run(record.runId);
    const observation = contentOfJson(record.observation);
    const settings = record.settings === null ? null : contentOfText(JSON.stringify(record.settings));
    this.#insert('calls', {
      run,
      call: record.call,
      step: record.step,
      turn: record.turn,
      agent: record.agent,
      attempt: record.attempt,
      purpose: record.purpose,
      controller: record.controller,
      observation: this.#blobs.deflated(observation),
      ...this.#requests.columns(run, record),
      // Behind the request, which stores the picture.
      frame: record.frameHash === null ? null : this.#frames.number(record.frameHash),
      settings: settings === null ? null : this.#blobs.plain(settings),
      sha256: callHash(observation.hash, messagesHash(record.messages), settings?.hash ?? null),
      started_at: record.startedAt,
    });
  }

  reply(runId: string, call: number, end: CallEnd): void {
    const run = this.#run(runId);
    if (end.kind === 'failed') {
      this.#insert('replies', { run, call, error: end.error.toWellFormed() });
      return;
    }
    const { reply } = end;
    const memory = end.memory === null ? null : JSON.stringify(end.memory);
    this.#insert('replies', {
      run,
      call,
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
      memory,
      sha256: replyHash([reply.content, reply.reasoning, reply.raw, memory]),
    });
  }

  outside(record: OutsideRecord): void {
    const run = this.#run(record.runId);
    this.#insert('outside', {
      run,
      step: record.step,
      position: this.#outsideOf(run, record.step),
      agent: record.agent,
      action: record.action,
      args: canonicalJson(record.args),
      output: this.#blobs.deflated(contentOfJson(record.output)),
      started_at: record.startedAt,
      duration_ms: record.durationMs,
    });
  }

  probe(record: ProbeRecord): void {
    this.#insert('probes', {
      run: this.#run(record.runId),
      call: record.call,
      kind: record.kind,
      question: record.question,
      options: record.options === null ? null : JSON.stringify(record.options),
      expected: record.expected,
      answer: record.answer,
      verdict: record.verdict,
    });
  }

  step(record: StepRecord): void {
    const run = this.#run(record.runId);
    const { step } = record;
    this.#insert('steps', {
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
    });
    if (record.snapshot !== undefined) this.#snapshot(run, step, record.snapshot);
  }

  end(runId: string, end: RunEnd): void {
    const run = this.#run(runId);
    this.#insert('ends', {
      run,
      sitting: this.#newestSitting(run),
      status: end.status,
      reason: end.reason.toWellFormed(),
      turns: end.turns,
      steps: end.steps,
      state: end.stateHash,
      chain: end.chain,
      final_state: this.#blobs.deflated(contentOfJson(end.finalState)),
      ended_at: end.endedAt,
    });
  }

  /** What may differ between the stretches of a run; each ends where the run is next left. */
  #sitting(
    run: number,
    { record, sitting, firstStep }: { readonly record: RunRecord; sitting: number; firstStep: number },
  ): void {
    this.#insert('sittings', {
      run,
      sitting,
      first_step: firstStep,
      versions: JSON.stringify(record.versions),
      controllers: JSON.stringify(record.controllers),
      started_at: record.startedAt,
    });
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

  #newestSitting(run: number): number {
    const newest = this.#db.prepare<[number], number>('SELECT max(sitting) FROM sittings WHERE run = ?');
    return known(newest.pluck().get(run), 'a sitting');
  }

  /** How many effects the step had so far. */
  #outsideOf(run: number, step: number): number {
    const count = this.#db.prepare<[number, number], number>(
      'SELECT count(*) FROM outside WHERE run = ? AND step = ?',
    );
    return known(count.pluck().get(run, step), 'a count');
  }

  /**
   * One statement for each table and number of columns, since rows of a table that have as many have the same ones; bound by position: by
   * name would cost twice as much.
   */
  #insert(table: string, row: Record<string, Value>): Database.RunResult {
    const values = Object.values(row);
    const key = `${table} ${values.length}`;
    let insert = this.#inserts.get(key);
    if (insert === undefined) {
      const places = values.map(() => '?').join(', ');
      insert = this.#db.prepare<[Value[]]>(
        `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${places})`,
      );
      this.#inserts.set(key, insert);
    }
    return insert.run(values);
  }
}
