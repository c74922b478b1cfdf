/** Reads properties of JSON values of unknown shape, such as the output of effect handlers. */
import { lookUp } from '../../base/look-up.js';
import type { Json } from '../../base/json.js';

/** The value of a key; undefined if the key does not exist, or the value is not a record. */
export function childOf(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key) ? lookUp(value as { readonly [key: string]: Json }, key) : undefined;
}

/** The texts in a list; none if it is not a list. */
export function textsIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** A whole number; 0 for anything else. */
export function countIn(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}
