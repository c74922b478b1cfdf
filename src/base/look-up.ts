/**
 * Safe look-up of a name in a record. Every JavaScript object inherits properties such as `constructor` and
 * `toString`, so a name from a scenario, a reply, a log or a command line is looked up with this function.
 */

/** The record's own value under this name; undefined if it has none, or there is no record. */
export function lookUp<T>(
  record: Readonly<Record<string, T>> | undefined | null,
  name: string,
): T | undefined {
  return record != null && Object.hasOwn(record, name) ? record[name] : undefined;
}
