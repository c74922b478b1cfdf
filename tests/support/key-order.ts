/**
 * The same JSON with the keys of every map in another order. A copy through JSON alone keeps that order, so that nothing which depends on it would
 * be found out.
 */
import type { Json } from '../../src/base/json.js';
import type { Below } from '../promises/chance.js';
import { chance, shuffled } from '../promises/chance.js';

/** The lists under the keys named in `lists` are in another order as well. */
export function mixedKeys(value: Json, below: Below, lists: ReadonlySet<string> = new Set()): Json {
  if (Array.isArray(value)) return value.map((each: Json) => mixedKeys(each, below, lists));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => {
    const inner = mixedKeys(each, below, lists);
    return [key, lists.has(key) && Array.isArray(inner) ? shuffled(below, inner) : inner] as const;
  });
  return Object.fromEntries(shuffled(below, entries));
}

/** A copy through JSON, which remembers nothing about the value, with its keys in another order; the same copy each time. */
export function mixedCopy<T>(value: T): T {
  const text = JSON.stringify(value);
  return mixedKeys(JSON.parse(text) as Json, chance(text)) as T;
}
