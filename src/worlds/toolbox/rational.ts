/**
 * Exact rational numbers for the calculator and for the numbers in answers (`answer.ts`,
 * `scenario/answers.ts`), on top of fraction.js. Only this text is rounded, never a value.
 */
import { Fraction } from 'fraction.js';

const DECIMAL = /^-?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** `12`, `-0.5`, `.5`; null for anything else. */
export function rationalOf(text: string): Fraction | null {
  return DECIMAL.test(text) ? new Fraction(text) : null;
}

/** The remainder of floored division: it has the sign of the divisor, which must not be 0. */
export function remainder(a: Fraction, b: Fraction): Fraction {
  return a.sub(a.div(b).floor().mul(b));
}

/** The maximum number of decimal places, even if the decimal is finite. */
const PLACES_MAX = 30;

const SIGNIFICANT_DIGITS = 12;
/** A smaller number is written as about 0. */
const APPROXIMATE_PLACES_MAX = 600;

/** `0.125`; `about 0.333333333333 (exactly 1/3)` if no decimal is exact. */
export function textOf(value: Fraction): string {
  const { s: sign, n: numerator, d: denominator } = value;
  const exact = exactPlaces(denominator);
  if (exact !== null) return decimal(sign, numerator * (powerOfTen(exact) / denominator), exact);
  const size = digits(denominator) - digits(numerator);
  const places = Math.min(Math.max(0, SIGNIFICANT_DIGITS + size), APPROXIMATE_PLACES_MAX);
  const rounded = (numerator * powerOfTen(places) * 2n + denominator) / (2n * denominator);
  const about = decimal(sign, rounded, places);
  const fraction = value.toFraction();
  return fraction.length > 2 * PLACES_MAX ? `about ${about}` : `about ${about} (exactly ${fraction})`;
}

/**
 * The number of decimal places that a fraction with this denominator needs to be exact; null if there is
 * none.
 */
function exactPlaces(denominator: bigint): number | null {
  for (let places = 0; places <= PLACES_MAX; places++)
    if (powerOfTen(places) % denominator === 0n) return places;
  return null;
}

function powerOfTen(exponent: number): bigint {
  return BigInt(`1${'0'.repeat(exponent)}`);
}

/** For a non-negative whole number. */
export function digits(value: bigint): number {
  return value.toString().length;
}

/** `units` times a tenth to the power of `places`, without zeros at the end. */
function decimal(sign: bigint, units: bigint, places: number): string {
  const text = units.toString().padStart(places + 1, '0');
  const whole = text.slice(0, text.length - places);
  const fraction = text.slice(text.length - places).replace(/0+$/, '');
  return `${sign < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
