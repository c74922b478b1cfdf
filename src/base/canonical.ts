/**
 * Canonical JSON (RFC 8785 restricted to what state may hold) and SHA-256 over it.
 * Keys are sorted by UTF-16 code unit, there is no white space, and whatever JSON would silently change
 * (floats, -0, NaN, undefined, class instances, lone surrogates) is refused by an assertion.
 *
 * `hashOf` remembers the hash of an object by identity: state is never changed in place, so a part that a
 * step did not touch is not hashed again (DESIGN section 4).
 */
import { hash as digestOf } from 'node:crypto';
import { AssertionError, assert, at } from './assert.js';
import { begin, writeByte, writeBytes, writeInteger, writeString, writeText, written } from './json-bytes.js';
import type { Json } from './json.js';

/** Deeper than any of our own values; an untrusted value is refused before the stack overflows. */
const DEPTH_MAX = 100;

/**
 * Canonical JSON (RFC 8785, whole numbers only): keys sorted by UTF-16 unit, no white space, undefined
 * omitted. Throws AssertionError for values that JSON would change: fractions, -0, NaN, class instances, lone
 * surrogates, more than 100 levels.
 */
export function canonicalJson(value: unknown): string {
  begin();
  write(value, 0);
  return DECODER.decode(written());
}

/**
 * The UTF-8 bytes of `canonicalJson(value)`, in their own memory, and their SHA-256. Throws like
 * `canonicalJson`.
 */
export function canonicalBytes(value: unknown): { readonly hash: string; readonly bytes: Uint8Array } {
  begin();
  write(value, 0);
  const bytes = written();
  return { hash: sha256(bytes), bytes: bytes.slice() };
}

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

function write(value: unknown, depth: number): void {
  if (typeof value === 'string') writeString(value);
  else if (typeof value === 'number') writeNumber(value);
  else if (value === null || value === true || value === false) writeText(String(value));
  else {
    if (typeof value !== 'object') throw new AssertionError(`not JSON: ${typeof value}`);
    assert(depth < DEPTH_MAX, 'the JSON is nested too deeply');
    if (Array.isArray(value)) writeArray(value, depth);
    else writeRecord(value, depth);
  }
}

function writeNumber(value: number): void {
  if (!Number.isSafeInteger(value) || Object.is(value, -0))
    throw new AssertionError(`not a safe integer: ${value}`);
  writeInteger(value);
}

const LINE_FEED = 10;
const [COMMA, OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD] = [44, 91, 93, 123, 125];

function writeArray(list: readonly unknown[], depth: number): void {
  writeByte(OPEN_LIST);
  for (let i = 0; i < list.length; i++) {
    if (i > 0) writeByte(COMMA);
    write(list[i], depth + 1);
  }
  writeByte(CLOSE_LIST);
}

function writeRecord(record: object, depth: number): void {
  const prototype: unknown = Object.getPrototypeOf(record);
  assert(prototype === Object.prototype || prototype === null, 'the state contains a class instance');
  const { order, starts } = layoutOf(Object.keys(record));
  // All values are read at once: reading them one by one, by names that differ from record to record, would
  // take twice as long.
  const values: readonly unknown[] = Object.values(record);
  writeByte(OPEN_RECORD);
  let isFirst = true;
  for (let i = 0; i < order.length; i++) {
    const value = values[order[i] ?? 0];
    // An absent optional field and an explicit `undefined` are the same record.
    if (value === undefined) continue;
    if (!isFirst) writeByte(COMMA);
    isFirst = false;
    writeBytes(at(starts, i));
    write(value, depth + 1);
  }
  writeByte(CLOSE_RECORD);
}

/** How to write records that have these keys in this order. */
export interface KeyLayout {
  readonly keys: readonly string[];
  /** Indices into `keys`, in sorted order. */
  readonly order: readonly number[];
  /** For each key in that order: the key as JSON and a colon, as UTF-8. */
  readonly starts: readonly Uint8Array[];
}

/**
 * The most recently written kinds of records, each at the index that follows from the number of its keys, the
 * first key and the last.
 */
const layouts = Array.from({ length: 1024 }, (): KeyLayout | undefined => undefined);
/**
 * Records with more or longer keys are tables rather than kinds of records, such as those with a key for each
 * agent: only a few of them are cached.
 */
const [KEYS_MAX, TABLE_KEYS_MAX, KEY_UNITS_MAX] = [32, 1024, 64];
const tables = Array.from({ length: 16 }, (): KeyLayout | undefined => undefined);

/** The values of a record's keys, in its own order. */
export function layoutOf(keys: readonly string[]): KeyLayout {
  const [first = '', last = ''] = [keys[0], keys[keys.length - 1]];
  const sum = keys.length * 37 + first.length * 101 + last.length * 53;
  const cache = keys.length <= KEYS_MAX ? layouts : tables;
  const slot = (sum + first.charCodeAt(0) * 7 + last.charCodeAt(0)) % cache.length;
  const cached = cache[slot];
  if (cached !== undefined && areSame(cached.keys, keys)) return cached;
  const indices = keys.map((_key, i) => i);
  const order = indices.sort((a, b) => (at(keys, a) < at(keys, b) ? -1 : 1));
  const layout = { keys, order, starts: order.map((i) => startOf(at(keys, i))) };
  if (keys.length <= TABLE_KEYS_MAX && keys.every(({ length }) => length <= KEY_UNITS_MAX))
    cache[slot] = layout;
  return layout;
}

function startOf(key: string): Uint8Array {
  assert(key.isWellFormed(), 'a key has a lone surrogate');
  return ENCODER.encode(`${JSON.stringify(key)}:`);
}

function areSame(keys: readonly string[], others: readonly string[]): boolean {
  if (keys.length !== others.length) return false;
  for (let i = 0; i < keys.length; i++) if (keys[i] !== others[i]) return false;
  return true;
}

/** SHA-256 as 64 hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  return digestOf('sha256', data, 'hex');
}

/**
 * SHA-256 over a label and the canonical JSON of a value, as 64 hexadecimal digits. The label distinguishes
 * equal values in different roles. Throws like `canonicalJson`.
 */
export function hashJson(domain: string, value: unknown): string {
  begin();
  writeText(domain);
  writeByte(LINE_FEED);
  write(value, 0);
  return sha256(written());
}

const cachedHashes = new WeakMap<object, string>();

/** Like `hashJson('part', value)`, but cached for this object. The object must never change. */
export function hashOf(value: Json | object): string {
  if (typeof value !== 'object' || value === null) return hashJson('part', value);
  const cached = cachedHashes.get(value);
  if (cached !== undefined) return cached;
  const hash = hashJson('part', value);
  cachedHashes.set(value, hash);
  return hash;
}

/**
 * The hash of a record made from the cached hashes of its values: the cost depends on what changed, not on
 * the size of the record.
 */
export function hashOfParts(record: Readonly<Record<string, Json | object>>): string {
  const cached = cachedHashes.get(record);
  if (cached !== undefined) return cached;
  const hashes = Object.values(record).map(hashOf);
  const hash = hashTable('parts', Object.keys(record), (index) => writeString(at(hashes, index)));
  cachedHashes.set(record, hash);
  return hash;
}

/** `writeValue` writes the value of the key at an index; it must not hash anything itself. */
function hashTable(domain: string, keys: readonly string[], writeValue: (index: number) => void): string {
  const { order, starts } = layoutOf(keys);
  begin();
  writeText(domain);
  writeByte(LINE_FEED);
  writeByte(OPEN_RECORD);
  for (let i = 0; i < order.length; i++) {
    if (i > 0) writeByte(COMMA);
    writeBytes(at(starts, i));
    writeValue(at(order, i));
  }
  writeByte(CLOSE_RECORD);
  return sha256(written());
}
