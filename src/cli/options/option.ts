/** Options and arguments of a command as data, each with its name once: the types of their values follow. */
import type { InferredOptionTypes, Options } from 'yargs';
import { UsageError } from '../../base/errors.js';

/** What yargs needs to know, made from the name, which the option's own messages contain. */
export type Option = (name: string) => Options;

export type OptionTable = Readonly<Record<string, Option>>;

/** As yargs takes them. */
export function named<T extends OptionTable>(table: T): { [K in keyof T]: ReturnType<T[K]> } {
  return Object.fromEntries(Object.entries(table).map(([name, make]) => [name, make(name)])) as never;
}

/** The values that the command gets. */
export type Chosen<T extends OptionTable> = InferredOptionTypes<{ [K in keyof T]: ReturnType<T[K]> }>;

/** One value, which is not empty. */
export const single = (describe: string) => (name: string) =>
  ({ type: 'string', describe, coerce: once(name) }) as const;
/** The same; the next word is its value even if it begins with a dash. */
export const word = (describe: string) => (name: string) =>
  ({ ...single(describe)(name), nargs: 1 }) as const;
/** The same, and the value may be empty. */
export const wordOrEmpty = (describe: string) => (name: string) =>
  ({
    type: 'string',
    describe,
    nargs: 1,
    coerce: (value: unknown): string | undefined => {
      if (value === undefined || typeof value === 'string') return value;
      throw new UsageError(`--${name} takes one value`);
    },
  }) as const;
export const required = (describe: string) => (name: string) =>
  ({
    type: 'string',
    demandOption: true,
    describe,
    coerce: (value: unknown) => once(name)(value) ?? '',
  }) as const;
/** Unchecked; also an argument that may be left out. */
export const anyText = (describe: string) => () => ({ type: 'string', describe }) as const;
export const anyTextOr = (initial: string, describe: string) => () =>
  ({ type: 'string', default: initial, describe }) as const;
export const flag = (describe: string) => () => ({ type: 'boolean', default: false, describe }) as const;
export const whole = (describe: string, min: number, max: number) => (name: string) =>
  ({ type: 'string', describe, coerce: wholeNumber(name, min, max) }) as const;
export const wholeOr = (initial: number, describe: string, min: number, max: number) => (name: string) =>
  ({
    type: 'string',
    default: String(initial),
    describe,
    coerce: (value: unknown) => wholeNumber(name, min, max)(value) ?? initial,
  }) as const;
export const requiredWhole = (describe: string, min: number, max: number) => (name: string) =>
  ({
    type: 'string',
    demandOption: true,
    describe,
    coerce: (value: unknown) => wholeNumber(name, min, max)(value) ?? min,
  }) as const;
/** May be given more than once; undefined if it is not given. */
export const repeated = (describe: string) => repeatedAs(describe, (value) => value);

export function repeatedAs<T>(describe: string, read: (value: string) => T) {
  const coerce = (value: unknown): readonly T[] | undefined =>
    value === undefined ? undefined : valuesOf(value).map(read);
  return () => ({ type: 'string', describe, coerce }) as const;
}

export function oneOf<const T extends string>(choices: readonly T[], describe: string) {
  return () => ({ choices, describe });
}
export function oneOfOr<const T extends string>(
  initial: NoInfer<T>,
  choices: readonly T[],
  describe: string,
) {
  return () => ({ choices, describe, default: initial });
}

/** An argument that must be given. */
export const argument = (describe: string) => () =>
  ({ type: 'string', demandOption: true, describe }) as const;
/** The same, given at least once. */
export const argumentList = (describe: string) => () =>
  ({ type: 'string', array: true, demandOption: true, describe }) as const;

/** Reads a whole number within bounds, for `coerce`. */
function wholeNumber(option: string, min: number, max: number) {
  return (value: unknown): number | undefined => {
    if (value === undefined) return undefined;
    const typed = typeof value === 'string' ? value : JSON.stringify(value);
    const number = Number(typed);
    if (/^-?\d+$/.test(typed) && number >= min && number <= max) return number;
    throw new UsageError(`--${option} takes a whole number from ${min} to ${max}, not "${typed}"`);
  };
}

/** Reads a single value, for `coerce` of an option that may not be repeated. */
export function once(option: string) {
  return (value: unknown): string | undefined => {
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value !== '') return value;
    throw new UsageError(`--${option} takes one value`, [
      `write a value that begins with a dash as --${option}="-…"`,
    ]);
  };
}

/** Every value of an option that may be repeated, in order: the `key=value` of each `--set`. */
export function valuesOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).map(String);
}
