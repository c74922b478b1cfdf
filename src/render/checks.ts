/**
 * Readers for the values of a tileset's manifest, which is untrusted JSON. Each takes a node of the document,
 * always returns a usable value, and records a mistake if the document is wrong, so that all mistakes are
 * found in one pass. `json-place.ts` turns the path of a mistake into a line and a column.
 */
import { isRecord } from '../base/json.js';
import { counted } from '../base/counted.js';
import { nearest } from '../base/nearest.js';
export type ManifestPath = readonly (string | number)[];

export interface ManifestFault {
  path: ManifestPath;
  message: string;
  suggestion?: string;
}

/** A node of the document: its value, its path, and the list to which mistakes are added. */
export interface CheckedValue {
  value: unknown;
  path: ManifestPath;
  complaints: ManifestFault[];
}

export function addMistake(node: CheckedValue, message: string, suggestion?: string): void {
  const { path } = node;
  node.complaints.push(suggestion === undefined ? { path, message } : { path, message, suggestion });
}

/** The member of a record or list; its value is undefined if there is none. */
export function child(node: CheckedValue, key: string | number): CheckedValue {
  const { value } = node;
  const isPresent = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  const inner: unknown = isPresent ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
  return { value: inner, path: [...node.path, key], complaints: node.complaints };
}

export function isAbsent(node: CheckedValue): boolean {
  return node.value === undefined || node.value === null;
}

/** The members of a record in the document's order; none if it is not a record. */
export function readMembers(node: CheckedValue): readonly (readonly [string, CheckedValue])[] {
  const { value } = node;
  if (!isRecord(value)) {
    addMistake(node, `${label(node)} must be a mapping { … }`);
    return [];
  }
  return Object.keys(value).map((key) => [key, child(node, key)] as const);
}

/** Reports unknown members, with the nearest known name. */
export function refuseUnknown(node: CheckedValue, known: readonly string[]): void {
  for (const [key, member] of readMembers(node)) {
    if (known.includes(key)) continue;
    const suggestion = nearest(key, known);
    addMistake(
      member,
      `"${key}" is an unknown key`,
      suggestion === undefined ? `known: ${known.join(', ')}` : `did you mean "${suggestion}"?`,
    );
  }
}

export function readItems(node: CheckedValue, max: number): readonly CheckedValue[] {
  if (!Array.isArray(node.value) || node.value.length > max) {
    addMistake(node, `${label(node)} must be a list of at most ${max}`);
    return [];
  }
  return node.value.map((_, index) => child(node, index));
}

export function readInteger(
  node: CheckedValue,
  range: { min: number; max: number; otherwise: number },
): number {
  const { value } = node;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= range.min && value <= range.max)
    return value;
  addMistake(node, `${label(node)} must be a whole number from ${range.min} to ${range.max}`);
  return range.otherwise;
}

/** Text of 1 to `max` characters. */
export function readText(node: CheckedValue, max: number): string {
  const { value } = node;
  if (typeof value === 'string' && value.length > 0 && value.length <= max) return value;
  addMistake(node, `${label(node)} must be text of 1 to ${counted(max, 'character')}`);
  return '';
}

/** A list of exactly `count` integers in 0 … 255. */
export function readBytes(node: CheckedValue, count: number): readonly number[] {
  const list = readItems(node, count);
  if (list.length !== count && Array.isArray(node.value))
    addMistake(node, `${label(node)} must have ${counted(count, 'number')}`);
  const range = { min: 0, max: 255, otherwise: 0 };
  return Array.from({ length: count }, (_, i) => {
    const item = list[i];
    return item === undefined ? 0 : readInteger(item, range);
  });
}

export function label(node: CheckedValue): string {
  return node.path.length === 0 ? 'the manifest' : node.path.join(' › ');
}
