/**
 * From rows to calls: requests and replies, each checked against its row's hash. The parts of a request can
 * be read on demand; the first access checks the whole request. `read-rows.ts` makes records of all other
 * rows.
 */
import type { Json, JsonObject } from '../base/json.js';
import { once } from '../base/once.js';
import { NO_USAGE } from '../model/chat.js';
import type { Message, Reply, ToolCall, Usage } from '../model/chat.js';
import type { Observation } from '../environment/observation.js';
import { parseJson } from './blobs.js';
import type { BlobReader } from './blobs.js';
import { messageListHash, messagesHash } from '../trajectory/chain.js';
import { ColumnChecks } from './column-shapes.js';
import { messageHashes, rememberHash } from '../trajectory/content.js';
import type { HashedText } from '../trajectory/content.js';
import { damaged } from './failures.js';
import type { FrameReader } from './frames.js';
import type { CallRow } from './read-columns.js';
import type { MessageOutline } from './read-requests.js';
import type { CallEnd, CallRequest, SentFrame, SentRequest } from '../trajectory/records.js';
import { callHash, firstCallHash, firstReplyHash, replyHash } from './row-hashes.js';
import type { CallContents } from './row-hashes.js';
import { isObservation, isText, isToolCall, isTry, isUsage } from './row-shapes.js';
import type { RowValues } from './row-values.js';

/** The parts of a request besides its messages. */
interface StoredSettings {
  readonly hash: string;
  readonly value: JsonObject;
}

/** How to read the parts of a request: within `read`, which turns an SQLite failure into a StorageError. */
export interface RequestParts {
  readonly read: <T>(work: () => T) => T;
  readonly messages: () => readonly Message[];
  /** Of the same messages. */
  readonly outlines: () => readonly MessageOutline[];
}

/** Settings differ only between models and agents. */
const CACHED_SETTINGS_MAX = 64;

/** Makes calls from rows; blobs are fetched on demand. */
export class CallMaker {
  readonly #blobs: BlobReader;
  readonly #frames: FrameReader;
  readonly #values: RowValues;
  readonly #columns: ColumnChecks;
  /** By the numbers of their blobs. */
  readonly #settings = new Map<number, StoredSettings>();
  /** The call that was read last. */
  #usage: { readonly text: string; readonly value: Usage } | null = null;

  constructor(blobs: BlobReader, frames: FrameReader, values: RowValues) {
    this.#blobs = blobs;
    this.#frames = frames;
    this.#values = values;
    this.#columns = new ColumnChecks(values.path);
  }

  request(runId: string, row: CallRow, messages: readonly Message[]): CallRequest {
    const label = `call ${row.call}`;
    const content = this.#blobs.content(row.observation);
    const head = this.#head(runId, row);
    const frameHash = row.frame === null ? null : this.#frames.hash(row.frame);
    this.#checkCall(row, () => ({
      observation: content.hash,
      messages: messagesHash(messages),
      settings: this.#settingsHash(row),
      frame: frameHash,
    }));
    return Object.assign(head, { observation: this.#observation(content, label), messages, frameHash });
  }

  /** A call's hash covers its row; in a log of version 1, it covers only the request. */
  #checkCall(row: CallRow, read: () => CallContents): void {
    if (this.#values.checking === 'unchecked') return;
    const contents = read();
    if (row.sha256 === callHash(row, contents) || row.sha256 === firstCallHash(contents)) return;
    throw damaged(this.#values.path, `call ${row.call} was altered (hash mismatch)`);
  }

  #settingsHash({ settings }: CallRow): string | null {
    return settings === null ? null : this.#settingsOf(settings).hash;
  }

  /** The same with its parts unread; the first access checks the whole request. */
  sentRequest(runId: string, row: CallRow, { read, messages, outlines }: RequestParts): SentRequest {
    const { call, observation, observed, frame } = row;
    const label = `call ${call}`;
    if (observed === null) throw damaged(this.#values.path, `the observation of ${label} is missing`);
    const head = this.#head(runId, row);
    let isChecked = false;
    const check = (hashes: readonly string[]): void => {
      this.#checkCall(row, () => ({
        observation: observed,
        messages: messageListHash(hashes),
        settings: this.#settingsHash(row),
        frame: frame === null ? null : this.#frames.hash(frame),
      }));
      isChecked = true;
    };
    const checkedOutlines = once(() => {
      const list = outlines();
      check(list.map(({ hash }) => hash));
      return list;
    });
    const checkedMessages = once(() => {
      const list = messages();
      check(messageHashes(list));
      return list;
    });
    const checkedObservation = once(() => {
      if (!isChecked) checkedOutlines();
      return this.#observation(this.#blobs.content(observation), label);
    });
    const checkedPicture = (): SentFrame | null => {
      if (frame === null) return null;
      const last = checkedOutlines().findLast((one) => one.frame !== null);
      if (last?.frame === frame) return this.#frames.numbered(frame);
      throw damaged(this.#values.path, `${label} was altered (hash mismatch)`);
    };
    return Object.assign(head, {
      observation: () => read(checkedObservation),
      messages: () => read(checkedMessages),
      picture: () => read(checkedPicture),
    });
  }

  #head(runId: string, row: CallRow) {
    this.#columns.call(row);
    const label = `call ${row.call}`;
    return {
      runId,
      call: row.call,
      step: row.step,
      turn: row.turn,
      agent: this.#values.agent(row.agent, label),
      attempt: row.attempt,
      purpose: row.purpose,
      controller: row.controller,
      settings: row.settings === null ? null : this.#settingsOf(row.settings).value,
      startedAt: row.started_at,
    };
  }

  /** For one model, they are the same from call to call. */
  #settingsOf(blob: number): StoredSettings {
    const known = this.#settings.get(blob);
    if (known !== undefined) return known;
    const { hash, text } = this.#blobs.content(blob);
    const value = this.#values.requireShallow(
      this.#values.json<JsonObject>(text, 'the settings of a call'),
      'the settings of a call',
    );
    const settings = { hash, value };
    if (this.#settings.size >= CACHED_SETTINGS_MAX) this.#settings.clear();
    this.#settings.set(blob, settings);
    return settings;
  }

  #observation(content: HashedText, label: string): Observation {
    const value = parseJson<Observation>(content.text, this.#values.path, `the observation of ${label}`);
    rememberHash(
      this.#values.requireShape(value, `the observation of ${label}`, isObservation),
      content.hash,
    );
    return value;
  }

  /** Null if there is no reply: the call is in progress, or its process was killed. */
  callEnd(row: CallRow): CallEnd | null {
    if (row.replied === null) return null;
    const { memory } = row;
    const reply = this.reply(row);
    if (reply === null) return { kind: 'failed', error: row.error ?? '' };
    const label = 'the memory of a controller';
    const checkedMemory =
      memory === null
        ? null
        : this.#values.requireShallow(parseJson<Json>(memory, this.#values.path, label), label);
    return { kind: 'replied', reply, memory: checkedMemory };
  }

  /** If a server counts nothing, it is the same from call to call. */
  #usageOf(text: string): Usage {
    if (text === this.#usage?.text) return this.#usage.value;
    const usage = this.#values.json<Partial<Usage>>(text, 'the usage of a reply');
    const value = { ...NO_USAGE, ...this.#values.requireShape(usage, 'the usage of a reply', isUsage) };
    this.#usage = { text, value };
    return value;
  }

  /** Null if there is none. */
  reply(row: CallRow): Reply | null {
    if (row.replied === null) return null;
    this.#columns.call(row);
    this.#checkReply(row);
    if (row.content === null) return null;
    return {
      content: row.content,
      reasoning: row.reasoning,
      toolCalls: this.#values.list<ToolCall>(row.tool_calls ?? '[]', 'the tool calls of a reply', isToolCall),
      finishReason: row.finish_reason,
      model: row.model,
      usage: this.#usageOf(row.usage ?? ''),
      raw: row.raw,
      adaptations: this.#values.list<string>(row.adaptations ?? '[]', 'the adaptations of a reply', isText),
      latencyMs: row.latency_ms ?? 0,
      tries: this.#values.list<Reply['tries'][number]>(row.tries ?? '[]', 'the tries of a reply', isTry),
    };
  }

  /** Like a call's; in a log of version 1, a failed call has no hash. */
  #checkReply(row: CallRow): void {
    if (this.#values.checking === 'unchecked') return;
    const stored = row.reply_sha256;
    const firstVersionHash = (): string | null => (row.error === null ? firstReplyHash(row) : null);
    if (stored === replyHash(row) || stored === firstVersionHash()) return;
    throw damaged(this.#values.path, `the reply to call ${row.call} was altered (hash mismatch)`);
  }
}
