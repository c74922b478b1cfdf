/**
 * Turns zod's issues into the program's own messages. An issue's path becomes a position in the file. For an
 * unknown key, the nearest known one is suggested; for a number in place of text, quotation marks. For a
 * union, only the mistakes of the form that was probably intended are reported.
 */
import { z } from 'zod';
import { counted } from '../base/counted.js';
import { lookUp } from '../base/look-up.js';
import { nearest } from '../base/nearest.js';
import { suggest, suggestKey } from './suggest.js';
import { childOf } from './records.js';
import type { MistakeReport } from './report.js';
import { isWholeNumber, knownKeys, schemasAt } from './schema-walk.js';
import type { YamlPath } from './tree.js';

type SchemaIssue = z.core.$ZodIssue;

/** Reports every issue of a failed parse. `schema` is the whole scenario's, `value` the parsed value. */
export function reportIssues(
  report: MistakeReport,
  schema: z.ZodType,
  value: unknown,
  issues: readonly SchemaIssue[],
): void {
  for (const issue of issues) reportIssue({ report, schema, value }, issue);
}

interface IssueContext {
  report: MistakeReport;
  schema: z.ZodType;
  value: unknown;
}

function reportIssue(context: IssueContext, issue: SchemaIssue): void {
  const path = pathOf(issue);
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(context.schema, path);
    const text = unquotedText(context, path);
    if (text !== undefined) {
      context.report.error(
        path,
        `expected text, found the key '${shorten(issue.keys[0] ?? '')}' and its value`,
        suggestQuotes(text),
      );
      return;
    }
    for (const key of issue.keys) reportUnknownKey(context, { path, key, known });
    return;
  }
  if (issue.code === 'invalid_union') {
    reportUnion(context, issue, path);
    return;
  }
  // Already reported, as an unknown key of the text above it.
  if (unquotedText(context, path.slice(0, -1)) !== undefined) return;
  const found = valueAt(context.value, path);
  if (issue.code === 'invalid_key' && path.length > 0) {
    context.report.error({ key: path }, invalidIdMessage(String(path.at(-1))), ID_RULE);
    return;
  }
  if (found === undefined) reportMissingKey(context, issue, path);
  else context.report.error(path, messageOf(issue, found, context), suggestionOf(issue, found, context));
}

const ID_RULE =
  'an id starts with a lower-case letter, followed by lower-case letters, digits, - and _; at most 32 characters';

function invalidIdMessage(text: string): string {
  return `'${text.slice(0, 40)}' is not a valid id`;
}

/**
 * The intended text, if one of the forms is text and the value is a single key that no form has: `- Remember
 * this: take it`.
 */
function unquotedText({ schema, value }: IssueContext, path: YamlPath): string | undefined {
  const text = textOfKey(valueAt(value, path));
  if (text === undefined || nearest(text.key, knownKeys(schema, path)) !== undefined) return undefined;
  const isText = schemasAt(schema, path).some(
    (form) => form instanceof z.ZodType && form.safeParse(text.text).success,
  );
  return isText ? text.text : undefined;
}

/** A single key with its value, as the text that was probably intended. */
function textOfKey(value: unknown): { key: string; text: string } | undefined {
  const entries =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  const [[key, content] = ['', {}]] = entries;
  if (entries.length !== 1 || typeof content === 'object') return undefined;
  return { key, text: `${key}: ${String(content)}` };
}

function suggestQuotes(text: string): string {
  return `put text with a colon in quotes: '${shorten(text).replaceAll("'", "''")}'`;
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

const SECRET = /(^|_)(api_?key|key|token|secret|password|passwd|authorization|bearer)s?$/i;

function reportUnknownKey(
  context: IssueContext,
  { path, key, known }: { path: YamlPath; key: string; known: readonly string[] },
): void {
  const at = { key: [...path, key] };
  const message = `unknown key '${key.slice(0, 60)}'${path.length === 0 ? '' : ` in ${pathText(context.value, path)}`}`;
  const isSecret = known.includes('api_key_env') && SECRET.test(key) && key !== 'api_key_env';
  if (isSecret)
    context.report.secret(at, message, 'write the name of the variable with the key: api_key_env: MY_KEY');
  else context.report.error(at, message, () => suggestKey(key, known, context.schema));
}

function reportMissingKey(context: IssueContext, issue: SchemaIssue, path: YamlPath): void {
  const name = String(path.at(-1));
  const expected = issue.code === 'invalid_type' ? ` (${expectedAt(context, issue.expected, path)})` : '';
  const parent = path.slice(0, -1);
  context.report.error(
    { key: parent, lacks: name },
    `'${name}' is missing${expected}${parent.length === 0 ? '' : ` in ${pathText(context.value, parent)}`}`,
  );
}

/** The intended form of a union is the one whose outermost type fits; only its mistakes are reported. */
function reportUnion(
  context: IssueContext,
  issue: Extract<SchemaIssue, { code: 'invalid_union' }>,
  path: YamlPath,
): void {
  const intended = issue.errors.find(
    (errors) =>
      errors.length > 0 && !errors.some((each) => each.path.length === 0 && each.code === 'invalid_type'),
  );
  const found = valueAt(context.value, path);
  if (intended === undefined) {
    const nouns = [
      ...new Set(
        issue.errors.flatMap((errors) =>
          errors.map((each) =>
            each.code === 'invalid_type' ? expectedAt(context, each.expected, path) : '',
          ),
        ),
      ),
    ];
    const expected = nouns.filter((form) => form !== '').join(' or ') || 'another value';
    context.report.error(
      path,
      found === undefined
        ? `'${String(path.at(-1))}' is missing (${expected})`
        : `expected ${expected}, found ${describeValue(found)}`,
      suggestionFor(expected, found),
    );
    return;
  }
  for (const issueOfForm of intended)
    reportIssue(context, { ...issueOfForm, path: [...issue.path, ...issueOfForm.path] });
}

function messageOf(issue: SchemaIssue, found: unknown, context: IssueContext): string {
  if (issue.code === 'invalid_type')
    return `expected ${expectedAt(context, issue.expected, pathOf(issue))}, found ${describeValue(found)}`;
  if (issue.code === 'invalid_value')
    return `${describeValue(found)} is not one of: ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_format' && issue.format === 'regex')
    // Schemas contain the messages of their patterns, except that of ids, which many of them share.
    return issue.message === 'id'
      ? invalidIdMessage(String(found))
      : `${describeValue(found)} ${issue.message}`;
  if (issue.code === 'too_big')
    return `${describeSize(issue.origin, found)}; the maximum is ${formatLimit(issue.maximum, issue.origin)}`;
  if (issue.code === 'too_small')
    return `${describeSize(issue.origin, found)}; the minimum is ${formatLimit(issue.minimum, issue.origin)}`;
  return issue.message;
}

function suggestionOf(issue: SchemaIssue, found: unknown, context: IssueContext): string | undefined {
  if (issue.code === 'invalid_type')
    return (
      suggestionFor(expectedAt(context, issue.expected, pathOf(issue)), found) ??
      suggestNeighbour(context, pathOf(issue), found)
    );
  if (issue.code === 'invalid_value') return suggestValue(issue.values.map(String), found);
  if (issue.code === 'invalid_format' && issue.message === 'id') return ID_RULE;
  return undefined;
}

/** A suggestion if the value fits a key with a similar spelling: `sprites: item/key` may mean `sprite`. */
function suggestNeighbour({ schema }: IssueContext, path: YamlPath, found: unknown): string | undefined {
  const parent = path.slice(0, -1);
  const key = String(path.at(-1));
  const fittingKeys = knownKeys(schema, parent).filter(
    (each) =>
      each !== key &&
      schemasAt(schema, [...parent, each]).some(
        (form) => form instanceof z.ZodType && form.safeParse(found).success,
      ),
  );
  const near = nearest(key, fittingKeys);
  return near === undefined ? undefined : `did you mean '${near}'?`;
}

function suggestValue(values: readonly string[], found: unknown): string | undefined {
  const hint = typeof found === 'string' ? suggest(found, values) : undefined;
  return hint?.startsWith('did') === true ? hint : undefined;
}

function suggestionFor(expected: string, found: unknown): string | undefined {
  const intended = expected === 'text' ? textOfKey(found) : undefined;
  if (intended !== undefined) return suggestQuotes(intended.text);
  if (found === null && expected === 'text')
    return 'the value is empty: write text; put several lines, or text that begins with #, in a block after |';
  if (found === null) return 'the value is empty: write a value, or remove the key';
  const quotable = expected.includes('text') && (typeof found === 'number' || typeof found === 'boolean');
  if (quotable) return `put it in quotes: '${String(found)}'`;
  if (expected.includes('true or false')) return 'write true or false';
  if (expected.includes('whole number') && typeof found === 'number') return `write ${Math.round(found)}`;
  const digits = typeof found === 'string' && /^-?\d+$/.test(found) && expected.includes('number');
  if (digits) return `write it without quotes: ${found}`;
  return typeof found === 'string' && expected.includes('number')
    ? 'write it in digits, such as 20'
    : undefined;
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'keys with values',
  record: 'keys with values',
  array: 'a list',
  tuple: 'a list',
  null: 'nothing',
};

/** The expected type at a path; zod calls every number a number, even if it must be whole. */
function expectedAt(context: IssueContext, expected: string, path: YamlPath): string {
  const isWhole = expected === 'number' && schemasAt(context.schema, path).some(isWholeNumber);
  const kind = isWhole ? 'int' : expected;
  return lookUp(NOUNS, kind) ?? kind;
}

function describeSize(origin: string, found: unknown): string {
  if (origin === 'string' && typeof found === 'string')
    return found === '' ? 'the text is empty' : `the text has ${counted(found.length, 'character')}`;
  if (Array.isArray(found)) return `the list has ${counted(found.length, 'entry', 'entries')}`;
  return typeof found === 'number' ? `${found} is out of range` : 'out of range';
}

function formatLimit(count: number | bigint, origin: string): string {
  if (origin === 'string') return counted(Number(count), 'character');
  return origin === 'array' ? counted(Number(count), 'entry', 'entries') : String(count);
}

function describeValue(found: unknown): string {
  if (found === null) return 'nothing';
  if (Array.isArray(found)) return 'a list';
  if (typeof found === 'object') return 'keys with values';
  if (typeof found === 'string') return `'${found.length > 40 ? `${found.slice(0, 39)}…` : found}'`;
  return typeof found === 'number' ? `the number ${found}` : JSON.stringify(found);
}

/** A path as `--set` takes it: list entries by id, `agents.ann.sight`, otherwise by index from 0. */
function pathText(value: unknown, path: YamlPath): string {
  const steps = path.map((step, i) => {
    const id = typeof step === 'number' ? childOf(valueAt(value, path.slice(0, i + 1)), 'id') : undefined;
    return typeof id === 'string' ? id : step;
  });
  return steps.join('.');
}

function valueAt(value: unknown, path: YamlPath): unknown {
  return path.reduce(childOf, value);
}

/** An issue's path; zod allows symbols in it, which no scenario has. */
export function pathOf(issue: SchemaIssue): YamlPath {
  return issue.path.filter((step) => typeof step !== 'symbol');
}
