/**
 * Converts the requirements for an answer, as written, into an `AnswerCheck`: all keys must be satisfied.
 * Mistakes are reported at their position.
 */
import { LIMITS } from '../../../base/limits.js';
import { UNKNOWN } from '../actions/final-answer.js';
import type { AnswerCheck } from '../answer.js';
import { rationalOf } from '../rational.js';
import { wordsOf } from '../words.js';
import type { MistakeReport } from '../../../scenario/report.js';
import { suggest } from '../../../scenario/suggest.js';
import type { YamlPath } from '../../../scenario/tree.js';
import type { CheckInput } from './schema-toolbox.js';

export interface CheckReading {
  report: MistakeReport;
  /** The verbs that may be named; null: not known, so not checked. */
  verbs: readonly string[] | null;
}

/**
 * The check for the written requirements; a requirement with a mistake is reported and left out if necessary.
 */
export function readCheck(reading: CheckReading, input: CheckInput, path: YamlPath, depth = 1): AnswerCheck {
  const { report } = reading;
  if (depth > LIMITS.conditionDepth) {
    report.error({ key: path }, `checks are nested more than ${LIMITS.conditionDepth} deep`);
    return { kind: 'all', of: [] };
  }
  const of = [
    ...textChecks(reading, input, path),
    ...numberCheck(reading, input, path),
    ...admissionChecks(reading, input, path),
    ...toolChecks(reading, input, path),
    ...groupChecks(reading, input, path, depth),
  ];
  if (Object.values(input).every((value) => value === undefined))
    report.error(
      path,
      'the answer has no requirement',
      "write 'contains', 'equals', 'number' or 'admits: true'",
    );
  const [only] = of;
  return only !== undefined && of.length === 1 ? only : { kind: 'all', of };
}

function textChecks({ report }: CheckReading, input: CheckInput, path: YamlPath): readonly AnswerCheck[] {
  const equals = input.equals === undefined ? [] : [['equals', input.equals, [...path, 'equals']] as const];
  const listed = typeof input.contains === 'string' ? [input.contains] : (input.contains ?? []);
  const contains = listed.map((text, i) => {
    const at = typeof input.contains === 'string' ? [...path, 'contains'] : [...path, 'contains', i];
    return ['contains', text, at] as const;
  });
  return [...equals, ...contains].map(([kind, text, at]) => {
    if (wordsOf(text).length === 0) report.error(at, `'${text.slice(0, 40)}' contains no words`);
    return { kind, text };
  });
}

/** An answer admits ignorance in the form that the help explains, or in words that the scenario accepts. */
function admissionChecks(
  { report }: CheckReading,
  { admits }: CheckInput,
  path: YamlPath,
): readonly AnswerCheck[] {
  if (admits === undefined) return [];
  if (admits === true) return [{ kind: 'begins', text: UNKNOWN }];
  const of = admits.map((text, i): AnswerCheck => {
    if (wordsOf(text).length === 0)
      report.error([...path, 'admits', i], `'${text.slice(0, 40)}' contains no words`);
    return { kind: 'contains', text };
  });
  return [{ kind: 'any', of }];
}

function numberCheck({ report }: CheckReading, input: CheckInput, path: YamlPath): readonly AnswerCheck[] {
  if (input.number === undefined) return [];
  const value = String(input.number);
  if (rationalOf(value) === null)
    report.error(
      [...path, 'number'],
      `'${value.slice(0, 40)}' is not a decimal number`,
      'write a number such as 42 or -0.5',
    );
  return [{ kind: 'number', value }];
}

function toolChecks(
  { report, verbs }: CheckReading,
  input: CheckInput,
  path: YamlPath,
): readonly AnswerCheck[] {
  return (['used', 'refused'] as const).flatMap((kind) => {
    const tool = input[kind]?.toUpperCase();
    if (tool === undefined) return [];
    if (verbs !== null && !verbs.includes(tool))
      report.error([...path, kind], `there is no tool called '${tool.slice(0, 40)}'`, suggest(tool, verbs));
    return [{ kind, tool }];
  });
}

function groupChecks(
  reading: CheckReading,
  input: CheckInput,
  path: YamlPath,
  depth: number,
): readonly AnswerCheck[] {
  const anyChecks = input.any?.map((one, i) => readCheck(reading, one, [...path, 'any', i], depth + 1));
  const notCheck =
    input.not === undefined ? undefined : readCheck(reading, input.not, [...path, 'not'], depth + 1);
  return [
    ...(anyChecks === undefined ? [] : [{ kind: 'any', of: anyChecks } as const]),
    ...(notCheck === undefined ? [] : [{ kind: 'not', of: notCheck } as const]),
  ];
}
