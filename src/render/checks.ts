/**
 * Readers for the values of a tileset's manifest, which is untrusted JSON: each takes a position in the
 * document, always returns a usable value, and reports an error if the document is wrong, so that all
 * mistakes are found at once. `json-place.ts` turns an error's path into a line and a column.
 */
import { counted } from '../base/counted.js';
import { nearest } from '../base/nearest.js';
export type ManifestPath = readonly (string | number)[];

export interface Complaint {
  readonly path: ManifestPath;
  readonly message: string;
  readonly suggestion?: string;
}

/** A value of the document, its position, and where to report errors in it. */
export interface CheckedValue {
  readonly value: unknown;
  readonly path: ManifestPath;
  readonly complaints: Complaint[];
}

export function complain(place: CheckedValue, message: string, suggestion?: string): void {
  const { path } = place;
  place.complaints.push(suggestion === undefined ? { path, message } : { path, message, suggestion });
}

/** The member of a record or list; its value is undefined if there is none. */
export function child(place: CheckedValue, key: string | number): CheckedValue {
  const { value } = place;
  const has = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  const inner: unknown = has ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
  return { value: inner, path: [...place.path, key], complaints: place.complaints };
}

export function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isAbsent(place: CheckedValue): boolean {
  return place.value === undefined || place.value === null;
}

/** The members of a record in the document's order; none if it is not a record. */
export function members(place: CheckedValue): readonly (readonly [string, CheckedValue])[] {
  const { value } = place;
  if (!isRecord(value)) {
    complain(place, `${label(place)} must be a mapping { … }`);
    return [];
  }
  return Object.keys(value).map((key) => [key, child(place, key)] as const);
}

/** Reports unknown members, with the nearest known name. */
export function refuseUnknown(place: CheckedValue, known: readonly string[]): void {
  for (const [key, member] of members(place)) {
    if (known.includes(key)) continue;
    const near = nearest(key, known);
    complain(
      member,
      `"${key}" is an unknown key`,
      near === undefined ? `known: ${known.join(', ')}` : `did you mean "${near}"?`,
    );
  }
}

export function items(place: CheckedValue, max: number): readonly CheckedValue[] {
  if (!Array.isArray(place.value) || place.value.length > max) {
    complain(place, `${label(place)} must be a list of at most ${max}`);
    return [];
  }
  return place.value.map((_, index) => child(place, index));
}

export function integer(place: CheckedValue, range: { min: number; max: number; otherwise: number }): number {
  const { value } = place;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= range.min && value <= range.max)
    return value;
  complain(place, `${label(place)} must be a whole number from ${range.min} to ${range.max}`);
  return range.otherwise;
}

/** Text of 1 to `max` characters. */
export function words(place: CheckedValue, max: number): string {
  const { value } = place;
  if (typeof value === 'string' && value.length > 0 && value.length <= max) return value;
  complain(place, `${label(place)} must be text of 1 to ${counted(max, 'character')}`);
  return '';
}

/** A list of exactly `count` integers in 0 … 255. */
export function bytes(place: CheckedValue, count: number): readonly number[] {
  const list = items(place, count);
  if (list.length !== count && Array.isArray(place.value))
    complain(place, `${label(place)} must have ${counted(count, 'number')}`);
  const range = { min: 0, max: 255, otherwise: 0 };
  return Array.from({ length: count }, (_, i) => {
    const item = list[i];
    return item === undefined ? 0 : integer(item, range);
  });
}

export function label(place: CheckedValue): string {
  return place.path.length === 0 ? 'the manifest' : place.path.join(' › ');
}
