/** Reads properties of JSON values of unknown shape, such as the output of effect handlers. */
import { lookUp } from '../../base/look-up.js';
import { isRecord } from '../../base/json.js';
import type { Json } from '../../base/json.js';

/** The value of a key; undefined if the key does not exist, or the value is not a record. */
export function childOf(value: Json | undefined, key: string): Json | undefined {
  return isRecord<Json>(value) ? lookUp(value, key) : undefined;
}

/** A whole number; 0 for anything else. */
export function countIn(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}
