/**
 * Checks the exports of a user's module when it is loaded, because otherwise a mistake in plain JavaScript
 * would surface only in the middle of a run.
 */
import { UsageError } from '../base/errors.js';
import { isRecord } from '../base/json.js';
import { lookUp } from '../base/look-up.js';

/** The requirements for an export. */
export interface RequestedExport {
  path: string;
  name: string;
  /** The properties that each entry must have; if empty, each entry must be a function. */
  needs: readonly string[];
}

/**
 * A list whose entries have the required properties; entries for which `isComplete` is true are not checked.
 * Throws UsageError.
 */
export function requireList<T>(
  value: unknown,
  requested: RequestedExport,
  isComplete: (one: unknown) => boolean = () => false,
): readonly T[] {
  if (value === undefined) return [];
  if (!Array.isArray(value))
    throw new UsageError(`${requested.path}: \`${requested.name}\` is not a list`, [
      `write: export const ${requested.name} = [ … ]`,
    ]);
  for (const [i, entry] of value.entries()) {
    if (!isComplete(entry)) requireParts(entry, `${requested.name}[${i}]`, requested);
  }
  return value as readonly T[];
}

/** A record whose values have the required properties. Throws UsageError. */
export function requireRecord<T>(value: unknown, requested: RequestedExport): Readonly<Record<string, T>> {
  if (value === undefined) return {};
  if (!isRecord(value))
    throw new UsageError(`${requested.path}: \`${requested.name}\` is not a record`, [
      `write: export const ${requested.name} = { … }`,
    ]);
  for (const [key, entry] of Object.entries(value))
    requireParts(entry, `${requested.name}.${key}`, requested);
  return value as Readonly<Record<string, T>>;
}

/** Throws UsageError that names the position where something is missing. */
export function requireParts(value: unknown, position: string, { path, needs }: RequestedExport): void {
  if (needs.length === 0 && typeof value !== 'function')
    throw new UsageError(`${path}: ${position} is not a function`);
  const missing = needs.filter((need) => !isRecord(value) || lookUp(value, need) === undefined);
  if (missing.length > 0) throw new UsageError(`${path}: ${position} lacks ${missing.join(', ')}`);
}
