/**
 * A small language for guided forms, with two outputs: a regular expression without look-around,
 * back-references or anchors, and a GBNF grammar. Both come from one structure, so they accept the same
 * answers.
 */
import { assertNever } from '../base/assert.js';

export type Pattern =
  | { kind: 'literal'; text: string }
  /** From `min` to `max` characters of a class. */
  | {
      kind: 'characters';
      of: readonly CharacterRange[];
      min: number;
      max: number;
    }
  | { kind: 'sequence'; parts: readonly Pattern[] }
  /** One of them; never empty. */
  | { kind: 'choice'; parts: readonly Pattern[] }
  | { kind: 'optional'; part: Pattern };

/** First and last character, of one UTF-16 unit each. */
export type CharacterRange = readonly [string, string];

export function literal(text: string): Pattern {
  return { kind: 'literal', text };
}

/** `ranges` as in a character class, such as `a-z0-9 .`: a dash between two characters makes a range. */
export function characters(ranges: string, min: number, max: number): Pattern {
  return { kind: 'characters', of: rangesOf(ranges), min, max };
}

function rangesOf(ranges: string): readonly CharacterRange[] {
  const list: CharacterRange[] = [];
  for (let i = 0; i < ranges.length; i++) {
    const isRange = ranges[i + 1] === '-' && i + 2 < ranges.length;
    list.push([ranges.charAt(i), ranges.charAt(isRange ? i + 2 : i)]);
    if (isRange) i += 2;
  }
  return list;
}

export function inOrder(...parts: readonly Pattern[]): Pattern {
  return { kind: 'sequence', parts };
}

/** One of `parts`, each once; null if there is none. */
export function oneOf(parts: readonly Pattern[]): Pattern | null {
  const texts = parts.map(regexOf);
  const [first, ...others] = parts.filter((_, index) => texts.indexOf(texts[index] ?? '') === index);
  if (first === undefined) return null;
  return others.length === 0 ? first : { kind: 'choice', parts: [first, ...others] };
}

export function maybe(part: Pattern): Pattern {
  return { kind: 'optional', part };
}

/** The whole numbers from `min` to `max` in digits, without leading zeros. */
export function wholeNumbers(min: number, max: number): Pattern {
  const negative = min < 0 ? [inOrder(literal('-'), magnitudes(Math.max(1, -max), -min))] : [];
  const positive = max >= 0 ? [magnitudes(Math.max(0, min), max)] : [];
  return oneOf([...positive, ...negative]) ?? literal('0');
}

function magnitudes(min: number, max: number): Pattern {
  const parts: Pattern[] = [];
  for (let low = min; low <= max;) {
    const digits = String(low).length;
    const high = Math.min(max, Number('9'.repeat(digits)));
    parts.push(sameLengthNumbers(String(low), String(high)));
    low = high + 1;
  }
  return oneOf(parts) ?? literal(String(min));
}

/** Numbers with the same count of digits. */
function sameLengthNumbers(low: string, high: string): Pattern {
  const remainingDigits = low.length - 1;
  if (/^0+$/.test(low) && /^9+$/.test(high)) return characters('0-9', low.length, low.length);
  const [first, last] = [Number(low.charAt(0)), Number(high.charAt(0))];
  if (remainingDigits === 0) return characters(`${first}-${last}`, 1, 1);
  if (first === last) return inOrder(literal(String(first)), sameLengthNumbers(low.slice(1), high.slice(1)));
  const middle = inOrder(
    characters(`${first + 1}-${last - 1}`, 1, 1),
    characters('0-9', remainingDigits, remainingDigits),
  );
  const parts = [
    inOrder(literal(String(first)), sameLengthNumbers(low.slice(1), '9'.repeat(remainingDigits))),
    ...(last - first > 1 ? [middle] : []),
    inOrder(literal(String(last)), sameLengthNumbers('0'.repeat(remainingDigits), high.slice(1))),
  ];
  return { kind: 'choice', parts };
}

/** The pattern as a regular expression over the whole reply. */
export function regexOf(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'literal':
      return pattern.text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&').replace(/\n/g, '\\n');
    case 'characters':
      return (
        splitRepetition(pattern, regexOf) ?? `[${classOf(pattern.of)}]${countOf(pattern.min, pattern.max)}`
      );
    case 'sequence':
      return pattern.parts.map(regexOf).join('');
    case 'choice':
      return `(${pattern.parts.map(regexOf).join('|')})`;
    case 'optional':
      return `(${regexOf(pattern.part)})?`;
    default:
      return assertNever(pattern, 'pattern');
  }
}

/** The pattern as a GBNF grammar whose start is `root`. */
export function gbnfOf(pattern: Pattern): string {
  return `root ::= ${gbnfPart(pattern)}`;
}

function gbnfPart(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'literal':
      return `"${pattern.text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`;
    case 'characters':
      return (
        splitRepetition(pattern, gbnfPart) ?? `[${classOf(pattern.of)}]${countOf(pattern.min, pattern.max)}`
      );
    case 'sequence':
      return pattern.parts.map(gbnfPart).join(' ');
    case 'choice':
      return `(${pattern.parts.map(gbnfPart).join(' | ')})`;
    case 'optional':
      return `(${gbnfPart(pattern.part)})?`;
    default:
      return assertNever(pattern, 'pattern');
  }
}

/**
 * The largest count in one repetition. Above it, xgrammar 0.2.8 (vLLM 0.32, SGLang) accepts pieces that it
 * then refuses itself if the class has non-ASCII characters, and the request ends with a server error.
 */
const COUNT_MAX = 128;

/**
 * A repetition, split into counts that are small enough; null if it is small already. No text matches in two
 * ways, because otherwise the matcher would keep all of them in memory.
 */
function splitRepetition(
  { of, min, max }: Extract<Pattern, { kind: 'characters' }>,
  format: (part: Pattern) => string,
): string | null {
  if (max <= COUNT_MAX) return null;
  const repeated = (from: number, to: number): Pattern => ({ kind: 'characters', of, min: from, max: to });
  const long = inOrder(
    repeated(COUNT_MAX, COUNT_MAX),
    repeated(Math.max(0, min - COUNT_MAX), max - COUNT_MAX),
  );
  if (min >= COUNT_MAX) return format(long);
  return format({ kind: 'choice', parts: [repeated(min, COUNT_MAX - 1), long] });
}

/**
 * A character class in both languages; none of ours contains a bracket, a backslash or a caret. A lone dash
 * is last.
 */
function classOf(ranges: readonly CharacterRange[]): string {
  return ranges
    .toSorted(([a], [b]) => Number(a === '-') - Number(b === '-'))
    .map(([first, last]) => (first === last ? first : `${first}-${last}`))
    .join('');
}

function countOf(min: number, max: number): string {
  if (min === max) return min === 1 ? '' : `{${min}}`;
  return `{${min},${max}}`;
}
