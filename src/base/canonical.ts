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
import type { Json } from './json.js';

/** Deeper than anything of ours; a stranger's value is refused before the stack is at risk. */
const DEPTH_MAX = 100;

/**
 * Canonical JSON (RFC 8785, whole numbers only): keys sorted by UTF-16 unit, no white space, absent for undefined. Throws AssertionError
 * for what JSON would change: fractions, -0, NaN, class instances, lone surrogates, more than 100 levels.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

function write(value: unknown, depth: number): string {
  if (typeof value === 'string') return writeString(value);
  if (typeof value === 'number') return writeNumber(value);
  if (value === null || value === true || value === false) return String(value);
  if (typeof value !== 'object') throw new AssertionError(`not JSON: ${typeof value}`);
  assert(depth < DEPTH_MAX, 'JSON nested too deeply');
  return Array.isArray(value) ? writeArray(value, depth) : writeRecord(value, depth);
}

function writeNumber(value: number): string {
  if (!isPlainNumber(value)) throw new AssertionError(`not a safe integer: ${value}`);
  return String(value);
}

function isPlainNumber(value: unknown): boolean {
  return Number.isSafeInteger(value) && !Object.is(value, -0);
}

/** Printable ASCII without quote and backslash: most texts, and all that they need is quotation marks. */
const PLAIN = /^[ !#-[\]-~]*$/;

function writeString(text: string): string {
  if (PLAIN.test(text)) return '"' + text + '"';
  assert(text.isWellFormed(), 'text with a lone surrogate');
  return JSON.stringify(text);
}

function writeArray(list: readonly unknown[], depth: number): string {
  if (areNumbers(list)) return `[${list.join(',')}]`;
  let out = '[';
  for (let i = 0; i < list.length; i++) {
    if (i > 0) out += ',';
    out += write(list[i], depth + 1);
  }
  return out + ']';
}

/** Not by `every`, which passes over holes. */
function areNumbers(list: readonly unknown[]): boolean {
  for (let i = 0; i < list.length; i++) if (!isPlainNumber(list[i])) return false;
  return true;
}

function writeRecord(record: object, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(record);
  assert(prototype === Object.prototype || prototype === null, 'state holds a class instance');
  const keys = Object.keys(record);
  if (keys.length === 0) return '{}';
  const { order, starts } = layoutOf(keys);
  // All at once: asked for one by one, by names that differ from record to record, they would take twice as long.
  const values: readonly unknown[] = Object.values(record);
  let out = '';
  for (let i = 0; i < order.length; i++) {
    const value = values[order[i] ?? 0];
    // An absent optional field and an explicit `undefined` are the same record.
    if (value === undefined) continue;
    out += (out === '' ? '{' : ',') + (starts[i] ?? '') + write(value, depth + 1);
  }
  return out === '' ? '{}' : out + '}';
}

/** How records with these keys, in this order, are written. */
interface Layout {
  readonly keys: readonly string[];
  /** Places in `keys`, of the least key first. */
  readonly order: readonly number[];
  /** Of each key in that order: itself as JSON, and a colon. */
  readonly starts: readonly string[];
}

/** Of the kinds of records written last, each in the place that its keys' count, first and last give it. */
const layouts = Array.from({ length: 1024 }, (): Layout | undefined => undefined);
/** Records of more or longer keys are tables rather than kinds of records. */
const [KEYS_MAX, KEY_UNITS_MAX] = [32, 64];

function layoutOf(keys: readonly string[]): Layout {
  const [first = '', last = ''] = [keys[0], keys[keys.length - 1]];
  const sum = keys.length * 37 + first.length * 101 + last.length * 53;
  const place = (sum + first.charCodeAt(0) * 7 + last.charCodeAt(0)) % layouts.length;
  const kept = layouts[place];
  if (kept !== undefined && areSame(kept.keys, keys)) return kept;
  const places = keys.map((_key, i) => i);
  const order = places.sort((a, b) => (at(keys, a) < at(keys, b) ? -1 : 1));
  const layout = { keys, order, starts: order.map((i) => `${writeString(at(keys, i))}:`) };
  if (keys.length <= KEYS_MAX && keys.every(({ length }) => length <= KEY_UNITS_MAX)) layouts[place] = layout;
  return layout;
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
 * SHA-256 over a label and the canonical JSON of a value, as 64 hexadecimal digits. The label keeps equal values in different roles apart.
 * Throws as `canonicalJson`.
 */
export function hashJson(domain: string, value: unknown): string {
  return sha256(`${domain}\n${canonicalJson(value)}`);
}

const remembered = new WeakMap<object, string>();

/** As `hashJson('part', value)`, remembered for this very object. The object must never change. */
export function hashOf(value: Json | object): string {
  if (typeof value !== 'object' || value === null) return hashJson('part', value);
  const cached = remembered.get(value);
  if (cached !== undefined) return cached;
  const hash = hashJson('part', value);
  remembered.set(value, hash);
  return hash;
}

/** The hash of a record made from the remembered hashes of its values: costs what changed, not what it holds. */
export function hashOfParts(record: Readonly<Record<string, Json | object>>): string {
  const cached = remembered.get(record);
  if (cached !== undefined) return cached;
  const hashes: Record<string, string> = {};
  for (const key of Object.keys(record)) hashes[key] = hashOf(record[key] as object);
  const hash = hashJson('parts', hashes);
  remembered.set(record, hash);
  return hash;
}
