/**
 * The calculator: numbers, + - * / % **, parentheses and signs; anything else gives a message, never an
 * exception. Nothing is evaluated as code. It parses from left to right with two stacks (shunting-yard), so
 * nesting needs no recursion. Length, exponents and the size of every intermediate number are limited, so no
 * expression takes long.
 */
import { Fraction } from 'fraction.js';
import { known } from '../../base/assert.js';
import { LIMITS } from '../../base/limits.js';
import { digits, rationalOf, remainder, textOf } from './rational.js';

export type Calculation = { ok: true; text: string } | { ok: false; why: string };

type CalculationStep = { ok: true; value: Fraction } | { ok: false; why: string };

/** Evaluates an expression; `why` is a short reason if it can't be evaluated. */
export function calculate(expression: string): Calculation {
  if (expression.length > LIMITS.expressionCharacters)
    return failure(`it has more than ${LIMITS.expressionCharacters} characters`);
  const tokens = tokenize(expression);
  if (typeof tokens === 'string') return failure(tokens);
  const result = evaluate(tokens);
  return result.ok ? { ok: true, text: textOf(result.value) } : result;
}

function failure(why: string): { ok: false; why: string } {
  return { ok: false, why };
}

function success(value: Fraction): CalculationStep {
  return { ok: true, value };
}

type CalculatorToken = Fraction | '(' | ')' | Operator;

const TOKEN = /\s+|(\d+(?:\.\d+)?|\.\d+)|(\*\*|[-+*/%()×÷−])/y;

/** Alternative spellings of operators. */
const SPELLINGS: Readonly<Record<string, Operator>> = { '×': '*', '÷': '/', '−': '-' };

/** The tokens, or a message about the first invalid one. */
function tokenize(expression: string): readonly CalculatorToken[] | string {
  const tokens: CalculatorToken[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.length) {
    const start = TOKEN.lastIndex;
    const match = TOKEN.exec(expression);
    if (match === null) return invalidTokenText(expression.slice(start));
    const [, number, mark] = match;
    if (number !== undefined) tokens.push(known(rationalOf(number), 'a number'));
    else if (mark !== undefined) tokens.push(SPELLINGS[mark] ?? (mark as Operator | '(' | ')'));
  }
  return tokens;
}

function invalidTokenText(rest: string): string {
  const [found = ''] = /^[\p{L}_][\p{L}\p{N}_]*|^[^]/u.exec(rest) ?? [];
  const hint = found === '^' ? '; a power is written **' : found === ',' ? '; write 1000, not 1,000' : '';
  return `${JSON.stringify(found)} is no arithmetic: only numbers, + - * / % ** and parentheses are${hint}`;
}

type Operator = '+' | '-' | '*' | '/' | '%' | '**';
/** An entry of the operator stack: an operator, a sign, an open parenthesis. */
type PendingOperator = Operator | 'minus' | 'plus' | '(';

const PRECEDENCE: Readonly<Record<PendingOperator, number>> = {
  '(': 0,
  '+': 1,
  '-': 1,
  '*': 2,
  '/': 2,
  '%': 2,
  minus: 3,
  plus: 3,
  '**': 4,
};

interface CalculatorStacks {
  values: Fraction[];
  pending: PendingOperator[];
}

function evaluate(tokens: readonly CalculatorToken[]): CalculationStep {
  const stacks: CalculatorStacks = { values: [], pending: [] };
  let expectsValue = true;
  for (const token of tokens) {
    const why = acceptToken(stacks, token, expectsValue);
    if (why !== null) return failure(why);
    expectsValue = typeof token === 'string' && token !== ')';
  }
  if (expectsValue) return failure(tokens.length === 0 ? 'it is empty' : 'a number is missing at the end');
  const why = applyPending(stacks, (operator) => operator !== '(');
  if (why !== null) return failure(why);
  if (stacks.pending.length > 0) return failure('a parenthesis is not closed');
  return success(known(stacks.values[0], 'a value'));
}

/** Pushes one token onto the stacks; returns an error, or null. */
function acceptToken(stacks: CalculatorStacks, token: CalculatorToken, expectsValue: boolean): string | null {
  if (typeof token === 'object' || token === '(') {
    if (!expectsValue) return 'an operator is missing between two values';
    if (typeof token === 'object') stacks.values.push(token);
    else stacks.pending.push(token);
    return isTooLarge(token) ? tooLargeText() : null;
  }
  if (token === ')') return expectsValue ? 'a number is missing before )' : closeParenthesis(stacks);
  if (expectsValue) {
    if (token !== '-' && token !== '+') return `a number is missing before ${token}`;
    stacks.pending.push(token === '-' ? 'minus' : 'plus');
    return null;
  }
  // A power binds to the right: 2 ** 3 ** 2 is 2 ** 9.
  const why = applyPending(stacks, (other) =>
    token === '**' ? PRECEDENCE[other] > PRECEDENCE[token] : PRECEDENCE[other] >= PRECEDENCE[token],
  );
  stacks.pending.push(token);
  return why;
}

function closeParenthesis(stacks: CalculatorStacks): string | null {
  const why = applyPending(stacks, (other) => other !== '(');
  if (why !== null) return why;
  return stacks.pending.pop() === '(' ? null : 'a parenthesis was never opened';
}

/** Applies pending operators from the top of the stack while `shouldApply`; returns an error, or null. */
function applyPending(
  { values, pending }: CalculatorStacks,
  shouldApply: (waiting: PendingOperator) => boolean,
): string | null {
  for (let top = pending.at(-1); top !== undefined && shouldApply(top); top = pending.at(-1)) {
    pending.pop();
    const right = known(values.pop(), 'an operand');
    if (top === 'minus') values.push(right.neg());
    else if (top === 'plus') values.push(right);
    else {
      const result = applyOperator(known(values.pop(), 'an operand'), top, right);
      if (!result.ok) return result.why;
      if (isTooLarge(result.value)) return tooLargeText();
      values.push(result.value);
    }
  }
  return null;
}

function applyOperator(a: Fraction, operator: PendingOperator, b: Fraction): CalculationStep {
  if (operator === '+') return success(a.add(b));
  if (operator === '-') return success(a.sub(b));
  if (operator === '*') return success(a.mul(b));
  if (operator === '**') return power(a, b);
  if (b.n === 0n) return failure('it divides by zero');
  return success(operator === '%' ? remainder(a, b) : a.div(b));
}

function power(base: Fraction, exponent: Fraction): CalculationStep {
  if (exponent.d !== 1n) return failure('the exponent of ** must be a whole number');
  if (exponent.n > LIMITS.expressionExponent)
    return failure(
      `the exponent of ** must be from ${-LIMITS.expressionExponent} to ${LIMITS.expressionExponent}`,
    );
  if (exponent.s < 0n && base.n === 0n) return failure('it divides by zero');
  return isPowerTooLarge(base, Number(exponent.n)) ? failure(tooLargeText()) : success(base.pow(exponent));
}

/**
 * Uses a lower bound for the digits of a power, so that a number with many thousands of digits is never
 * computed.
 */
function isPowerTooLarge({ n, d }: Fraction, exponent: number): boolean {
  return (Math.max(digits(n), digits(d)) - 1) * exponent >= LIMITS.expressionDigits;
}

function isTooLarge(value: Fraction | '('): boolean {
  if (value === '(') return false;
  return digits(value.n) > LIMITS.expressionDigits || digits(value.d) > LIMITS.expressionDigits;
}

function tooLargeText(): string {
  return `a number on the way has more than ${LIMITS.expressionDigits} digits`;
}
