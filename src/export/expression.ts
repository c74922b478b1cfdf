/**
 * `--where`: a condition over a sample's columns. jsep makes a tree of the text, and this file gives the few kinds of node that it allows a
 * meaning; nothing of it is ever run as code. In: a text; out: a function of columns. Wrong usage is told before anything is written.
 */
import jsep from 'jsep';
import type { BinaryExpression, CallExpression, CoreExpression, Expression, UnaryExpression } from 'jsep';
import { UsageError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { nearest } from '../base/nearest.js';
import { ALL_COLUMNS } from './columns.js';
import type { Cell } from './columns.js';

type Columns = Readonly<Record<string, Cell>>;
type Term = (columns: Columns) => Cell;

/** Throws UsageError for a text that is no condition. */
export function condition(text: string): (columns: Columns) => boolean {
  if (text.length > LIMITS.whereCharacters)
    throw new UsageError(`--where takes at most ${LIMITS.whereCharacters} characters`);
  const term = termOf(parsed(text), text);
  return (columns) => term(columns) === true;
}

function parsed(text: string): Expression {
  try {
    return jsep(text);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw refusal(text, words);
  }
}

function termOf(expression: Expression, text: string): Term {
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
      throw refusal(text, `it holds something that has no meaning here (${node.type})`);
  }
}

function constant(value: unknown, text: string): Term {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return () => value as Cell;
  throw refusal(text, 'only texts, numbers, true, false and null stand for themselves');
}

const NAMES = ALL_COLUMNS.map(({ name }) => name);

function column(name: string, text: string): Term {
  if (NAMES.includes(name)) return (columns) => columns[name] ?? null;
  const meant = nearest(name, NAMES);
  throw refusal(text, `there is no column ${JSON.stringify(name)}`, [
    ...(meant === undefined ? [] : [`did you mean ${meant}?`]),
    `columns: ${NAMES.join(', ')}`,
  ]);
}

function unary(node: UnaryExpression, text: string): Term {
  const of = termOf(node.argument, text);
  if (node.operator === '!') return (columns) => of(columns) !== true;
  if (node.operator !== '-') throw refusal(text, `there is no operator ${node.operator}`);
  return (columns) => {
    const value = of(columns);
    return typeof value === 'number' ? -value : null;
  };
}

/** Null beside anything but null is neither equal, less nor greater; numbers are compared as numbers, texts by code unit. */
const COMPARISONS: Readonly<Record<string, (a: Cell, b: Cell) => boolean>> = {
  '==': (a, b) => a === b,
  '===': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '!==': (a, b) => a !== b,
  '<': (a, b) => inOrder(a, b, (x, y) => x < y),
  '<=': (a, b) => inOrder(a, b, (x, y) => x <= y),
  '>': (a, b) => inOrder(a, b, (x, y) => x > y),
  '>=': (a, b) => inOrder(a, b, (x, y) => x >= y),
};

function inOrder(a: Cell, b: Cell, holds: (x: string | number, y: string | number) => boolean): boolean {
  if (typeof a === 'number' && typeof b === 'number') return holds(a, b);
  return typeof a === 'string' && typeof b === 'string' && holds(a, b);
}

const SUMS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

function binary(node: BinaryExpression, text: string): Term {
  const { operator } = node;
  const left = termOf(node.left, text);
  const right = termOf(node.right, text);
  if (operator === '&&') return (columns) => left(columns) === true && right(columns) === true;
  if (operator === '||') return (columns) => left(columns) === true || right(columns) === true;
  const compare = Object.hasOwn(COMPARISONS, operator) ? COMPARISONS[operator] : undefined;
  if (compare !== undefined) return (columns) => compare(left(columns), right(columns));
  const sum = Object.hasOwn(SUMS, operator) ? SUMS[operator] : undefined;
  if (sum === undefined) throw refusal(text, `there is no operator ${operator}`);
  return (columns) => {
    const [a, b] = [left(columns), right(columns)];
    return typeof a === 'number' && typeof b === 'number' ? sum(a, b) : null;
  };
}

const FUNCTIONS: Readonly<Record<string, { readonly takes: number; of(...values: Cell[]): Cell }>> = {
  contains: {
    takes: 2,
    of: (all, part) => typeof all === 'string' && typeof part === 'string' && all.includes(part),
  },
  starts: {
    takes: 2,
    of: (all, part) => typeof all === 'string' && typeof part === 'string' && all.startsWith(part),
  },
  length: { takes: 1, of: (all) => (typeof all === 'string' ? all.length : null) },
  lower: { takes: 1, of: (all) => (typeof all === 'string' ? all.toLowerCase() : null) },
};

function call(node: CallExpression, text: string): Term {
  const callee = node.callee as CoreExpression;
  const name = callee.type === 'Identifier' ? callee.name : '';
  const named = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  const terms = node.arguments.map((one) => termOf(one, text));
  if (named === undefined)
    throw refusal(text, `functions are ${Object.keys(FUNCTIONS).join(', ')}, not "${name}"`);
  if (terms.length !== named.takes)
    throw refusal(text, `${name} takes ${named.takes}, and is given ${terms.length}`);
  return (columns) => named.of(...terms.map((term) => term(columns)));
}

function refusal(text: string, why: string, hints: readonly string[] = []): UsageError {
  return new UsageError(`--where ${JSON.stringify(text)} can't be used: ${why}`, [
    ...hints,
    `such as --where 'ok && turn <= 10 && contains(reply, "door")'`,
  ]);
}
