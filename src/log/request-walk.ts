/**
 * The chain of a request: from a call's row through its predecessors to one that is stored in full. It reads no
 * text or picture itself: a function makes a result of each referenced message.
 */
import { isObject } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import { parseJson } from './blobs.js';
import { damaged } from './damaged.js';
import type { Message } from '../model/chat.js';

/** A message in a row: texts by the numbers of their blobs, pictures by those of their frames. */
export interface MessageReference {
  role: Message['role'];
  parts: readonly ({ text: number } | { frame: number })[];
}

/** How a request is stored in its call's row. */
export interface RequestColumns {
  previous: number | null;
  kept: number;
  appended: string;
}

/** The number of cached lists: the last one of every agent, and some more. */
const CACHED_LISTS_MAX = 2 * LIMITS.agents;

/** The row of a call, by the numbers of its run and of the call. */
export type RequestRows = (run: number, call: number) => RequestColumns | undefined;

interface RequestStage<T> {
  previous: number | null;
  kept: number;
  appended: readonly T[];
}

export class RequestWalk<T> {
  readonly #path: string;
  readonly #rows: RequestRows;
  readonly #make: (message: MessageReference) => T;
  /** By run and call: a reader that proceeds step by step finds the predecessor here. */
  readonly #recent = new Map<string, readonly T[]>();

  /** `path` is for messages. */
  constructor(path: string, rows: RequestRows, make: (message: MessageReference) => T) {
    this.#path = path;
    this.#rows = rows;
    this.#make = make;
  }

  /**
   * For one call; messages that two calls share are the same objects. `columns` are the call's, if they were
   * read already.
   */
  list(run: number, call: number, columns?: RequestColumns): readonly T[] {
    const tails: (readonly T[])[] = [];
    let needed = Number.POSITIVE_INFINITY;
    for (let current: number | null = call; current !== null && needed > 0;) {
      const { previous, kept, appended }: RequestStage<T> = this.#stage(
        run,
        current,
        current === call ? columns : undefined,
      );
      if (Number.isFinite(needed) && kept + appended.length < needed) throw this.#unreadable(call);
      if (kept < needed) {
        tails.push(appended.slice(0, needed - kept));
        needed = kept;
      }
      current = previous;
    }
    if (needed > 0) throw this.#unreadable(call);
    return this.#cache(`${run}/${call}`, joined(tails));
  }

  #stage(run: number, call: number, columns?: RequestColumns): RequestStage<T> {
    const recent = this.#recent.get(`${run}/${call}`);
    if (recent !== undefined) return { previous: null, kept: 0, appended: recent };
    const row = columns ?? this.#rows(run, call);
    if (row === undefined || (row.previous !== null && row.previous >= call)) throw this.#unreadable(call);
    return { previous: row.previous, kept: row.kept, appended: this.#appended(row.appended, call) };
  }

  #appended(text: string, call: number): readonly T[] {
    const references = parseJson<MessageReference[]>(text, this.#path, 'a request');
    if (!Array.isArray(references) || !references.every(isReference)) throw this.#unreadable(call);
    return references.map((reference) => this.#make(reference));
  }

  #cache(key: string, list: readonly T[]): readonly T[] {
    this.#recent.set(key, list);
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= CACHED_LISTS_MAX) break;
      this.#recent.delete(oldest);
    }
    return list;
  }

  #unreadable(call: number): Error {
    return damaged(this.#path, `the request of call ${call} can't be reconstructed`);
  }
}

/** The newest list comes first; `flat` would take many times as long. */
function joined<T>(tails: readonly (readonly T[])[]): readonly T[] {
  const list: T[] = [];
  for (let i = tails.length - 1; i >= 0; i--) for (const item of tails[i] ?? []) list.push(item);
  return list;
}

/** Checks that texts and pictures are referenced by numbers, because a log may be untrusted. */
export function isReference(value: unknown): value is MessageReference {
  if (!isObject(value) || !('parts' in value) || !Array.isArray(value.parts)) return false;
  return value.parts.every((part) => {
    if (!isObject(part)) return false;
    if ('text' in part) return Number.isSafeInteger(part.text);
    return 'frame' in part && Number.isSafeInteger(part.frame);
  });
}
