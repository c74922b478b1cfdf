/**
 * Where two JSON values differ: every smallest position, with both values. Lists of different length differ
 * as a whole.
 */
import { isRecord, type Json } from './json.js';

export interface JsonDifference {
  /** The keys and indices that lead to it. */
  path: readonly (string | number)[];
  /** Undefined: there is no such key. */
  before: Json | undefined;
  after: Json | undefined;
}

/** The first value's keys in their order, followed by the keys that only the second value has. */
export function differences(
  before: Json | undefined,
  after: Json | undefined,
  path: JsonDifference['path'] = [],
): readonly JsonDifference[] {
  if (before === after) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((one: Json, i) => differences(one, after[i] as Json, [...path, i]));
  if (isRecord(before) && isRecord(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => differences(before[key], after[key], [...path, key]));
  }
  return [{ path, before, after }];
}
