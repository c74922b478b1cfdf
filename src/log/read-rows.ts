/**
 * From rows to records: the counterpart of `rows.ts`. Columns of JSON are parsed here, so that a damaged one becomes a
 * StorageError in words; so is a shape that would make a reader stumble (`row-shapes.ts`). `verify` proves the rest.
 */
import { isId } from '../base/ids.js';
import type { Json, JsonObject } from '../base/json.js';
import { once } from '../base/once.js';
import type { Event } from '../environment/action.js';
import { NO_USAGE } from '../model/chat.js';
import type { Message, Reply, Usage } from '../model/chat.js';
import type { BlobReader, Checking } from './blobs.js';
import { parseJson } from './blobs.js';
import { messageListHash, messagesHash } from './chain.js';
import type { Observation } from '../environment/observation.js';
import { callHash, messageHashes, rememberHash, replyHash } from './content.js';
import type { Content } from './content.js';
import { damaged } from './failures.js';
import type { FrameReader } from './frames.js';
import type { MessageOutline } from './read-requests.js';
import type {
  CallRow,
  EndRow,
  OutsideRow,
  ProbeRow,
  RunRow,
  StepOutlineRow,
  StepRow,
} from './read-columns.js';
import { isAct, isEvent, isRecord, isScenario, isUsage, isVersions } from './row-shapes.js';
import type {
  ActRecord,
  CallEnd,
  CallRequest,
  OutsideRecord,
  ProbeRecord,
  RunEnd,
  RunRecord,
  SentFrame,
  SentRequest,
  StepOutline,
  StepRecord,
} from './records.js';

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

/** How the parts of a request are read: all within `read`, which makes a failure of SQLite a StorageError. */
export interface RequestParts {
  readonly read: <T>(work: () => T) => T;
  readonly messages: () => readonly Message[];
  /** Of the same messages. */
  readonly outlines: () => readonly MessageOutline[];
}

/** More differ only between models and agents. */
const SETTINGS_KEPT = 64;

/** What most lists of a reply are. */
const NO_LIST = '[]';
const NOTHING: readonly never[] = Object.freeze([]);

/** Makes records of rows; blobs are fetched as needed. */
export class RecordMaker {
  readonly #blobs: BlobReader;
  readonly #frames: FrameReader;
  readonly #path: string;
  readonly #checking: Checking;
  /** By the blobs that they lie in. */
  readonly #settings = new Map<number, Settings>();
  /** The one that was read last. */
  #usage: { readonly text: string; readonly value: Usage } | null = null;

  constructor(blobs: BlobReader, frames: FrameReader, path: string, checking: Checking = 'checked') {
    this.#blobs = blobs;
    this.#frames = frames;
    this.#path = path;
    this.#checking = checking;
  }

  /** JSON of a column that holds a list or a record; the one in place of the other is damage too. */
  json<T>(text: string, what: string, shape: 'list' | 'record' = 'record'): T {
    if (text === NO_LIST && shape === 'list') return NOTHING as T;
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
    const what = `call ${row.call}`;
    const content = this.#blobs.content(row.observation);
    const observation = this.#observation(content, what);
    const settings = row.settings === null ? null : this.#settingsOf(row.settings);
    this.#check(what, row.sha256, () =>
      callHash(content.hash, messagesHash(messages), settings?.hash ?? null),
    );
    const frameHash = row.frame === null ? null : this.#frames.hash(row.frame);
    return Object.assign(this.#head(runId, row, settings), { observation, messages, frameHash });
  }

  /** The same with its parts unread; the first that is asked for is held against the whole. */
  sentRequest(runId: string, row: CallRow, { read, messages, outlines }: RequestParts): SentRequest {
    const { call, observation, observed, frame } = row;
    const what = `call ${call}`;
    if (observed === null) throw damaged(this.#path, `the observation of ${what} is missing`);
    const settings = row.settings === null ? null : this.#settingsOf(row.settings);
    let isWhole = false;
    const check = (hashes: readonly string[]): void => {
      this.#check(what, row.sha256, () =>
        callHash(observed, messageListHash(hashes), settings?.hash ?? null),
      );
      isWhole = true;
    };
    const checked = once(() => {
      const list = outlines();
      check(list.map(({ hash }) => hash));
      return list;
    });
    const whole = once(() => {
      const list = messages();
      check(messageHashes(list));
      return list;
    });
    const seen = once(() => {
      if (!isWhole) checked();
      return this.#observation(this.#blobs.content(observation), what);
    });
    const shown = (): SentFrame | null => {
      if (frame === null) return null;
      const last = checked().findLast((one) => one.frame !== null);
      if (last?.frame === frame) return this.#frames.numbered(frame);
      throw damaged(this.#path, `${what} is not what it was`);
    };
    return Object.assign(this.#head(runId, row, settings), {
      observation: () => read(seen),
      messages: () => read(whole),
      picture: () => read(shown),
    });
  }

  #head(runId: string, row: CallRow, settings: Settings | null) {
    const what = `call ${row.call}`;
    return {
      runId,
      call: row.call,
      step: row.step,
      turn: row.turn,
      agent: this.#agent(row.agent, what),
      attempt: row.attempt,
      purpose: row.purpose,
      controller: row.controller,
      settings: settings?.value ?? null,
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
    const { memory } = row;
    const reply = this.reply(row);
    if (reply === null) return { kind: 'failed', error: row.error ?? '' };
    const kept = memory === null ? null : parseJson<Json>(memory, this.#path, 'the memory of a controller');
    return { kind: 'replied', reply, memory: kept };
  }

  /** Where a server counts nothing it is the same from call to call. */
  #usageOf(text: string): Usage {
    if (text === this.#usage?.text) return this.#usage.value;
    const usage = this.json<Partial<Usage>>(text, 'the usage of a reply');
    const value = { ...NO_USAGE, ...this.shaped(usage, 'the usage of a reply', isUsage) };
    this.#usage = { text, value };
    return value;
  }

  /** Null where there is none. */
  reply(row: CallRow): Reply | null {
    if (row.replied === null || row.error !== null || row.content === null) return null;
    const { content, reasoning, raw, memory } = row;
    const what = `the reply to call ${row.call}`;
    this.#check(what, row.reply_sha256, () => replyHash([content, reasoning, raw, memory]));
    return {
      content,
      reasoning,
      toolCalls: this.json<[]>(row.tool_calls ?? '[]', 'the tool calls of a reply', 'list'),
      finishReason: row.finish_reason,
      model: row.model,
      usage: this.#usageOf(row.usage ?? ''),
      raw,
      adaptations: this.json<[]>(row.adaptations ?? '[]', 'the adaptations of a reply', 'list'),
      latencyMs: row.latency_ms ?? 0,
      tries: this.json<[]>(row.tries ?? '[]', 'the tries of a reply', 'list'),
    };
  }

  /** With the snapshot that was taken after it, if any, unless none is asked for. */
  step(runId: string, row: StepRow, withSnapshot = true): StepRecord {
    const outline = this.outline(runId, row);
    const record = Object.assign(outline, {
      events: outline.events(),
      stateHash: row.state,
      parts: this.json<Record<string, string>>(row.parts, `the parts of step ${row.step}`),
      chain: row.chain,
    });
    return row.snapshot === null || !withSnapshot
      ? record
      : { ...record, snapshot: this.#blobs.json(row.snapshot) };
  }

  /** The same without what the state came to. */
  outline(runId: string, row: StepOutlineRow): StepOutline {
    const acts = this.json<readonly ActRecord[]>(row.acts, `the acts of step ${row.step}`, 'list');
    return {
      runId,
      step: row.step,
      turn: row.turn,
      agent: this.#agent(row.agent, `step ${row.step}`),
      calls: this.json<readonly number[]>(row.calls, `the calls of step ${row.step}`, 'list'),
      acts: acts.map((act, index) => this.shaped(act, `act ${index} of step ${row.step}`, isAct)),
      events: once(() => this.#eventsOf(row)),
      finishedAt: row.finished_at,
    };
  }

  #eventsOf(row: StepOutlineRow): readonly Event[] {
    const events = this.json<readonly Event[]>(row.events, `the events of step ${row.step}`, 'list');
    return events.map((event) => this.shaped(event, `an event of step ${row.step}`, isEvent));
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
    return Object.assign(this.ending(row), { finalState: this.#blobs.json<Json>(row.final_state) });
  }

  /** The same without the state. */
  ending(row: EndRow): Omit<RunEnd, 'finalState'> {
    return {
      status: row.status,
      reason: row.reason,
      turns: row.turns,
      steps: row.steps,
      stateHash: row.state,
      chain: row.chain,
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
