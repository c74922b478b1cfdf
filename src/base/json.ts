/**
 * The JSON types of state, logs and contracts. State contains only safe integers, strings, booleans, null,
 * arrays and string-keyed records; `canonical.ts` refuses everything else.
 */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** A JSON object that is not changed in place. */
export type JsonObject = { readonly [key: string]: Json };

/** Whether a value is a record and not a list. */
export function isRecord<T = unknown>(value: unknown): value is Readonly<Record<string, T>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The texts of a list; none if it is no list. */
export function textsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

/** The records of a list; none if it is no list. */
export function recordsIn(list: Json | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter((one: Json) => isRecord<Json>(one)) : [];
}

/** Whether a value is a record or a list. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The value of a JSON text; undefined for any other text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
