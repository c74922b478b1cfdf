/**
 * Reads requests, whose rows refer to texts and pictures by number: the counterpart of `requests.ts`. It gives
 * the exact messages of a call, or their outlines, which show whether the call is unchanged and which picture
 * it had, without reading its texts.
 */
import type Database from 'better-sqlite3';
import { LIMITS } from '../base/limits.js';
import type { Message, MessagePart } from '../model/chat.js';
import { parseJson } from './blobs.js';
import type { BlobReader } from './blobs.js';
import type { HashedText } from '../trajectory/content.js';
import { messageHash, rememberMessage } from '../trajectory/content.js';
import type { FrameReader } from './frames.js';
import { RequestWalk, isReference } from './request-walk.js';
import type { MessageReference, RequestColumns } from './request-walk.js';

/** The number of texts that a reader caches. */
const CACHED_TEXTS_MAX = 2 * LIMITS.agents;

/** A message without its content. */
export interface MessageOutline {
  hash: string;
  /** The number of its last picture; null if it has none. */
  frame: number | null;
}

export class RequestReader {
  readonly #path: string;
  readonly #blobs: BlobReader;
  readonly #frames: FrameReader;
  readonly #row: Database.Statement<[number, number], RequestColumns>;
  readonly #messages: RequestWalk<Message>;
  readonly #outlines: RequestWalk<MessageOutline>;
  /** Recently read texts, by the numbers of their blobs. */
  readonly #texts = new Map<number, HashedText>();

  constructor(db: Database.Database, blobs: BlobReader, frames: FrameReader, path: string) {
    this.#path = path;
    this.#blobs = blobs;
    this.#frames = frames;
    this.#row = db.prepare('SELECT previous, kept, appended FROM calls WHERE run = ? AND call = ?');
    const rows = (run: number, call: number) => this.#row.get(run, call);
    this.#messages = new RequestWalk(path, rows, (reference) => this.#message(reference));
    this.#outlines = new RequestWalk(path, rows, (reference) => this.#outline(reference));
  }

  /**
   * The exact messages of one call, in order; messages that two calls share are the same objects. `columns`
   * are the call's, if they were read already.
   */
  messages(run: number, call: number, columns?: RequestColumns): readonly Message[] {
    return this.#messages.list(run, call, columns);
  }

  /** The same messages, represented by the hashes in the rows of their texts and pictures. */
  outlines(run: number, call: number, columns?: RequestColumns): readonly MessageOutline[] {
    return this.#outlines.list(run, call, columns);
  }

  /** The first text of the last message: the turn's. */
  lastText(run: number, call: number): string {
    const row = this.#row.get(run, call);
    const references = row === undefined ? [] : parseJson<unknown>(row.appended, this.#path, 'a request');
    const last: unknown = Array.isArray(references) ? references.at(-1) : undefined;
    // The messages that a request keeps from the previous one end with an earlier turn, so its last message
    // is its own.
    if (!isReference(last)) return this.messages(run, call).at(-1)?.parts.flatMap(textOf)[0] ?? '';
    const text = last.parts.find((part) => 'text' in part);
    return text === undefined ? '' : this.#blobs.text(text.text);
  }

  /** Caches the hashes of texts that were verified when they were read. */
  #message({ role, parts: references }: MessageReference): Message {
    const contents = references.map((part) => ('text' in part ? this.#text(part.text) : this.#picture(part)));
    const parts = contents.map((part) =>
      'hash' in part ? ({ kind: 'text', text: part.text } as const) : part,
    );
    const message = { role, parts };
    rememberMessage(message, contents);
    return message;
  }

  #outline({ role, parts }: MessageReference): MessageOutline {
    let last: number | null = null;
    const hashes = parts.map((part) => {
      if ('text' in part) return { text: this.#blobs.hash(part.text) };
      last = part.frame;
      return { frame: this.#frames.hash(part.frame) };
    });
    return { hash: messageHash(role, hashes), frame: last };
  }

  /** A turn's text appears without its picture in the history of the next. */
  #text(blob: number): HashedText {
    const known = this.#texts.get(blob);
    if (known !== undefined) return known;
    if (this.#texts.size >= CACHED_TEXTS_MAX) this.#texts.clear();
    const content = this.#blobs.content(blob);
    this.#texts.set(blob, content);
    return content;
  }

  #picture(part: { frame: number }): Extract<MessagePart, { kind: 'image' }> {
    const { hash, png } = this.#frames.numbered(part.frame);
    return { kind: 'image', frameHash: hash, png };
  }
}

function textOf(part: MessagePart): readonly string[] {
  return part.kind === 'text' ? [part.text] : [];
}
