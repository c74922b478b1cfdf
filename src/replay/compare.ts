/**
 * Compares two JSON values: the first position where they differ, and both values there. Reported values are
 * of limited length; for two long texts, the part around the first different character is shown.
 */
import { isObject } from '../base/json.js';
import { lookUp } from '../base/look-up.js';
import { LIMITS } from '../base/limits.js';

/** A path in a value: keys and indices. */
export type JsonPath = readonly (string | number)[];

export interface ValueDifference {
  path: JsonPath;
  logged: unknown;
  made: unknown;
}

/** The first difference, depth first, in the logged value's order of keys; null if both are equal JSON. */
export function valueDifference(logged: unknown, made: unknown): ValueDifference | null {
  const path: (string | number)[] = [];
  const difference = firstDifference(logged, made, path);
  return difference === null ? null : { ...difference, path: path.toReversed() };
}

/** The path is collected on the way back, so that equal parts need no list. */
function firstDifference(
  logged: unknown,
  made: unknown,
  path: (string | number)[],
): Omit<ValueDifference, 'path'> | null {
  if (logged === made) return null;
  if (!isObject(logged) || !isObject(made) || Array.isArray(logged) !== Array.isArray(made))
    return Object.is(logged, made) ? null : { logged, made };
  return Array.isArray(logged) && Array.isArray(made)
    ? walkLists(logged, made, path)
    : walkRecords(logged as ComparedFields, made as ComparedFields, path);
}

type ComparedFields = Readonly<Record<string, unknown>>;

function walkLists(logged: readonly unknown[], made: readonly unknown[], path: (string | number)[]) {
  for (let i = 0; i < Math.max(logged.length, made.length); i++) {
    const difference = firstDifference(logged[i], made[i], path);
    if (difference === null) continue;
    path.push(i);
    return difference;
  }
  return null;
}

/** An absent field and `undefined` are equal. */
function walkRecords(logged: ComparedFields, made: ComparedFields, path: (string | number)[]) {
  for (const key of Object.keys(logged)) {
    const difference = firstDifference(lookUp(logged, key), lookUp(made, key), path);
    if (difference === null) continue;
    path.push(key);
    return difference;
  }
  for (const key of Object.keys(made)) {
    if (lookUp(made, key) === undefined || Object.hasOwn(logged, key)) continue;
    path.push(key);
    return { logged: undefined, made: lookUp(made, key) };
  }
  return null;
}

/** As a JSON pointer (RFC 6901): `/acts/0/intent/action`; '' is the whole value. */
export function pointer(path: JsonPath): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Both values as short JSON texts; `null` if there is none. */
export function shownValues(logged: unknown, made: unknown): { logged: string | null; made: string | null } {
  const [loggedText, madeText] = [jsonOf(logged), jsonOf(made)];
  const from = Math.max(0, firstMismatch(loggedText ?? '', madeText ?? '') - LIMITS.differenceCharacters / 2);
  return { logged: windowed(loggedText, from), made: windowed(madeText, from) };
}

function jsonOf(value: unknown): string | null {
  return value === undefined ? null : (JSON.stringify(value)?.toWellFormed() ?? null);
}

function firstMismatch(one: string, other: string): number {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at++;
  return at;
}

/** Short texts are complete; in others, omissions are marked. */
function windowed(text: string | null, from: number): string | null {
  const maxCharacters = LIMITS.differenceCharacters;
  if (text === null || text.length <= maxCharacters) return text;
  const cut = text.slice(from, from + maxCharacters).toWellFormed();
  return `${from > 0 ? '…' : ''}${cut}${from + maxCharacters < text.length ? '…' : ''}`;
}
