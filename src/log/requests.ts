/**
 * Requests: the exact messages of each call, told by difference. A request is its predecessor of the same agent, how many
 * of that one's messages it keeps, and the hashes that it appends; so a history that grows costs each turn only what is
 * new. A request stands whole where the way back to one that does would be longer than its own list: so reading one
 * costs what the list costs, and the log still grows linearly.
 */
import type Database from 'better-sqlite3';
import { parseJson } from './blobs.js';
import { damaged } from './failures.js';

/** A way back this short is never cut. */
const WAY_BACK_MIN = 16;

interface Last {
  readonly call: number;
  readonly hashes: readonly string[];
  /** Requests to go back to the one that stands whole. */
  readonly wayBack: number;
}

export class RequestWriter {
  readonly #add: Database.Statement<[number, number, number | null, number, string]>;
  /** By run and agent; a new process starts with a request that stands whole. */
  readonly #last = new Map<string, Last>();

  constructor(db: Database.Database) {
    this.#add = db.prepare(
      'INSERT INTO requests (run, call, previous, kept, appended) VALUES (?, ?, ?, ?, ?)',
    );
  }

  add(run: number, call: number, agent: string, hashes: readonly string[]): void {
    const key = `${run}/${agent}`;
    const last = this.#last.get(key);
    const kept = last === undefined ? 0 : sharedPrefix(last.hashes, hashes);
    const whole = last === undefined || kept === 0 || last.wayBack >= Math.max(WAY_BACK_MIN, hashes.length);
    const previous = whole ? null : last.call;
    const appended = whole ? hashes : hashes.slice(kept);
    this.#add.run(run, call, previous, whole ? 0 : kept, JSON.stringify(appended));
    this.#last.set(key, { call, hashes, wayBack: whole ? 0 : last.wayBack + 1 });
  }
}

function sharedPrefix(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

interface RequestRow {
  readonly previous: number | null;
  readonly kept: number;
  readonly appended: string;
}

export class RequestReader {
  readonly #path: string;
  readonly #row: Database.Statement<[number, number], RequestRow>;

  constructor(db: Database.Database, path: string) {
    this.#path = path;
    this.#row = db.prepare('SELECT previous, kept, appended FROM requests WHERE run = ? AND call = ?');
  }

  /** Hashes of the messages of one call, in order. */
  hashes(run: number, call: number): readonly string[] {
    const tails: (readonly string[])[] = [];
    let wanted = Number.POSITIVE_INFINITY;
    let at: number | null = call;
    while (at !== null && wanted > 0) {
      const row: RequestRow | undefined = this.#row.get(run, at);
      if (row === undefined || (row.previous !== null && row.previous >= at)) throw this.#broken(call);
      const own = this.#list(row.appended, call);
      if (wanted !== Number.POSITIVE_INFINITY && row.kept + own.length < wanted) throw this.#broken(call);
      if (row.kept < wanted) {
        tails.push(own.slice(0, wanted - row.kept));
        wanted = row.kept;
      }
      at = row.previous;
    }
    if (wanted > 0) throw this.#broken(call);
    return tails.toReversed().flat();
  }

  #list(text: string, call: number): readonly string[] {
    const list = parseJson<unknown>(text, this.#path, 'a request');
    if (!Array.isArray(list)) throw this.#broken(call);
    return list.map(String);
  }

  #broken(call: number): Error {
    return damaged(this.#path, `the request of call ${call} can't be put together`);
  }
}
