/**
 * Decides whether a final answer is correct. The checks are data: they compare words and numbers, and may
 * require that tools were used.
 */
import { lookUp } from '../../base/look-up.js';
import { assertNever } from '../../base/assert.js';
import { rationalOf } from './rational.js';
import { containsPhrase, wordsOf } from './words.js';

// Phrases that meant "it can't be known or done" in scenarios of earlier versions, whose logs contain
// `admits`. Scenarios no longer use them; they remain so that those logs verify.

const EARLIER_ADMISSIONS: readonly string[] = [
  "don't know",
  'do not know',
  'does not know',
  'not known',
  'unknown',
  'no way to know',
  'not sure',
  'not found',
  'nothing found',
  'could not find',
  "couldn't find",
  'cannot find',
  "can't find",
  'no information',
  'no entry',
  'no record',
  'no answer',
  'nothing about',
  'not in the',
  'does not say',
  "doesn't say",
  'do not say',
  "don't say",
  'not stated',
  'not given',
  'cannot be',
  "can't be",
  'could not be',
  "couldn't be",
  'cannot say',
  "can't say",
  'cannot tell',
  "can't tell",
  'cannot answer',
  "can't answer",
  'unable to',
  'not able to',
  'not possible',
  'impossible',
  'refused',
  'refuses',
  'not allowed',
  'no arithmetic',
  'not arithmetic',
  'did not work',
  "didn't work",
];

export type AnswerCheck =
  /** The same words in the same order. */
  | { kind: 'equals'; text: string }
  /** These words next to each other somewhere in the answer. */
  | { kind: 'contains'; text: string }
  /** A number of this value is in it; `value` is a decimal. */
  | { kind: 'number'; value: string }
  /** Its first words are these. */
  | { kind: 'begins'; text: string }
  /** In older logs: it contains one of the phrases that counted as an admission then. */
  | { kind: 'admits' }
  /** The tool returned a result (`used`) or an error (`refused`) to the agent at least once. */
  | { kind: 'used' | 'refused'; tool: string }
  | { kind: 'all' | 'any'; of: readonly AnswerCheck[] }
  | { kind: 'not'; of: AnswerCheck };

/** How often a tool returned a result, and how often an error. */
export interface AnswerTally {
  given: number;
  refused: number;
}

export interface AnswerAttempt {
  text: string;
  /** For the agent that answers, by tool. */
  tallies: Readonly<Record<string, AnswerTally>>;
}

export function satisfies(check: AnswerCheck, attempt: AnswerAttempt): boolean {
  switch (check.kind) {
    case 'equals':
      return wordsOf(attempt.text).join(' ') === wordsOf(check.text).join(' ');
    case 'contains':
      return containsPhrase(attempt.text, check.text);
    case 'number':
      return containsNumber(attempt.text, check.value);
    case 'begins':
      return beginsWith(wordsOf(attempt.text), wordsOf(check.text));
    case 'admits':
      return EARLIER_ADMISSIONS.some((phrase) => containsPhrase(attempt.text, phrase));
    case 'used':
      return (lookUp(attempt.tallies, check.tool)?.given ?? 0) > 0;
    case 'refused':
      return (lookUp(attempt.tallies, check.tool)?.refused ?? 0) > 0;
    case 'all':
      return check.of.every((one) => satisfies(one, attempt));
    case 'any':
      return check.of.some((one) => satisfies(one, attempt));
    case 'not':
      return !satisfies(check.of, attempt);
    default:
      return assertNever(check, 'check of an answer');
  }
}

function beginsWith(words: readonly string[], first: readonly string[]): boolean {
  return first.length > 0 && first.every((word, i) => words[i] === word);
}

/**
 * Digits with a fraction, with or without commas between thousands; a minus counts unless it is a dash
 * between two things.
 */
const NUMBER =
  /(?<![\p{L}\p{N}.])(?:(?<![\p{L}\p{N})]|[\p{N})] )-)?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?!\p{N})/gu;

function containsNumber(text: string, value: string): boolean {
  const expected = rationalOf(value);
  const matches = text.replace(/[−–]/g, '-').match(NUMBER) ?? [];
  return matches.some((match) => {
    const number = rationalOf(match.replaceAll(',', ''));
    return number !== null && expected !== null && number.equals(expected);
  });
}
