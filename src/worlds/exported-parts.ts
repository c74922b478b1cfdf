/**
 * The shape of the exports of a user's own module, checked when it is loaded, because otherwise a typing
 * mistake in plain JavaScript would surface only in the middle of a run. In: an exported value and its
 * requirements; out: the value, typed, or a UsageError that names file and position.
 */
import { UsageError } from '../base/errors.js';
import { lookUp } from '../base/look-up.js';

/** The requirements for an export. */
export interface RequestedExport {
  readonly path: string;
  readonly name: string;
  /** What each entry must have; nothing: each must be a function. */
  readonly needs: readonly string[];
}

/** A list whose members have what is needed. `isMade` says which need nothing more. Throws UsageError. */
export function listed<T>(
  value: unknown,
  wanted: RequestedExport,
  isMade: (one: unknown) => boolean = () => false,
): readonly T[] {
  if (value === undefined) return [];
  if (!Array.isArray(value))
    throw new UsageError(`${wanted.path}: \`${wanted.name}\` is not a list`, [
      `export const ${wanted.name} = [ … ]`,
    ]);
  for (const [i, one] of value.entries()) {
    if (!isMade(one)) requireParts(one, `${wanted.name}[${i}]`, wanted);
  }
  return value as readonly T[];
}

/** A record whose values have what is needed. Throws UsageError. */
export function partsOf<T>(value: unknown, wanted: RequestedExport): Readonly<Record<string, T>> {
  if (value === undefined) return {};
  if (!isObject(value) || Array.isArray(value))
    throw new UsageError(`${wanted.path}: \`${wanted.name}\` is not a record`, [
      `export const ${wanted.name} = { … }`,
    ]);
  for (const [key, one] of Object.entries(value)) requireParts(one, `${wanted.name}.${key}`, wanted);
  return value as Readonly<Record<string, T>>;
}

/** Throws UsageError that names the position where something is missing. */
export function requireParts(value: unknown, place: string, { path, needs }: RequestedExport): void {
  if (needs.length === 0 && typeof value !== 'function')
    throw new UsageError(`${path}: ${place} is not a function`);
  const missing = needs.filter((need) => !isObject(value) || lookUp(value, need) === undefined);
  if (missing.length > 0) throw new UsageError(`${path}: ${place} lacks ${missing.join(', ')}`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
