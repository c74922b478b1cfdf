/**
 * Checking continues after a mistake: values that zod refuses are reported and removed, and the rest is
 * checked again, so that one mistake does not hide the others. The removed paths are returned, so that later
 * checks do not report the removed values as missing.
 */
import { isRecord } from '../base/json.js';
import type { z } from 'zod';
import { LIMITS } from '../base/limits.js';
import { pathOf, reportIssues } from './issues.js';
import { childOf } from './records.js';
import type { MistakePlace, ScenarioFindings, MistakeReport } from './report.js';
import { pathAt } from './report.js';
import type { YamlPath } from './tree.js';
import { PARSE_ONCE } from './parse-once.js';

/** The maximum number of rounds of removals; each removes at least one value of the deepest invalid level. */
const ROUNDS = 8;

interface RecoveredInput<T> {
  /** Null if the remaining values do not form a valid input. */
  value: T | null;
  removed: readonly YamlPath[];
}

/** Values that replace a missing or removed required key, so that the rest can be checked. */
const PLACEHOLDERS = { title: 'untitled' };

/**
 * Parses the input by the schema, without its invalid values. `failedPaths` are the paths of values whose
 * mistakes are already reported: they are removed first.
 */
export function parseRemovingMistakes<T>(
  schema: z.ZodType<T>,
  input: unknown,
  { report, failedPaths }: { report: MistakeReport; failedPaths: readonly YamlPath[] },
): RecoveredInput<T> {
  const removed: YamlPath[] = [];
  let value = failedPaths.reduce(
    (current, path) => removeValue(current, removable(current, path), removed),
    input,
  );
  for (let round = 0; round < ROUNDS; round++) {
    const parsed = schema.safeParse(value, PARSE_ONCE);
    if (parsed.success) return { value: parsed.data, removed };
    if (round === 0) reportIssues(report, schema, value, parsed.error.issues);
    const paths = parsed.error.issues.flatMap((issue): YamlPath[] => {
      const path = pathOf(issue);
      return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path];
    });
    if (paths.length > LIMITS.diagnosticsPrinted) break;
    const changed = paths.reduce(
      (current, path) => removeValue(current, removable(current, path), removed),
      value,
    );
    const completed =
      isRecord(changed) && changed['title'] === undefined ? { ...changed, ...PLACEHOLDERS } : changed;
    if (completed === value) break;
    value = completed;
  }
  return { value: null, removed };
}

/** The path of the nearest value at or above a path that can be removed: a key, never an entry of a list. */
function removable(value: unknown, path: YamlPath): YamlPath {
  for (let length = path.length; length > 0; length--) {
    const parent = path.slice(0, length - 1).reduce<unknown>(childOf, value);
    const isKey = isRecord(parent) && childOf(parent, path[length - 1] ?? '') !== undefined;
    if (isKey) return path.slice(0, length);
  }
  return [];
}

function removeValue(value: unknown, path: YamlPath, removed: YamlPath[]): unknown {
  if (path.length === 0) return value;
  removed.push(path);
  return withoutPath(value, path);
}

function withoutPath(value: unknown, [step, ...rest]: YamlPath): unknown {
  if (Array.isArray(value))
    return value.map((each: unknown, i) => (i === step ? withoutPath(each, rest) : each));
  if (step === undefined || !isRecord(value)) return value;
  const { [step]: child, ...others } = value;
  return rest.length === 0 ? others : { ...others, [step]: withoutPath(child, rest) };
}

/** A report that drops mistakes which only follow from a removed value. */
export function withoutFollowUps(findings: ScenarioFindings, removed: readonly YamlPath[]): MistakeReport {
  const isFollowUp = (at: MistakePlace): boolean => {
    const path = pathAt(at) ?? [];
    return removed.some(
      (removedPath) =>
        path.length < removedPath.length &&
        path.length > 0 &&
        path.every((step, i) => step === removedPath[i]),
    );
  };
  return {
    ...findings,
    error: (at, message, suggestion) => {
      if (!isFollowUp(at)) findings.error(at, message, suggestion);
    },
    warning: (at, message, suggestion) => {
      if (!isFollowUp(at)) findings.warning(at, message, suggestion);
    },
  };
}
