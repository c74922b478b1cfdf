/**
 * Exact numbers: fractions of whole numbers of any size, in lowest terms. In: digits as they are written; out: a decimal where one says it
 * exactly, else an approximation that says so. Nothing here is rounded on the way.
 */

/** `denominator` is positive, and the two have no divisor in common. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export function rational(numerator: bigint, denominator = 1n): Rational {
  const sign = denominator < 0n ? -1n : 1n;
  const divisor = divisorOf(absolute(numerator), absolute(denominator));
  return divisor === 0n
    ? { numerator: 0n, denominator: 1n }
    : { numerator: (sign * numerator) / divisor, denominator: (sign * denominator) / divisor };
}

export function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function divisorOf(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

const DECIMAL = /^-?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** `12`, `-0.5`, `.5`; null for anything else. */
export function rationalOf(text: string): Rational | null {
  if (!DECIMAL.test(text)) return null;
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const value = rational(BigInt(`${whole}${fraction}` || '0'), powerOfTen(fraction.length));
  return text.startsWith('-') ? negated(value) : value;
}

export function powerOfTen(exponent: number): bigint {
  return BigInt(`1${'0'.repeat(exponent)}`);
}

export function negated({ numerator, denominator }: Rational): Rational {
  return { numerator: -numerator, denominator };
}

export function sum(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function product(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** The divisor must not be 0. */
export function quotient(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator, a.denominator * b.numerator);
}

/** What is left of a division to the next whole number below: it has the sign of the divisor. */
export function remainder(a: Rational, b: Rational): Rational {
  return sum(a, negated(product(rational(floor(quotient(a, b))), b)));
}

function floor({ numerator, denominator }: Rational): bigint {
  const whole = numerator / denominator;
  return numerator < 0n && whole * denominator !== numerator ? whole - 1n : whole;
}

export function isSame(a: Rational, b: Rational): boolean {
  return a.numerator === b.numerator && a.denominator === b.denominator;
}

/** More places than this are not written out, even where the decimal ends. */
const PLACES_MAX = 30;

const SIGNIFICANT_DIGITS = 12;

/** `0.125`; `about 0.333333333333 (exactly 1/3)` where no decimal says it. */
export function textOf(value: Rational): string {
  const exact = exactPlaces(value.denominator);
  if (exact !== null) return decimal(value.numerator * (powerOfTen(exact) / value.denominator), exact);
  const { numerator, denominator } = value;
  const size = digits(denominator) - digits(numerator);
  const places = Math.min(Math.max(0, SIGNIFICANT_DIGITS + size), PLACES_MAX * 20);
  const half = (absolute(numerator) * powerOfTen(places) * 2n + denominator) / (2n * denominator);
  const about = decimal(numerator < 0n ? -half : half, places);
  const fraction = `${numerator}/${denominator}`;
  return fraction.length > 2 * PLACES_MAX ? `about ${about}` : `about ${about} (exactly ${fraction})`;
}

/** How many decimal places say a fraction of this denominator exactly; null where none do. */
function exactPlaces(denominator: bigint): number | null {
  for (let places = 0; places <= PLACES_MAX; places++)
    if (powerOfTen(places) % denominator === 0n) return places;
  return null;
}

export function digits(value: bigint): number {
  return absolute(value).toString().length;
}

/** `units` times a tenth to the power of `places`, without zeros at the end. */
function decimal(units: bigint, places: number): string {
  const text = absolute(units)
    .toString()
    .padStart(places + 1, '0');
  const whole = text.slice(0, text.length - places);
  const fraction = text.slice(text.length - places).replace(/0+$/, '');
  const sign = units < 0n ? '-' : '';
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}
