/**
 * Requests: the exact messages of each call, told by difference. A request is its predecessor of the same agent, how many
 * of that one's messages it keeps, and those that it appends, each with its texts and its pictures by number; so
 * a history that grows costs each turn only what is new. A request stands whole where the way back to one that does would
 * be longer than its own list: so reading one costs what the list costs, and the log still grows linearly.
 */
import type Database from 'better-sqlite3';
import { LIMITS } from '../base/limits.js';
import type { Message, MessagePart } from '../model/chat.js';
import type { BlobReader, BlobWriter } from './blobs.js';
import { parseJson } from './blobs.js';
import type { Content, MessageContent } from './content.js';
import { contentOfMessage, messageHashes, rememberMessage } from './content.js';
import { damaged } from './failures.js';
import type { FrameReader, FrameWriter } from './frames.js';
import type { CallPurpose, CallRequest } from './records.js';

/** A way back this short is never cut. */
const WAY_BACK_MIN = 16;
/** Texts that a reader keeps. */
const TEXTS_KEPT = 2 * LIMITS.agents;
/** Requests that a reader keeps: the last one of every agent, and some more. */
const REQUESTS_KEPT = 2 * LIMITS.agents;

/** A message in a row: texts by their blobs' numbers, pictures by their frames'. */
interface MessageReference {
  readonly role: Message['role'];
  readonly parts: readonly ({ readonly text: number } | { readonly frame: number })[];
}

interface Last {
  readonly call: number;
  /** Its messages' hashes. */
  readonly hashes: readonly string[];
  /** Requests to go back to the one that stands whole. */
  readonly wayBack: number;
}

/** How a request lies in its call's row. */
export interface RequestColumns {
  readonly previous: number | null;
  readonly kept: number;
  readonly appended: string;
}

interface Request {
  readonly previous: number | null;
  readonly kept: number;
  readonly own: readonly Message[];
}

export class RequestWriter {
  readonly #blobs: BlobWriter;
  readonly #frames: FrameWriter;
  /** By run and agent, then by purpose; a new process starts with a request that stands whole. */
  readonly #last = new Map<string, Map<CallPurpose, Last>>();

  constructor(blobs: BlobWriter, frames: FrameWriter) {
    this.#blobs = blobs;
    this.#frames = frames;
  }

  /** Stores the texts and pictures that are new. */
  columns(run: number, request: CallRequest): RequestColumns {
    const { call, messages } = request;
    const hashes = messageHashes(messages);
    const lasts = this.#lasts(`${run}/${request.agent}`);
    const { last, kept } = nearest([...lasts.values()], hashes);
    const whole = last === null || last.wayBack >= Math.max(WAY_BACK_MIN, messages.length);
    lasts.set(request.purpose, { call, hashes, wayBack: whole ? 0 : last.wayBack + 1 });
    const from = whole ? 0 : kept;
    const appended = JSON.stringify(messages.slice(from).map((message) => this.#reference(message)));
    return { previous: whole ? null : last.call, kept: from, appended };
  }

  #reference(message: Message): MessageReference {
    const { role, parts } = contentOfMessage(message);
    return { role, parts: parts.map((part) => this.#part(part)) };
  }

  #part(part: MessageContent['parts'][number]): MessageReference['parts'][number] {
    if ('text' in part) return { text: this.#blobs.plain(part) };
    return { frame: this.#frames.keep(part.frameHash, part.png) };
  }

  #lasts(key: string): Map<CallPurpose, Last> {
    const lasts = this.#last.get(key) ?? new Map<CallPurpose, Last>();
    this.#last.set(key, lasts);
    return lasts;
  }
}

/** The request that shares the longest beginning: a summary in between must not part one turn's from the next's. */
function nearest(lasts: readonly Last[], hashes: readonly string[]): { last: Last | null; kept: number } {
  let best: { last: Last | null; kept: number } = { last: null, kept: 0 };
  for (const last of lasts) {
    const kept = sharedPrefix(last.hashes, hashes);
    if (kept > best.kept) best = { last, kept };
  }
  return best;
}

function sharedPrefix(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

export class RequestReader {
  readonly #path: string;
  readonly #blobs: BlobReader;
  readonly #frames: FrameReader;
  readonly #row: Database.Statement<[number, number], RequestColumns>;
  /** By run and call: whoever reads step after step finds the predecessor here. */
  readonly #recent = new Map<string, readonly Message[]>();
  /** Texts read lately, by their blobs' numbers. */
  readonly #texts = new Map<number, Content>();

  constructor(db: Database.Database, blobs: BlobReader, frames: FrameReader, path: string) {
    this.#path = path;
    this.#blobs = blobs;
    this.#frames = frames;
    this.#row = db.prepare('SELECT previous, kept, appended FROM calls WHERE run = ? AND call = ?');
  }

  /** The exact messages of one call, in order; those that two calls share are the same objects. `columns` are the call's, where they were read already. */
  messages(run: number, call: number, columns?: RequestColumns): readonly Message[] {
    const tails: (readonly Message[])[] = [];
    let wanted = Number.POSITIVE_INFINITY;
    for (let at: number | null = call; at !== null && wanted > 0;) {
      const { previous, kept, own }: Request = this.#request(run, at, at === call ? columns : undefined);
      if (Number.isFinite(wanted) && kept + own.length < wanted) throw this.#broken(call);
      if (kept < wanted) {
        tails.push(own.slice(0, wanted - kept));
        wanted = kept;
      }
      at = previous;
    }
    if (wanted > 0) throw this.#broken(call);
    return this.#keep(`${run}/${call}`, tails.toReversed().flat());
  }

  /** The first text of the last message: the turn's. */
  lastText(run: number, call: number): string {
    const row = this.#row.get(run, call);
    const references = row === undefined ? [] : parseJson<unknown>(row.appended, this.#path, 'a request');
    const last: unknown = Array.isArray(references) ? references.at(-1) : undefined;
    // What a request keeps of the one before it ends with an earlier turn, so its last message is its own.
    if (!isReference(last)) return this.messages(run, call).at(-1)?.parts.flatMap(textOf)[0] ?? '';
    const text = last.parts.find((part) => 'text' in part);
    return text === undefined ? '' : this.#blobs.text(text.text);
  }

  #request(run: number, call: number, columns?: RequestColumns): Request {
    const recent = this.#recent.get(`${run}/${call}`);
    if (recent !== undefined) return { previous: null, kept: 0, own: recent };
    const row = columns ?? this.#row.get(run, call);
    if (row === undefined || (row.previous !== null && row.previous >= call)) throw this.#broken(call);
    return { previous: row.previous, kept: row.kept, own: this.#appended(row.appended, call) };
  }

  #appended(text: string, call: number): readonly Message[] {
    const references = parseJson<MessageReference[]>(text, this.#path, 'a request');
    if (!Array.isArray(references) || !references.every(isReference)) throw this.#broken(call);
    return references.map((reference) => this.#message(reference));
  }

  /** Remembers what its texts were hashed as when they were read. */
  #message({ role, parts: references }: MessageReference): Message {
    const contents = references.map((part) => ('text' in part ? this.#text(part.text) : this.#picture(part)));
    const parts = contents.map((part) =>
      'hash' in part ? ({ kind: 'text', text: part.text } as const) : part,
    );
    const message = { role, parts };
    rememberMessage(message, contents);
    return message;
  }

  /** What a turn was told stands without its picture in the past of the next. */
  #text(blob: number): Content {
    const known = this.#texts.get(blob);
    if (known !== undefined) return known;
    if (this.#texts.size >= TEXTS_KEPT) this.#texts.clear();
    const content = this.#blobs.content(blob);
    this.#texts.set(blob, content);
    return content;
  }

  #picture(part: { readonly frame: number }): Extract<MessagePart, { kind: 'image' }> {
    const { hash, png } = this.#frames.numbered(part.frame);
    return { kind: 'image', frameHash: hash, png };
  }

  #keep(key: string, messages: readonly Message[]): readonly Message[] {
    this.#recent.set(key, messages);
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= REQUESTS_KEPT) break;
      this.#recent.delete(oldest);
    }
    return messages;
  }

  #broken(call: number): Error {
    return damaged(this.#path, `the request of call ${call} can't be put together`);
  }
}

function textOf(part: MessagePart): readonly string[] {
  return part.kind === 'text' ? [part.text] : [];
}

function isReference(value: unknown): value is MessageReference {
  if (!isObject(value) || !('parts' in value) || !Array.isArray(value.parts)) return false;
  return value.parts.every((part) => {
    if (!isObject(part)) return false;
    if ('text' in part) return Number.isSafeInteger(part.text);
    return 'frame' in part && Number.isSafeInteger(part.frame);
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
