/**
 * All differences between two JSON values, up to a maximum number, for people who compare; `compare.ts` stops
 * at the first. Entries of a list with ids are matched by id, so that an inserted entry is one difference.
 */
import { isObject } from '../../base/json.js';
import { lookUp } from '../../base/look-up.js';
import type { JsonPath, ValueDifference } from '../compare.js';

export interface Differences {
  found: readonly ValueDifference[];
  /** Whether there are more than the maximum. */
  hasMore: boolean;
}

/**
 * Depth first, in the order of the first value's keys; at most `max`. `logged` is the first value's, `made`
 * the second's.
 */
export function differences(a: unknown, b: unknown, max: number): Differences {
  const found: ValueDifference[] = [];
  for (const one of allDifferences(a, b, [])) {
    if (found.length === max) return { found, hasMore: true };
    found.push(one);
  }
  return { found, hasMore: false };
}

function* allDifferences(a: unknown, b: unknown, path: JsonPath): Generator<ValueDifference> {
  if (a === b) return;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) {
    if (!Object.is(a, b)) yield { path, logged: a, made: b };
    return;
  }
  const pairs =
    Array.isArray(a) && Array.isArray(b)
      ? entryPairs(a, b)
      : fieldPairs(a as DiffedFields, b as DiffedFields);
  for (const [key, one, other] of pairs) yield* allDifferences(one, other, [...path, key]);
}

type DiffedFields = Readonly<Record<string, unknown>>;
type ValuePair = readonly [key: string | number, a: unknown, b: unknown];

function* fieldPairs(a: DiffedFields, b: DiffedFields): Generator<ValuePair> {
  for (const key of Object.keys(a)) yield [key, lookUp(a, key), lookUp(b, key)];
  for (const key of Object.keys(b)) if (!Object.hasOwn(a, key)) yield [key, undefined, lookUp(b, key)];
}

/**
 * By position, or by id if all entries have one. The index is from the first list if possible, otherwise from
 * the second.
 */
function* entryPairs(a: readonly unknown[], b: readonly unknown[]): Generator<ValuePair> {
  const [indicesOfA, indicesOfB] = [byId(a), byId(b)];
  if (indicesOfA === null || indicesOfB === null) {
    for (let i = 0; i < Math.max(a.length, b.length); i++) yield [i, a[i], b[i]];
    return;
  }
  for (const [id, i] of indicesOfA) yield [i, a[i], valueOf(b, indicesOfB.get(id))];
  for (const [id, i] of indicesOfB) if (!indicesOfA.has(id)) yield [i, undefined, b[i]];
}

function valueOf(list: readonly unknown[], index: number | undefined): unknown {
  return index === undefined ? undefined : list[index];
}

/** Index by id; null if an entry has none, or two have the same. */
function byId(list: readonly unknown[]): ReadonlyMap<string, number> | null {
  const ids = new Map<string, number>();
  for (const [i, one] of list.entries()) {
    const id = isObject(one) ? (one as DiffedFields)['id'] : undefined;
    if (typeof id !== 'string' || ids.has(id)) return null;
    ids.set(id, i);
  }
  return ids;
}
