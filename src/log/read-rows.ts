/**
 * From rows to records: the counterpart of `rows.ts`. Columns of JSON are parsed here, so that a damaged one becomes a
 * StorageError in words; so is a shape that would make a reader stumble (`row-shapes.ts`). `verify` proves the rest.
 */
import { isId } from '../base/ids.js';
import type { Json, JsonObject } from '../base/json.js';
import type { Event } from '../environment/action.js';
import { NO_USAGE } from '../model/chat.js';
import type { Message, Usage } from '../model/chat.js';
import type { BlobReader, Checking } from './blobs.js';
import { parseJson } from './blobs.js';
import { messagesHash } from './chain.js';
import type { Observation } from '../environment/observation.js';
import { callHash, rememberHash, replyHash } from './content.js';
import type { Content } from './content.js';
import { damaged } from './failures.js';
import type { FrameReader } from './frames.js';
import type { RequestColumns } from './requests.js';
import { isAct, isEvent, isRecord, isScenario, isUsage, isVersions } from './row-shapes.js';
import type {
  ActRecord,
  CallEnd,
  CallPurpose,
  CallRequest,
  OutsideRecord,
  ProbeRecord,
  RunEnd,
  RunRecord,
  SentRequest,
  StepRecord,
} from './records.js';

export interface RunRow {
  readonly run: number;
  readonly run_id: string;
  readonly parent_run: number | null;
  readonly parent: string | null;
  readonly fork_step: number | null;
  readonly name: string;
  readonly seed: string;
  readonly source: number;
  readonly scenario: number;
  readonly versions: string;
  readonly controllers: string;
  readonly tileset: number;
  readonly kept: number;
  readonly genesis: string;
  readonly started_at: number;
  readonly status: RunEnd['status'] | null;
  readonly steps: number;
}

export interface CallRow extends RequestColumns {
  readonly call: number;
  readonly step: number;
  readonly turn: number;
  readonly agent: string;
  readonly attempt: number;
  readonly purpose: CallPurpose;
  readonly controller: string;
  readonly observation: number;
  /** Its hash as stored; null where it is missing. */
  readonly observed: string | null;
  readonly settings: number | null;
  readonly frame: number | null;
  readonly sha256: string;
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
  readonly reply_sha256: string | null;
}

export interface StepRow {
  readonly step: number;
  readonly turn: number;
  readonly agent: string;
  readonly calls: string;
  readonly acts: string;
  readonly events: string;
  readonly state: string;
  readonly parts: string;
  readonly chain: string;
  readonly finished_at: number;
  readonly snapshot: number | null;
}

export interface ProbeRow {
  readonly call: number;
  readonly step: number;
  readonly turn: number;
  readonly agent: string;
  readonly kind: string;
  readonly question: string;
  readonly options: string | null;
  readonly expected: string;
  readonly answer: string;
  readonly verdict: ProbeRecord['verdict'];
}

export interface OutsideRow {
  readonly step: number;
  readonly agent: string;
  readonly action: string;
  readonly args: string;
  readonly output: number;
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
  readonly final_state: number;
  readonly ended_at: number;
}

export interface SittingRow {
  readonly first_step: number;
  readonly controllers: string;
  readonly started_at: number;
  readonly ended_at: number | null;
}

/** A probe with the step that it was asked beside. */
export interface LoggedProbe extends ProbeRecord {
  readonly step: number;
  readonly turn: number;
  readonly agent: string;
}

/** For a fork: the run whose steps before `step` it shares. */
export function parentOf({ parent, fork_step: step }: RunRow): NonNullable<RunRecord['parent']> | null {
  return parent === null ? null : { runId: parent, step: step ?? 0 };
}

/** What a request held besides its messages. */
interface Settings {
  readonly hash: string;
  readonly value: JsonObject;
}

/** More differ only between models and agents. */
const SETTINGS_KEPT = 64;

/** Makes records of rows; blobs are fetched as needed. */
export class RecordMaker {
  readonly #blobs: BlobReader;
  readonly #frames: FrameReader;
  readonly #path: string;
  readonly #checking: Checking;
  /** By the blobs that they lie in. */
  readonly #settings = new Map<number, Settings>();

  constructor(blobs: BlobReader, frames: FrameReader, path: string, checking: Checking = 'checked') {
    this.#blobs = blobs;
    this.#frames = frames;
    this.#path = path;
    this.#checking = checking;
  }

  /** JSON of a column that holds a list or a record; the one in place of the other is damage too. */
  json<T>(text: string, what: string, shape: 'list' | 'record' = 'record'): T {
    const value = parseJson<T>(text, this.#path, what);
    const found = Array.isArray(value) ? 'list' : 'record';
    if (typeof value === 'object' && value !== null && found === shape) return value;
    throw damaged(this.#path, `${what} is no ${shape}`);
  }

  run(row: RunRow, tileset: RunRecord['tileset']): RunRecord {
    const parent = parentOf(row);
    const versions = this.json<RunRecord['versions']>(row.versions, 'the versions');
    return {
      runId: row.run_id,
      ...(parent === null ? {} : { parent }),
      source: this.#blobs.text(row.source),
      scenario: this.shaped(this.#blobs.json(row.scenario), 'the scenario of a run', isScenario),
      seed: row.seed,
      versions: this.shaped(versions, 'the versions', isVersions),
      tileset,
      controllers: this.json<Record<string, Json>>(row.controllers, 'the controllers of a run'),
      kept: this.shaped(this.#blobs.json(row.kept), 'what a run left to memories', isRecord),
      startedAt: row.started_at,
      genesisHash: row.genesis,
    };
  }

  request(runId: string, row: CallRow, messages: readonly Message[]): CallRequest {
    const observation = this.#blobs.content(row.observation);
    const read = this.#observation(observation, `call ${row.call}`);
    return this.#sent(runId, row, { messages, hash: observation.hash, observation: read });
  }

  /** The same with its observation unread; it is checked when it is asked for. */
  sentRequest(runId: string, row: CallRow, messages: readonly Message[]): SentRequest {
    if (row.observed === null) throw damaged(this.#path, `the observation of call ${row.call} is missing`);
    let known: Observation | null = null;
    const observation = (): Observation =>
      (known ??= this.#observation(this.#blobs.content(row.observation), `call ${row.call}`));
    return this.#sent(runId, row, { messages, hash: row.observed, observation });
  }

  /** `hash` is that of the observation, which is read already or not. */
  #sent<T>(
    runId: string,
    row: CallRow,
    sent: { readonly messages: readonly Message[]; readonly hash: string; readonly observation: T },
  ): Omit<CallRequest, 'observation'> & { readonly observation: T } {
    const { messages, hash, observation } = sent;
    const what = `call ${row.call}`;
    const settings = row.settings === null ? null : this.#settingsOf(row.settings);
    this.#check(what, row.sha256, () => callHash(hash, messagesHash(messages), settings?.hash ?? null));
    return {
      runId,
      call: row.call,
      step: row.step,
      turn: row.turn,
      agent: this.#agent(row.agent, what),
      attempt: row.attempt,
      purpose: row.purpose,
      controller: row.controller,
      observation,
      messages,
      settings: settings?.value ?? null,
      frameHash: row.frame === null ? null : this.#frames.hash(row.frame),
      startedAt: row.started_at,
    };
  }

  /** Of one model they are the same from call to call. */
  #settingsOf(blob: number): Settings {
    const known = this.#settings.get(blob);
    if (known !== undefined) return known;
    const { hash, text } = this.#blobs.content(blob);
    const settings = { hash, value: parseJson<JsonObject>(text, this.#path, `blob ${blob}`) };
    if (this.#settings.size >= SETTINGS_KEPT) this.#settings.clear();
    this.#settings.set(blob, settings);
    return settings;
  }

  #observation(content: Content, what: string): Observation {
    const value = parseJson<Observation>(content.text, this.#path, `the observation of ${what}`);
    if (!isRecord(value)) throw damaged(this.#path, `the observation of ${what} is no record`);
    rememberHash(value, content.hash);
    return value;
  }

  /** Null while there is no reply: the call is under way, or its process was killed. */
  callEnd(row: CallRow): CallEnd | null {
    if (row.replied === null) return null;
    if (row.error !== null || row.content === null) return { kind: 'failed', error: row.error ?? '' };
    const { content, reasoning, raw, memory } = row;
    const what = `the reply to call ${row.call}`;
    this.#check(what, row.reply_sha256, () => replyHash([content, reasoning, raw, memory]));
    const usage = this.json<Partial<Usage>>(row.usage ?? '', 'the usage of a reply');
    const reply = {
      content,
      reasoning,
      toolCalls: this.json<[]>(row.tool_calls ?? '[]', 'the tool calls of a reply', 'list'),
      finishReason: row.finish_reason,
      model: row.model,
      usage: { ...NO_USAGE, ...this.shaped(usage, 'the usage of a reply', isUsage) },
      raw,
      adaptations: this.json<[]>(row.adaptations ?? '[]', 'the adaptations of a reply', 'list'),
      latencyMs: row.latency_ms ?? 0,
      tries: this.json<[]>(row.tries ?? '[]', 'the tries of a reply', 'list'),
    };
    const kept = memory === null ? null : parseJson<Json>(memory, this.#path, 'the memory of a controller');
    return { kind: 'replied', reply, memory: kept };
  }

  /** With the snapshot that was taken after it, if any, unless none is asked for. */
  step(runId: string, row: StepRow, withSnapshot = true): StepRecord {
    const acts = this.json<readonly ActRecord[]>(row.acts, `the acts of step ${row.step}`, 'list');
    const events = this.json<readonly Event[]>(row.events, `the events of step ${row.step}`, 'list');
    const record = {
      runId,
      step: row.step,
      turn: row.turn,
      agent: this.#agent(row.agent, `step ${row.step}`),
      calls: this.json<readonly number[]>(row.calls, `the calls of step ${row.step}`, 'list'),
      acts: acts.map((act, index) => this.shaped(act, `act ${index} of step ${row.step}`, isAct)),
      events: events.map((event) => this.shaped(event, `an event of step ${row.step}`, isEvent)),
      stateHash: row.state,
      parts: this.json<Record<string, string>>(row.parts, `the parts of step ${row.step}`),
      chain: row.chain,
      finishedAt: row.finished_at,
    };
    return row.snapshot === null || !withSnapshot
      ? record
      : { ...record, snapshot: this.#blobs.json(row.snapshot) };
  }

  outside(runId: string, row: OutsideRow): OutsideRecord {
    return {
      runId,
      step: row.step,
      agent: this.#agent(row.agent, `an effect of step ${row.step}`),
      action: row.action,
      args: parseJson(row.args, this.#path, `the arguments of ${row.action}`),
      output: this.#blobs.json(row.output),
      startedAt: row.started_at,
      durationMs: row.duration_ms,
    };
  }

  probe(runId: string, row: ProbeRow): LoggedProbe {
    const { options } = row;
    return {
      ...row,
      runId,
      kind: row.kind as ProbeRecord['kind'],
      options: options === null ? null : this.json(options, 'the options of a probe', 'list'),
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

  #check(what: string, stored: string | null, hash: () => string): void {
    if (this.#checking === 'checked' && hash() !== stored)
      throw damaged(this.#path, `${what} is not what it was`);
  }

  /** An id becomes part of file names and of lines on a terminal, and a log may come from anybody. */
  #agent(id: string, what: string): string {
    if (isId(id)) return id;
    throw damaged(this.#path, `the agent of ${what} is no id`);
  }

  /** The value, or StorageError. What a record of another shape changed, `verify` tells; so it takes it as it stands. */
  shaped<T>(value: T, what: string, is: (value: unknown) => boolean): T {
    if (is(value) || (this.#checking === 'unchecked' && isRecord(value))) return value;
    throw damaged(this.#path, `${what} is not of the right shape`);
  }
}
