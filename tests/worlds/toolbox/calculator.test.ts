/** The calculator: exact, bounded, and never anything but words where it can't. The reference is a second evaluator that works on trees. */
import fc from 'fast-check';
import { Fraction } from 'fraction.js';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/base/limits.js';
import { calculate } from '../../../src/worlds/toolbox/calculator.js';
import { rationalOf, textOf } from '../../../src/worlds/toolbox/rational.js';

const value = (expression: string): string => {
  const result = calculate(expression);
  return result.ok ? result.text : `error: ${result.why}`;
};

describe('the calculator', () => {
  it.each([
    ['2 + 3 * 4', '14'],
    ['(2 + 3) * 4', '20'],
    ['0.1 + 0.2', '0.3'],
    ['-2 ** 2', '-4'],
    ['(-2) ** 2', '4'],
    ['2 ** 3 ** 2', '512'],
    ['2 ** -2', '0.25'],
    ['- - 3', '3'],
    ['-3 - -4', '1'],
    ['+5 * -2', '-10'],
    ['7 % 3', '1'],
    ['-7 % 3', '2'],
    ['7 % -3', '-2'],
    ['5.5 % 2', '1.5'],
    ['1 / 3', 'about 0.333333333333 (exactly 1/3)'],
    ['-2 / 3', 'about -0.666666666667 (exactly -2/3)'],
    ['1 / 3 * 3', '1'],
    ['10 - 4 - 3', '3'],
    ['16 / 4 / 2', '2'],
    ['.5 + 1', '1.5'],
    ['2 × 3 ÷ 4 − 1', '0.5'],
    ['0 / 5', '0'],
    ['2 ** 200', (2n ** 200n).toString()],
    ['1 / 3 / 10 ** 20', 'about 0.00000000000000000000333333333333 (exactly 1/300000000000000000000)'],
  ])('%s is %s', (expression, expected) => expect(value(expression)).toBe(expected));

  it.each([
    ['', 'it is empty'],
    ['2 +', 'a number is missing at the end'],
    ['* 2', 'a number is missing before *'],
    ['2 3', 'an operator is missing between two values'],
    ['2 (3)', 'an operator is missing between two values'],
    ['(2', 'a parenthesis is not closed'],
    ['2)', 'a parenthesis was never opened'],
    ['()', 'a number is missing before )'],
    ['1 / 0', 'it divides by zero'],
    ['1 % (2 - 2)', 'it divides by zero'],
    ['0 ** -1', 'it divides by zero'],
    ['2 ** 0.5', 'the exponent of ** must be a whole number'],
    ['1e9', '"e9" is no arithmetic: only numbers, + - * / % ** and parentheses are'],
    ['2 ^ 3', '"^" is no arithmetic: only numbers, + - * / % ** and parentheses are; a power is written **'],
    ['1,000', '"," is no arithmetic: only numbers, + - * / % ** and parentheses are; write 1000, not 1,000'],
    ['process.exit(1)', '"process" is no arithmetic: only numbers, + - * / % ** and parentheses are'],
    ['1;1', '";" is no arithmetic: only numbers, + - * / % ** and parentheses are'],
    ['`1`', '"`" is no arithmetic: only numbers, + - * / % ** and parentheses are'],
  ])('%s is an error in words', (expression, why) => expect(value(expression)).toBe(`error: ${why}`));

  it('takes so many characters and no more', () => {
    const ones = (length: number) => '1+'.repeat(length).slice(0, length - 1) + '1';
    expect(value(ones(LIMITS.expressionCharacters))).not.toContain('characters');
    expect(value(ones(LIMITS.expressionCharacters + 1))).toContain('more than 200 characters');
  });

  it('has limits on exponents and on the digits of every number', () => {
    expect(value(`1 ** ${LIMITS.expressionExponent}`)).toBe('1');
    expect(value(`1 ** ${LIMITS.expressionExponent + 1}`)).toContain('must be from -1000 to 1000');
    expect(value(`10 ** ${LIMITS.expressionDigits - 1}`)).toHaveLength(LIMITS.expressionDigits);
    expect(value(`10 ** ${LIMITS.expressionDigits}`)).toContain('more than 300 digits');
    expect(value('9 ** 9 ** 9 ** 9')).toContain('must be from');
  });

  it('never throws, whatever it is given', () => {
    const marks = fc.constantFrom(...Array.from('0123456789.+-*/%() ×÷−e'), '**', 'x', '\0', '🙂', '\uD800');
    const soup = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(marks, { maxLength: 60 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(soup, (expression) => {
        const result = calculate(expression);
        expect(result.ok ? result.text : result.why).not.toBe('');
      }),
      { numRuns: 2000 },
    );
  });
});

type Tree =
  { number: string } | { minus: Tree } | { left: Tree; operator: '+' | '-' | '*' | '/' | '%'; right: Tree };

const tree = fc.letrec<{ tree: Tree; leaf: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.record({ minus: tie('tree') }),
    fc.record({
      left: tie('tree'),
      operator: fc.constantFrom('+' as const, '-' as const, '*' as const, '/' as const, '%' as const),
      right: tie('tree'),
    }),
  ),
  leaf: fc
    .tuple(fc.nat({ max: 999 }), fc.option(fc.nat({ max: 99 })))
    .map(([whole, part]) => ({ number: part === null ? `${whole}` : `${whole}.${part}` })),
})).tree;

function spoken(node: Tree): string {
  if ('number' in node) return node.number;
  if ('minus' in node) return `-(${spoken(node.minus)})`;
  return `(${spoken(node.left)}) ${node.operator} (${spoken(node.right)})`;
}

/** Numerator and denominator, never reduced; null where it divides by zero. */
function reference(node: Tree): readonly [bigint, bigint] | null {
  if ('number' in node) {
    const [whole = '', part = ''] = node.number.split('.');
    return [BigInt(whole + part), 10n ** BigInt(part.length)];
  }
  if ('minus' in node) {
    const inner = reference(node.minus);
    return inner === null ? null : [-inner[0], inner[1]];
  }
  const [left, right] = [reference(node.left), reference(node.right)];
  if (left === null || right === null) return null;
  const [[a, b], [c, d]] = [left, right];
  if (node.operator === '+') return [a * d + c * b, b * d];
  if (node.operator === '-') return [a * d - c * b, b * d];
  if (node.operator === '*') return [a * c, b * d];
  if (c === 0n) return null;
  if (node.operator === '/') return [a * d, b * c];
  const [n, m] = [a * d * (b * c < 0n ? -1n : 1n), b * c < 0n ? -(b * c) : b * c];
  const whole = n < 0n && n % m !== 0n ? n / m - 1n : n / m;
  return [a * d - whole * c * b, b * d];
}

it('agrees with a reference on every expression that it takes', () => {
  fc.assert(
    fc.property(tree, (node) => {
      const expression = spoken(node);
      fc.pre(expression.length <= LIMITS.expressionCharacters);
      const expected = reference(node);
      const found = calculate(expression);
      if (expected === null) expect(found).toEqual({ ok: false, why: 'it divides by zero' });
      else expect(found).toEqual({ ok: true, text: textOf(new Fraction(...expected)) });
    }),
    { numRuns: 2000 },
  );
});

it('a decimal is written back as it was read', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat({ max: 20 }), (units, places) => {
      const written = textOf(new Fraction(units, 10n ** BigInt(places)));
      const again = rationalOf(written);
      expect(again).toEqual(new Fraction(units, 10n ** BigInt(places)));
    }),
  );
});
