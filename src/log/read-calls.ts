/**
 * From rows to calls: requests and replies, each checked against its row's hash. The parts of a request can
 * be read on demand; the first access checks the whole request. `read-rows.ts` makes records of all other
 * rows.
 */
import type { JsonObject } from '../base/json.js';
import { once } from '../base/once.js';
import { NO_USAGE } from '../model/chat.js';
import type { Message, Reply } from '../model/chat.js';
import type { Observation } from '../environment/observation.js';
import type { BlobReader } from './blobs.js';
import { messageListHash, messagesHash } from '../trajectory/chain.js';
import { messageHashes, rememberHash } from '../trajectory/content.js';
import type { HashedText } from '../trajectory/content.js';
import { damaged } from './damaged.js';
import type { FrameReader } from './frames.js';
import type { CallRow, ReplyRow } from './read-columns.js';
import type { MessageOutline } from './read-requests.js';
import type { CallEnd, CallRequest, SentFrame, SentRequest } from '../trajectory/records.js';
import { callHash, firstCallHash, firstReplyHash } from './row-hashes.js';
import type { CallContents } from './row-hashes.js';
import type { RowValues } from './row-values.js';
import * as shapes from '../trajectory/shapes.js';
import { CALLS, REPLIES } from './tables.js';

/** The parts of a request besides its messages. */
interface StoredSettings {
  hash: string;
  value: JsonObject;
}

/** How to read the parts of a request: within `read`, which turns an SQLite failure into a StorageError. */
export interface RequestParts {
  read: <T>(work: () => T) => T;
  messages: () => readonly Message[];
  /** Of the same messages. */
  outlines: () => readonly MessageOutline[];
}

/** Settings differ only between models and agents. */
const CACHED_SETTINGS_MAX = 64;

/** Makes calls from rows; blobs are fetched on demand. */
export class CallMaker {
  readonly #blobs: BlobReader;
  readonly #frames: FrameReader;
  readonly #values: RowValues;
  /** By the numbers of their blobs. */
  readonly #settings = new Map<number, StoredSettings>();

  constructor(blobs: BlobReader, frames: FrameReader, values: RowValues) {
    this.#blobs = blobs;
    this.#frames = frames;
    this.#values = values;
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
    const label = `call ${row.call}`;
    CALLS.check(row, label, this.#values.path);
    return {
      runId,
      ...CALLS.decode(row, label, this.#values),
      purpose: row.acted_as,
      settings: row.settings === null ? null : this.#settingsOf(row.settings).value,
    };
  }

  /** For one model, they are the same from call to call. */
  #settingsOf(blob: number): StoredSettings {
    const known = this.#settings.get(blob);
    if (known !== undefined) return known;
    const { hash, text } = this.#blobs.content(blob);
    const value = this.#values.json<JsonObject>(text, 'the settings of a call', shapes.records);
    const settings = { hash, value };
    if (this.#settings.size >= CACHED_SETTINGS_MAX) this.#settings.clear();
    this.#settings.set(blob, settings);
    return settings;
  }

  #observation({ text, hash }: HashedText, label: string): Observation {
    const value = this.#values.json<Observation>(text, `the observation of ${label}`, shapes.observation);
    rememberHash(value, hash);
    return value;
  }

  /** Null if there is no reply: the call is in progress, or its process was killed. */
  callEnd(row: CallRow): CallEnd | null {
    if (row.reply === null) return null;
    const { error, memory } = row.reply;
    const reply = this.reply(row);
    if (reply === null) return { kind: 'failed', error: error ?? '' };
    if (memory === null) return { kind: 'replied', reply, memory };
    const label = `the reply to call ${row.call}`;
    return { kind: 'replied', reply, memory: REPLIES.json(row.reply, 'memory', label, this.#values) };
  }

  /** Null if there is none. */
  reply(call: CallRow): Reply | null {
    const { reply: row } = call;
    if (row === null) return null;
    const label = `the reply to call ${call.call}`;
    CALLS.check(call, `call ${call.call}`, this.#values.path);
    REPLIES.check(row, label, this.#values.path);
    if ((row.error === null) === (row.content === null))
      throw damaged(this.#values.path, `${label} must be either an answer or a failure`);
    this.#checkReply(row, label);
    if (row.content === null) return null;
    const reply = REPLIES.decode(row, label, this.#values, ['error', 'memory']);
    return { ...reply, content: row.content, usage: { ...NO_USAGE, ...reply.usage } };
  }

  /** Like a call's; in a log of version 1, a failed call has no hash. */
  #checkReply(row: ReplyRow, label: string): void {
    if (this.#values.checking === 'unchecked' || row.sha256 === REPLIES.hash(row)) return;
    if (row.sha256 === (row.error === null ? firstReplyHash(row) : null)) return;
    throw damaged(this.#values.path, `${label} was altered (hash mismatch)`);
  }
}
