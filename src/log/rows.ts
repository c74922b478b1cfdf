/**
 * From records to rows: one prepared INSERT per table. `writer.ts` decides when rows are committed, `read-rows.ts` makes
 * records of rows again; what is written here must come back there exactly as it was.
 */
import type Database from 'better-sqlite3';
import { canonicalJson } from '../base/canonical.js';
import { known } from '../base/assert.js';
import { StorageError } from '../base/errors.js';
import type { Event } from '../environment/action.js';
import { BlobWriter } from './blobs.js';
import type {
  ActRecord,
  CallEnd,
  CallRequest,
  OutsideRecord,
  RunEnd,
  RunRecord,
  StepRecord,
} from './records.js';
import { RequestWriter } from './requests.js';

type Value = string | number | null;

export class RowWriter {
  readonly #db: Database.Database;
  readonly #blobs: BlobWriter;
  readonly #requests: RequestWriter;
  readonly #inserts = new Map<string, Database.Statement<[Record<string, Value>]>>();
  readonly #runs = new Map<string, number>();

  constructor(db: Database.Database) {
    this.#db = db;
    this.#blobs = new BlobWriter(db);
    this.#requests = new RequestWriter(this.#blobs);
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
      source: this.#blobs.text(record.source),
      scenario: this.#blobs.json(record.scenario),
      tileset: this.#blobs.text(tileset.manifest),
      genesis: record.genesisHash,
    });
    const run = Number(lastInsertRowid);
    this.#runs.set(runId, run);
    this.#firstSitting(run, record);
    for (const [name, image] of Object.entries(tileset.images)) {
      this.#insert('tileset_images', { run, name, content: this.#blobs.bytes(image) });
    }
    this.#insert('snapshots', { run, step: 0, state: this.#blobs.json(initialState) });
  }

  call(record: CallRequest): void {
    const run = this.#run(record.runId);
    this.#insert('calls', {
      run,
      call: record.call,
      step: record.step,
      turn: record.turn,
      agent: record.agent,
      attempt: record.attempt,
      purpose: record.purpose,
      controller: record.controller,
      observation: this.#blobs.json(record.observation),
      frame: record.frameHash,
      ...this.#requests.columns(run, record),
      settings: textOrNull(this.#blobs, jsonOrNull(record.settings)),
      started_at: record.startedAt,
    });
  }

  reply(runId: string, call: number, end: CallEnd): void {
    const run = this.#run(runId);
    const reply = end.kind === 'replied' ? end.reply : null;
    this.#insert('replies', {
      run,
      call,
      error: end.kind === 'failed' ? end.error.toWellFormed() : null,
      content: reply === null ? null : this.#blobs.text(reply.content),
      reasoning: textOrNull(this.#blobs, reply?.reasoning),
      tool_calls: reply === null ? null : JSON.stringify(reply.toolCalls),
      finish_reason: reply?.finishReason ?? null,
      model: reply?.model ?? null,
      usage: reply === null ? null : JSON.stringify(reply.usage),
      raw: textOrNull(this.#blobs, reply?.raw),
      adaptations: reply === null ? null : JSON.stringify(reply.adaptations),
      latency_ms: reply?.latencyMs ?? null,
      tries: reply === null ? null : JSON.stringify(reply.tries),
      memory: end.kind === 'failed' || end.memory === null ? null : this.#blobs.looseJson(end.memory),
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
      output: this.#blobs.json(record.output),
      started_at: record.startedAt,
      duration_ms: record.durationMs,
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
      state: record.stateHash,
      parts: JSON.stringify(record.parts),
      chain: record.chain,
      finished_at: record.finishedAt,
    });
    for (const act of record.acts) this.#act(run, step, act);
    record.events.forEach((event, position) => this.#event(run, step, position, event));
    if (record.snapshot === undefined) return;
    this.#insert('snapshots', { run, step, state: this.#blobs.json(record.snapshot) });
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
      final_state: this.#blobs.json(end.finalState),
      ended_at: end.endedAt,
    });
  }

  /** What may differ between the stretches of a run; this one ends where the run is first left. */
  #firstSitting(run: number, { parent, versions, controllers, startedAt }: RunRecord): void {
    this.#insert('sittings', {
      run,
      sitting: 1,
      first_step: parent?.step ?? 1,
      versions: JSON.stringify(versions),
      controllers: JSON.stringify(controllers),
      started_at: startedAt,
    });
  }

  #act(run: number, step: number, act: ActRecord): void {
    this.#insert('acts', {
      run,
      step,
      position: act.index,
      call: act.call,
      reading: jsonOrNull(act.reading),
      intent: jsonOrNull(act.intent),
      result: JSON.stringify(act.result),
      instead_of: jsonOrNull(act.insteadOf),
    });
  }

  #event(run: number, step: number, position: number, event: Event): void {
    this.#insert('events', {
      run,
      step,
      position,
      kind: event.kind,
      actor: event.actor,
      x: event.at?.x ?? null,
      y: event.at?.y ?? null,
      data: JSON.stringify(event.data),
      seen_by: JSON.stringify(event.seenBy),
    });
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

  #insert(table: string, row: Record<string, Value>): Database.RunResult {
    let insert = this.#inserts.get(table);
    if (insert === undefined) {
      const columns = Object.keys(row);
      const values = columns.map((column) => `@${column}`);
      insert = this.#db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})`);
      this.#inserts.set(table, insert);
    }
    return insert.run(row);
  }
}

function textOrNull(blobs: BlobWriter, text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : blobs.text(text);
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
