/** JSON in a served world's messages, read as what a stranger sent. */
import { UsageError } from '../../base/errors.js';
import { isRecord } from '../../base/json.js';
import type { Json, JsonObject } from '../../base/json.js';

/** Throws UsageError, with the field's name, if it is no JSON of the expected kind. */
export function receivedJson<T>(field: string, text: string, isExpected: (value: unknown) => value is T): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (isExpected(value)) return value;
  throw new UsageError(`the served world sent a ${field} that can't be read`);
}

export function receivedObject(field: string, text: string): JsonObject {
  return receivedJson(field, text, (value) => isRecord<Json>(value));
}
