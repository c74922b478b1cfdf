/**
 * Canonical JSON (RFC 8785, whole numbers only) and SHA-256 over it. Whatever JSON would silently change
 * (fractions, -0, NaN, class instances, lone surrogates) is refused by an assertion. Hashes of objects are
 * cached by identity: state is never changed in place, so a part that a step did not touch is not hashed again.
 */
import { hash as digestOf } from 'node:crypto';
import { AssertionError, assert } from './assert.js';
import type { Json } from './json.js';

/** Deeper than any of our own values; an untrusted value is refused before the stack overflows. */
const DEPTH_MAX = 100;

/**
 * Canonical JSON (RFC 8785, whole numbers only): keys sorted by UTF-16 unit, no white space, undefined
 * omitted. Throws AssertionError for values that JSON would change: fractions, -0, NaN, class instances, lone
 * surrogates, more than 100 levels.
 */
export function canonicalJson(value: unknown): string {
  return jsonOf(value, 0);
}

function jsonOf(value: unknown, depth: number): string {
  if (typeof value === 'string') return stringJson(value);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value) || Object.is(value, -0))
      throw new AssertionError(`not a safe integer: ${value}`);
    return String(value);
  }
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object') throw new AssertionError(`not JSON: ${typeof value}`);
  assert(depth < DEPTH_MAX, 'the JSON is nested too deeply');
  // Unlike `map`, this does not skip holes, which are no JSON.
  if (Array.isArray(value)) return `[${Array.from(value, (item) => jsonOf(item, depth + 1)).join(',')}]`;
  const prototype: unknown = Object.getPrototypeOf(value);
  assert(prototype === Object.prototype || prototype === null, 'the state contains a class instance');
  return recordJson(value as Readonly<Record<string, unknown>>, (item) => jsonOf(item, depth + 1));
}

function stringJson(text: string): string {
  // JSON.stringify would hide a lone surrogate by escaping it.
  assert(text.isWellFormed(), 'the text has a lone surrogate');
  return JSON.stringify(text);
}

/** An absent field and an undefined one are the same record. */
function recordJson<T>(record: Readonly<Record<string, T>>, textOf: (value: T) => string): string {
  let members = '';
  for (const key of Object.keys(record).sort()) {
    const value = record[key];
    if (value === undefined) continue;
    members += `${members === '' ? '' : ','}${stringJson(key)}:${textOf(value)}`;
  }
  return `{${members}}`;
}

/** The UTF-8 bytes of `canonicalJson(value)`, and their SHA-256. Throws like `canonicalJson`. */
export function canonicalBytes(value: unknown): { hash: string; bytes: Uint8Array } {
  const bytes = Buffer.from(canonicalJson(value));
  return { hash: sha256(bytes), bytes };
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
  return sha256(`${domain}\n${canonicalJson(value)}`);
}

const cachedHashes = new WeakMap<object, string>();

function cachedHash(value: object, compute: () => string): string {
  const hash = cachedHashes.get(value) ?? compute();
  cachedHashes.set(value, hash);
  return hash;
}

/** Like `hashJson('part', value)`, but cached for this object. The object must never change. */
export function hashOf(value: Json | object): string {
  if (typeof value !== 'object' || value === null) return hashJson('part', value);
  return cachedHash(value, () => hashJson('part', value));
}

/**
 * The hash of a record made from the cached hashes of its values: the cost depends on what changed, not on
 * the size of the record.
 */
export function hashOfParts(record: Readonly<Record<string, Json | object>>): string {
  return cachedHash(record, () => sha256(`parts\n${recordJson(record, (value) => `"${hashOf(value)}"`)}`));
}

/**
 * Hashes tables with an immutable value for each of many agents: as `hashJson(domain, …)` would hash the record
 * of `part` for each of their values, which is made once for each.
 */
export class TableHash<T extends object> {
  readonly #domain: string;
  readonly #part: (value: T) => Json;
  readonly #texts = new WeakMap<T, string>();
  #last: { table: object; hash: string } | null = null;

  constructor(domain: string, part: (value: T) => Json) {
    this.#domain = domain;
    this.#part = part;
  }

  of(table: Readonly<Record<string, T>>): string {
    if (this.#last?.table !== table) {
      const hash = sha256(`${this.#domain}\n${recordJson(table, (value) => this.#textOf(value))}`);
      this.#last = { table, hash };
    }
    return this.#last.hash;
  }

  #textOf(value: T): string {
    const text = this.#texts.get(value) ?? canonicalJson(this.#part(value));
    this.#texts.set(value, text);
    return text;
  }
}
