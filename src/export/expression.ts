/**
 * `--where`: a condition over a sample's columns. jsep parses the text into a syntax tree, and this file
 * evaluates the few kinds of node that it supports; the text is never run as code. Mistakes in the text are
 * reported before anything is written.
 */
import jsep from 'jsep';
import type { BinaryExpression, CallExpression, CoreExpression, Expression, UnaryExpression } from 'jsep';
import { counted } from '../base/counted.js';
import { errorMessage, UsageError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { lookUp } from '../base/look-up.js';
import { nearest } from '../base/nearest.js';
import { ALL_COLUMNS } from './columns.js';
import type { ColumnValue } from './columns.js';

type RowColumns = Readonly<Record<string, ColumnValue>>;
/** The kind of a term's value; null for the literal `null`, which can be compared with any kind. */
type ValueKind = 'text' | 'number' | 'boolean' | null;

interface ExpressionTerm {
  kind: ValueKind;
  evaluate: (columns: RowColumns) => ColumnValue;
}

/** Throws UsageError if the text is not a condition. */
export function condition(text: string): (columns: RowColumns) => boolean {
  if (text.length > LIMITS.whereCharacters)
    throw new UsageError(`--where takes at most ${LIMITS.whereCharacters} characters`);
  const term = termOf(parse(text), text);
  return (columns) => term.evaluate(columns) === true;
}

/** The columns that a condition refers to. */
export function referencedColumns(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, name } = node as Partial<Record<string, unknown>>;
    if (type === 'Identifier' && typeof name === 'string') names.add(name);
    Object.values(node).forEach(visit);
  };
  visit(parse(text));
  return names;
}

function parse(text: string): Expression {
  try {
    return jsep(text);
  } catch (error) {
    const message = errorMessage(error);
    throw refusal(text, message);
  }
}

function termOf(expression: Expression, text: string): ExpressionTerm {
  const node = expression as CoreExpression;
  switch (node.type) {
    case 'Literal':
      return constant(node.value, text);
    case 'Identifier':
      return column(node.name, text);
    case 'UnaryExpression':
      return unary(node, text);
    case 'BinaryExpression':
      return binary(node, text);
    case 'CallExpression':
      return call(node, text);
    default:
      throw refusal(text, `it has an unsupported construct (${node.type})`);
  }
}

function constant(value: unknown, text: string): ExpressionTerm {
  if (value === null) return { kind: null, evaluate: () => null };
  if (typeof value === 'string') return { kind: 'text', evaluate: () => value };
  if (typeof value === 'number') return { kind: 'number', evaluate: () => value };
  if (typeof value === 'boolean') return { kind: 'boolean', evaluate: () => value };
  throw refusal(text, 'constants must be text, numbers, true, false or null');
}

const NAMES = ALL_COLUMNS.map(({ name }) => name);

function column(name: string, text: string): ExpressionTerm {
  const definition = ALL_COLUMNS.find((one) => one.name === name);
  if (definition !== undefined)
    return {
      kind: definition.type === 'integer' ? 'number' : definition.type,
      evaluate: (columns) => lookUp(columns, name) ?? null,
    };
  const suggestion = nearest(name, NAMES);
  throw refusal(text, `there is no column ${JSON.stringify(name)}`, [
    ...(suggestion === undefined ? [] : [`did you mean ${suggestion}?`]),
    `columns: ${NAMES.join(', ')}`,
  ]);
}

function unary(node: UnaryExpression, text: string): ExpressionTerm {
  const { evaluate } = termOf(node.argument, text);
  if (node.operator === '!') return { kind: 'boolean', evaluate: (columns) => evaluate(columns) !== true };
  if (node.operator !== '-') throw refusal(text, `there is no operator ${node.operator}`);
  const negative = (columns: RowColumns): ColumnValue => {
    const value = evaluate(columns);
    return typeof value === 'number' ? -value : null;
  };
  return { kind: 'number', evaluate: negative };
}

/**
 * A null compared with a value is neither equal, less nor greater. Numbers are compared as numbers, and texts
 * by code unit.
 */
const COMPARISONS: Readonly<Record<string, (a: ColumnValue, b: ColumnValue) => boolean>> = {
  '==': (a, b) => a === b,
  '===': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '!==': (a, b) => a !== b,
  '<': (a, b) => compareSameType(a, b, (x, y) => x < y),
  '<=': (a, b) => compareSameType(a, b, (x, y) => x <= y),
  '>': (a, b) => compareSameType(a, b, (x, y) => x > y),
  '>=': (a, b) => compareSameType(a, b, (x, y) => x >= y),
};

function compareSameType(
  a: ColumnValue,
  b: ColumnValue,
  holds: (x: string | number, y: string | number) => boolean,
): boolean {
  if (typeof a === 'number' && typeof b === 'number') return holds(a, b);
  return typeof a === 'string' && typeof b === 'string' && holds(a, b);
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

function binary(node: BinaryExpression, text: string): ExpressionTerm {
  const { operator } = node;
  const [a, b] = [termOf(node.left, text), termOf(node.right, text)];
  const booleanTerm = (evaluate: ExpressionTerm['evaluate']): ExpressionTerm => ({
    kind: 'boolean',
    evaluate,
  });
  if (operator === '&&')
    return booleanTerm((columns) => a.evaluate(columns) === true && b.evaluate(columns) === true);
  if (operator === '||')
    return booleanTerm((columns) => a.evaluate(columns) === true || b.evaluate(columns) === true);
  const compare = lookUp(COMPARISONS, operator);
  if (compare !== undefined) {
    assertComparable(a, b, text);
    return booleanTerm((columns) => compare(a.evaluate(columns), b.evaluate(columns)));
  }
  const operation = lookUp(ARITHMETIC, operator);
  if (operation === undefined) throw refusal(text, `there is no operator ${operator}`);
  return {
    kind: 'number',
    evaluate: (columns) => calculate(operation, a.evaluate(columns), b.evaluate(columns)),
  };
}

function calculate(operation: (a: number, b: number) => number, a: ColumnValue, b: ColumnValue): ColumnValue {
  return typeof a === 'number' && typeof b === 'number' ? operation(a, b) : null;
}

/**
 * Refuses to compare values of kinds that are never equal or ordered, which must be a mistake: a seed is a
 * text, for example, although it looks like a number.
 */
function assertComparable(a: ExpressionTerm, b: ExpressionTerm, text: string): void {
  if (a.kind === b.kind || a.kind === null || b.kind === null) return;
  const hints = [a.kind, b.kind].includes('text') ? ['put text in quotation marks: seed == "3"'] : [];
  throw refusal(text, `can't compare a ${a.kind} with a ${b.kind}`, hints);
}

interface ExpressionFunction {
  arity: number;
  returns: ValueKind;
  apply(...values: ColumnValue[]): ColumnValue;
}

const FUNCTIONS: Readonly<Record<string, ExpressionFunction>> = {
  contains: {
    arity: 2,
    returns: 'boolean',
    apply: (all, part) => typeof all === 'string' && typeof part === 'string' && all.includes(part),
  },
  starts: {
    arity: 2,
    returns: 'boolean',
    apply: (all, part) => typeof all === 'string' && typeof part === 'string' && all.startsWith(part),
  },
  length: { arity: 1, returns: 'number', apply: (all) => (typeof all === 'string' ? all.length : null) },
  lower: { arity: 1, returns: 'text', apply: (all) => (typeof all === 'string' ? all.toLowerCase() : null) },
};

function call(node: CallExpression, text: string): ExpressionTerm {
  const callee = node.callee as CoreExpression;
  const name = callee.type === 'Identifier' ? callee.name : '';
  const definition = lookUp(FUNCTIONS, name);
  const terms = node.arguments.map((one) => termOf(one, text));
  if (definition === undefined)
    throw refusal(
      text,
      `there is no function "${name}"; the functions are ${Object.keys(FUNCTIONS).join(', ')}`,
    );
  if (terms.length !== definition.arity)
    throw refusal(text, `${name} takes ${counted(definition.arity, 'argument')}, not ${terms.length}`);
  return {
    kind: definition.returns,
    evaluate: (columns) => definition.apply(...terms.map((term) => term.evaluate(columns))),
  };
}

function refusal(text: string, why: string, hints: readonly string[] = []): UsageError {
  return new UsageError(`--where ${JSON.stringify(text)} can't be used: ${why}`, [
    ...hints,
    `example: --where 'ok && turn <= 10 && contains(reply, "door")'`,
  ]);
}
