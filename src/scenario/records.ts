/**
 * Mappings of a scenario file: whether a value is one, its entries in an order that does not depend on how they were written, and one of its
 * children.
 */
import { compareText } from '../base/ids.js';

export function isRecord<T = unknown>(value: unknown): value is Readonly<Record<string, T>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Entries by key: the order of keys in a mapping means nothing. */
export function entriesById<T>(record: Readonly<Record<string, T>>): readonly (readonly [string, T])[] {
  return Object.entries(record).toSorted(([a], [b]) => compareText(a, b));
}

/** What a value holds under a key or at an index; undefined if it holds nothing there. */
export function childOf(value: unknown, step: string | number): unknown {
  if (Array.isArray(value)) return typeof step === 'number' ? value[step] : undefined;
  return isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
