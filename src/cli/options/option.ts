/** Options of a command as data: each name once. yargs infers the types of their values from it. */
import type { Options } from 'yargs';
import { once, repeatedOption, wholeNumber } from './command-line.js';

type Makers = Readonly<Record<string, (name: string) => Options>>;

/** Each option, which learns its name for its messages. */
export function named<M extends Makers>(makers: M): { readonly [K in keyof M]: ReturnType<M[K]> } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same keys
  return Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, make(name)])) as never;
}

export const single = (describe: string) => (name: string) =>
  ({ type: 'string', describe, coerce: once(name) }) as const;
export const requiredText = (describe: string) => (name: string) =>
  ({ ...single(describe)(name), demandOption: true }) as const;
export const repeated = (describe: string) => () =>
  ({ type: 'string', describe, coerce: repeatedOption }) as const;
export const flag = (describe: string) => () => ({ type: 'boolean', default: false, describe }) as const;
export const whole = (describe: string, min: number, max: number) => (name: string) =>
  ({ type: 'string', describe, coerce: wholeNumber(name, { min, max }) }) as const;

export function choice<T extends string>(choices: readonly T[], describe: string) {
  return () => ({ choices, describe });
}
export function choiceOr<T extends string>(initial: NoInfer<T>, choices: readonly T[], describe: string) {
  return () => ({ choices, describe, default: initial });
}
