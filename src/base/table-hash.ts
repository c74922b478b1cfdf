/**
 * The hash of a table: a record with a value for each of many agents, hashed as canonical JSON. A step
 * changes one or two values, so the last hashed bytes are kept and updated in place. In: immutable tables of
 * immutable values; out: hashes.
 */
import { assert, at } from './assert.js';
import { canonicalBytes, hashJson, layoutOf, sha256 } from './canonical.js';
import type { KeyLayout } from './canonical.js';
import { begin, writeByte, writeBytes, writeText, written } from './json-bytes.js';
import type { Json } from './json.js';

/** Up to this many values, writing is faster than looking up the cached bytes. */
const SMALL_TABLE_MAX = 8;
/** If more values changed, as at the end of a turn or in another world, everything is written again. */
const CHANGES_MAX = 16;
/** Spare room for texts that become longer. */
const SPARE_BYTES = 4096;
const [LINE_FEED, COMMA, OPEN_RECORD, CLOSE_RECORD] = [10, 44, 123, 125];

/** A table as it was last hashed. */
interface PendingRows<T> {
  readonly layout: KeyLayout;
  /** All three lists are in the order of writing. */
  readonly values: T[];
  readonly starts: number[];
  readonly lengths: number[];
  readonly bytes: Uint8Array;
  length: number;
}

/**
 * Hashes tables in the same way as `hashJson(domain, …)` would hash the record of `part` for each of their
 * values.
 */
export class TableHash<T extends object> {
  readonly #domain: string;
  readonly #part: (value: T) => Json;
  readonly #texts = new WeakMap<T, Uint8Array>();
  #last: PendingRows<T> | null = null;
  #hashed: { readonly table: object; readonly hash: string } | null = null;

  constructor(domain: string, part: (value: T) => Json) {
    this.#domain = domain;
    this.#part = part;
  }

  of(table: Readonly<Record<string, T>>): string {
    if (this.#hashed?.table === table) return this.#hashed.hash;
    const hash = this.#hashOf(table);
    this.#hashed = { table, hash };
    return hash;
  }

  #hashOf(table: Readonly<Record<string, T>>): string {
    const keys = Object.keys(table);
    if (keys.length <= SMALL_TABLE_MAX) {
      const record: Record<string, Json> = {};
      for (const key of keys) record[key] = this.#part(table[key] as T);
      return hashJson(this.#domain, record);
    }
    const layout = layoutOf(keys);
    const all = Object.values(table);
    const values = layout.order.map((place) => at(all, place));
    if (this.#last === null || !this.#changeInto(this.#last, layout, values))
      this.#last = this.#write(layout, values);
    return sha256(this.#last.bytes.subarray(0, this.#last.length));
  }

  /** Updates the last hashed table to this one; returns false, without a change, if too much differs. */
  #changeInto(last: PendingRows<T>, layout: KeyLayout, values: readonly T[]): boolean {
    if (last.layout !== layout) return false;
    const changes: { readonly i: number; readonly text: Uint8Array }[] = [];
    let growth = 0;
    for (let i = 0; i < values.length; i++) {
      if (values[i] === last.values[i]) continue;
      if (changes.length === CHANGES_MAX) return false;
      const text = this.#textOf(at(values, i));
      changes.push({ i, text });
      growth += Math.max(0, text.length - at(last.lengths, i));
    }
    if (last.length + growth > last.bytes.length) return false;
    for (const { i, text } of changes) replace(last, i, text);
    for (const { i } of changes) last.values[i] = at(values, i);
    return true;
  }

  #write(layout: KeyLayout, values: T[]): PendingRows<T> {
    const texts = values.map((value) => this.#textOf(value));
    const starts: number[] = [];
    begin();
    writeText(this.#domain);
    writeByte(LINE_FEED);
    writeByte(OPEN_RECORD);
    for (const [i, text] of texts.entries()) {
      if (i > 0) writeByte(COMMA);
      writeBytes(at(layout.starts, i));
      starts.push(written().length);
      writeBytes(text);
    }
    writeByte(CLOSE_RECORD);
    const { length } = written();
    const bytes = new Uint8Array(length + SPARE_BYTES);
    bytes.set(written());
    return { layout, values, starts, lengths: texts.map((text) => text.length), bytes, length };
  }

  /** Must be called before `begin`, because it writes and hashes. */
  #textOf(value: T): Uint8Array {
    const known = this.#texts.get(value);
    if (known !== undefined) return known;
    const { bytes } = canonicalBytes(this.#part(value));
    this.#texts.set(value, bytes);
    return bytes;
  }
}

function replace<T>(pending: PendingRows<T>, i: number, text: Uint8Array): void {
  const { bytes, starts, lengths } = pending;
  const start = at(starts, i);
  const growth = text.length - at(lengths, i);
  if (growth !== 0) {
    bytes.copyWithin(start + text.length, start + at(lengths, i), pending.length);
    for (let k = i + 1; k < starts.length; k++) starts[k] = at(starts, k) + growth;
    lengths[i] = text.length;
    pending.length += growth;
  }
  assert(pending.length <= bytes.length, 'the table does not fit into its buffer');
  bytes.set(text, start);
}
