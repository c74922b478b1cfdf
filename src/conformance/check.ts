/**
 * One promise of a contract as a function: it has a name, and throws if the promise is broken. Suites are
 * lists of these, so they run under any test runner: `for (const { name, run } of suite) test(name, run)`.
 */
import { errorMessage } from '../base/errors.js';
import { canonicalJson } from '../base/canonical.js';

/**
 * `run` resolves if the check passes; otherwise it rejects with a ConformanceError, or with the error that
 * was thrown.
 */
export interface ConformanceCheck {
  /** The promise to check: "observing is deterministic and changes nothing". */
  name: string;
  run: () => Promise<void>;
}

/** A failed check; the message says where and how. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError';
}

/** Throws an error with these words if the condition is false. */
export function demand(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ConformanceError(message);
}

/** Throws if two values differ as JSON; the message shows both, cut to a readable length. */
export function demandSame(actual: unknown, expected: unknown, message: string): void {
  const [actualJson, expectedJson] = [jsonOf(actual, message), jsonOf(expected, message)];
  demand(actualJson === expectedJson, `${message}\n${differenceText(actualJson, expectedJson)}`);
}

/** Canonical JSON; throws if a log can't store the value exactly. */
export function jsonOf(value: unknown, message: string): string {
  try {
    return canonicalJson(value ?? null);
  } catch (error) {
    throw new ConformanceError(`${message}: ${errorMessage(error)}`);
  }
}

/**
 * The position of an `undefined` in a value, which JSON silently leaves out: a path such as `world.lamp`;
 * null if there is none.
 */
export function undefinedIn(value: unknown, path = ''): string | null {
  if (value === undefined) return path === '' ? 'the top' : path;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, part] of Object.entries(value)) {
    const found = undefinedIn(part, path === '' ? key : `${path}.${key}`);
    if (found !== null) return found;
  }
  return null;
}

const CONTEXT_CHARACTERS = 60;

function differenceText(actual: string, expected: string): string {
  let start = 0;
  while (start < actual.length && actual[start] === expected[start]) start += 1;
  const cut = (text: string): string =>
    text.slice(Math.max(0, start - CONTEXT_CHARACTERS), start + CONTEXT_CHARACTERS);
  return `  found    …${cut(actual)}…\n  expected …${cut(expected)}…`;
}

/** Freezes the value and everything in it, so that any change in place throws. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}

/** Computed on first use; an error is thrown again each time. */
export function once<T>(make: () => T): () => T {
  let result: (() => T) | null = null;
  return () => {
    if (result === null) {
      try {
        const value = make();
        result = () => value;
      } catch (error) {
        result = () => {
          throw error;
        };
      }
    }
    return result();
  };
}
