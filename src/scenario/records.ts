/**
 * Mappings of a scenario file: a check for them, their entries in an order that does not depend on the
 * spelling of the file, and access to one of their children.
 */
import { isRecord } from '../base/json.js';
import { compareText } from '../base/ids.js';

/** Entries sorted by key, because the order of keys in a mapping has no meaning. */
export function entriesById<T>(record: Readonly<Record<string, T>>): readonly (readonly [string, T])[] {
  return Object.entries(record).toSorted(([a], [b]) => compareText(a, b));
}

/** The value under a key or at an index; undefined if there is none. */
export function childOf(value: unknown, step: string | number): unknown {
  if (Array.isArray(value)) return typeof step === 'number' ? value[step] : undefined;
  return isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
