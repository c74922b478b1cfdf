/**
 * Checking continues after a mistake: values that zod refused are reported and removed, and the rest is
 * checked again, so that one wrong word does not hide mistakes in the map. Removed values are remembered, so
 * that their absence is not reported again.
 */
import { isRecord } from '../base/json.js';
import type { z } from 'zod';
import { LIMITS } from '../base/limits.js';
import { pathOf, tellIssues } from './issues.js';
import { childOf } from './records.js';
import type { MistakePlace, ScenarioFindings, MistakeReport } from './report.js';
import { pathAt } from './report.js';
import type { YamlPath } from './tree.js';

/** The maximum number of rounds of removals; each removes at least one value of the deepest invalid level. */
const ROUNDS = 8;

interface RecoveredInput<T> {
  /** Null if what is left is not a scenario. */
  readonly value: T | null;
  readonly removed: readonly YamlPath[];
}

/** Replaces a missing or wrong title, so that the rest can be checked. */
const STAND_IN = { title: 'untitled' };

/** `wrong` are paths of values with reported mistakes: they are removed first. */
export function parseHealed<T>(
  schema: z.ZodType<T>,
  given: unknown,
  { report, wrong }: { readonly report: MistakeReport; readonly wrong: readonly YamlPath[] },
): RecoveredInput<T> {
  const removed: YamlPath[] = [];
  let value = wrong.reduce((rest, path) => without(rest, removable(rest, path), removed), given);
  for (let round = 0; round < ROUNDS; round++) {
    const parsed = schema.safeParse(value);
    if (parsed.success) return { value: parsed.data, removed };
    if (round === 0) tellIssues(report, schema, value, parsed.error.issues);
    const paths = parsed.error.issues.flatMap((issue): YamlPath[] => {
      const path = pathOf(issue);
      return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path];
    });
    if (paths.length > LIMITS.diagnosticsPrinted) break;
    const changed = paths.reduce((rest, path) => without(rest, removable(rest, path), removed), value);
    const filled =
      isRecord(changed) && changed['title'] === undefined ? { ...changed, ...STAND_IN } : changed;
    if (filled === value) break;
    value = filled;
  }
  return { value: null, removed };
}

/** The nearest thing at or above a path that can be removed: an existing key, never an entry of a list. */
function removable(value: unknown, path: YamlPath): YamlPath {
  for (let length = path.length; length > 0; length--) {
    const holder = path.slice(0, length - 1).reduce<unknown>(childOf, value);
    const isKey = isRecord(holder) && childOf(holder, path[length - 1] ?? '') !== undefined;
    if (isKey) return path.slice(0, length);
  }
  return [];
}

function without(value: unknown, path: YamlPath, removed: YamlPath[]): unknown {
  if (path.length === 0) return value;
  removed.push(path);
  return cut(value, path);
}

function cut(value: unknown, [step, ...rest]: YamlPath): unknown {
  if (Array.isArray(value)) return value.map((each: unknown, i) => (i === step ? cut(each, rest) : each));
  if (step === undefined || !isRecord(value)) return value;
  const { [step]: child, ...others } = value;
  return rest.length === 0 ? others : { ...others, [step]: cut(child, rest) };
}

/** Reports only mistakes that do not follow from a removed value. */
export function quietAbout(findings: ScenarioFindings, removed: readonly YamlPath[]): MistakeReport {
  const follows = (at: MistakePlace): boolean => {
    const path = pathAt(at) ?? [];
    return removed.some(
      (gone) => path.length < gone.length && path.length > 0 && path.every((step, i) => step === gone[i]),
    );
  };
  return {
    ...findings,
    error: (at, message, suggestion) => {
      if (!follows(at)) findings.error(at, message, suggestion);
    },
    warning: (at, message, suggestion) => {
      if (!follows(at)) findings.warning(at, message, suggestion);
    },
  };
}
