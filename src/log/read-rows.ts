/**
 * From rows to records: the counterpart of `rows.ts`. Columns of JSON are parsed here, so that a damaged one becomes a
 * StorageError in words; the shape inside is what the writer put there, and `verify` is what proves it.
 */
import type { Event } from '../environment/action.js';
import type { Message } from '../model/chat.js';
import type { BlobReader } from './blobs.js';
import { parseJson } from './blobs.js';
import { damaged } from './failures.js';
import type {
  ActRecord,
  CallEnd,
  CallPurpose,
  CallRequest,
  OutsideRecord,
  RunEnd,
  StepRecord,
} from './records.js';

export interface RunRow {
  readonly run: number;
  readonly run_id: string;
  readonly parent: string | null;
  readonly fork_step: number | null;
  readonly name: string;
  readonly seed: string;
  readonly source: string;
  readonly scenario: string;
  readonly versions: string;
  readonly controllers: string;
  readonly tileset: string;
  readonly genesis: string;
  readonly started_at: number;
  readonly status: RunEnd['status'] | null;
  readonly steps: number;
}

export interface CallRow {
  readonly call: number;
  readonly step: number;
  readonly turn: number;
  readonly agent: string;
  readonly attempt: number;
  readonly purpose: CallPurpose;
  readonly controller: string;
  readonly observation: string;
  readonly settings: string | null;
  readonly frame: string | null;
  readonly started_at: number;
  readonly replied: number | null;
  readonly error: string | null;
  readonly content: string | null;
  readonly reasoning: string | null;
  readonly tool_calls: string | null;
  readonly finish_reason: string | null;
  readonly model: string | null;
  readonly usage: string | null;
  readonly raw: string | null;
  readonly adaptations: string | null;
  readonly latency_ms: number | null;
  readonly tries: string | null;
  readonly memory: string | null;
}

export interface StepRow {
  readonly step: number;
  readonly turn: number;
  readonly agent: string;
  readonly calls: string;
  readonly state: string;
  readonly parts: string;
  readonly chain: string;
  readonly finished_at: number;
  readonly snapshot: string | null;
}

export interface ActRow {
  readonly position: number;
  readonly call: number | null;
  readonly reading: string | null;
  readonly intent: string | null;
  readonly result: string;
  readonly instead_of: string | null;
}

export interface EventRow {
  readonly kind: string;
  readonly actor: string | null;
  readonly x: number | null;
  readonly y: number | null;
  readonly data: string;
  readonly seen_by: string;
}

export interface OutsideRow {
  readonly step: number;
  readonly agent: string;
  readonly action: string;
  readonly args: string;
  readonly output: string;
  readonly started_at: number;
  readonly duration_ms: number;
}

export interface EndRow {
  readonly status: RunEnd['status'];
  readonly reason: string;
  readonly turns: number;
  readonly steps: number;
  readonly state: string;
  readonly chain: string;
  readonly final_state: string;
  readonly ended_at: number;
}

/** Makes records of rows; blobs are fetched as needed. */
export class RecordMaker {
  readonly #blobs: BlobReader;
  readonly #path: string;

  constructor(blobs: BlobReader, path: string) {
    this.#blobs = blobs;
    this.#path = path;
  }

  /** JSON of a column that holds a list or a record; the one in place of the other is damage too. */
  json<T>(text: string, what: string, shape: 'list' | 'record' = 'record'): T {
    const value = parseJson<T>(text, this.#path, what);
    const found = Array.isArray(value) ? 'list' : 'record';
    if (typeof value === 'object' && value !== null && found === shape) return value;
    throw damaged(this.#path, `${what} is no ${shape}`);
  }

  request(runId: string, row: CallRow, messages: readonly Message[]): CallRequest {
    return {
      runId,
      call: row.call,
      step: row.step,
      turn: row.turn,
      agent: row.agent,
      attempt: row.attempt,
      purpose: row.purpose,
      controller: row.controller,
      observation: this.#blobs.json(row.observation),
      messages,
      settings: row.settings === null ? null : this.#blobs.json(row.settings),
      frameHash: row.frame,
      startedAt: row.started_at,
    };
  }

  /** Null while there is no reply: the call is under way, or its process was killed. */
  callEnd(row: CallRow): CallEnd | null {
    if (row.replied === null) return null;
    if (row.error !== null || row.content === null) return { kind: 'failed', error: row.error ?? '' };
    const reply = {
      content: this.#blobs.text(row.content),
      reasoning: this.#textOrNull(row.reasoning),
      toolCalls: this.json<[]>(row.tool_calls ?? '[]', 'the tool calls of a reply', 'list'),
      finishReason: row.finish_reason,
      model: row.model,
      usage: this.json<never>(row.usage ?? '', 'the usage of a reply'),
      raw: this.#textOrNull(row.raw),
      adaptations: this.json<[]>(row.adaptations ?? '[]', 'the adaptations of a reply', 'list'),
      latencyMs: row.latency_ms ?? 0,
      tries: this.json<[]>(row.tries ?? '[]', 'the tries of a reply', 'list'),
    };
    return { kind: 'replied', reply, memory: row.memory === null ? null : this.#blobs.json(row.memory) };
  }

  step(runId: string, row: StepRow, acts: readonly ActRow[], events: readonly EventRow[]): StepRecord {
    const record = {
      runId,
      step: row.step,
      turn: row.turn,
      agent: row.agent,
      calls: this.json<readonly number[]>(row.calls, `the calls of step ${row.step}`, 'list'),
      acts: acts.map((act) => this.#act(row.step, act)),
      events: events.map((event) => this.#event(row.step, event)),
      stateHash: row.state,
      parts: this.json<Record<string, string>>(row.parts, `the parts of step ${row.step}`),
      chain: row.chain,
      finishedAt: row.finished_at,
    };
    return row.snapshot === null ? record : { ...record, snapshot: this.#blobs.json(row.snapshot) };
  }

  outside(runId: string, row: OutsideRow): OutsideRecord {
    return {
      runId,
      step: row.step,
      agent: row.agent,
      action: row.action,
      args: parseJson(row.args, this.#path, `the arguments of ${row.action}`),
      output: this.#blobs.json(row.output),
      startedAt: row.started_at,
      durationMs: row.duration_ms,
    };
  }

  end(row: EndRow): RunEnd {
    return {
      status: row.status,
      reason: row.reason,
      turns: row.turns,
      steps: row.steps,
      stateHash: row.state,
      chain: row.chain,
      finalState: this.#blobs.json(row.final_state),
      endedAt: row.ended_at,
    };
  }

  #textOrNull(hash: string | null): string | null {
    return hash === null ? null : this.#blobs.text(hash);
  }

  #act(step: number, row: ActRow): ActRecord {
    const what = `act ${row.position} of step ${step}`;
    return {
      index: row.position,
      call: row.call,
      reading: row.reading === null ? null : this.json(row.reading, what),
      intent: row.intent === null ? null : this.json(row.intent, what),
      result: this.json(row.result, what),
      insteadOf: row.instead_of === null ? null : this.json(row.instead_of, what),
    };
  }

  #event(step: number, row: EventRow): Event {
    const what = `an event of step ${step}`;
    return {
      kind: row.kind,
      actor: row.actor,
      at: row.x === null || row.y === null ? null : { x: row.x, y: row.y },
      data: this.json(row.data, what),
      seenBy: this.json(row.seen_by, what, 'list'),
    };
  }
}
