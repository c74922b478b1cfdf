/**
 * A section of a scenario from one schema. `section` adds the step from the form that authors write to the form
 * that takes effect and that logs store: names in camel case, null for keys that are absent, nothing for later
 * keys. `stored` is the check of that form (docs/decisions/0045-keys-of-a-scenario.md).
 */
import { z } from 'zod';
import { assert, AssertionError } from '../base/assert.js';
import { isRecord } from '../base/json.js';

type Camel<S> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type OrNull<T> = Exclude<T, undefined> | (undefined extends T ? null : never);

/** Marks the type of a later key, with that of its value if it is present. */
export interface Later<T> {
  later: T;
}
type LaterKeys<Keys> = { [K in keyof Keys]: Keys[K] extends Later<unknown> ? K : never }[keyof Keys];

type Effective<Keys, Omitted> = {
  readonly [K in Exclude<keyof Keys, LaterKeys<Keys> | Omitted> as Camel<K>]: OrNull<z.output<Keys[K]>>;
} & {
  readonly [K in Exclude<LaterKeys<Keys>, Omitted> as Camel<K>]?: Keys[K] extends Later<infer T> ? T : never;
};

interface Differences<Keys extends z.ZodRawShape, Omitted, Added> {
  /** Keys of the file that the effective form lacks. */
  omit: readonly (Omitted & keyof Keys & string)[];
  /** Keys that it has instead, and their values. */
  add?: z.ZodType<Added> & { shape: z.ZodRawShape };
  values?: (written: z.output<z.ZodObject<Keys>>) => Added;
}

type Section<Keys extends z.ZodRawShape, T> = z.ZodCodec<z.ZodObject<Keys>, z.ZodType<T, T>>;

export function section<Keys extends z.ZodRawShape, Omitted extends string = never, Added = unknown>(
  keys: Keys,
  description?: string,
  { omit, add, values }: Differences<Keys, Omitted, Added> = { omit: [] },
): Section<Keys, Effective<Keys, Omitted> & Readonly<Added>> {
  const written = z.strictObject(keys);
  const form = z.looseObject({ ...storedKeys(keys, omit), ...add?.shape });
  const made = z.codec(description === undefined ? written : written.describe(description), form, {
    decode: (input) => ({
      ...effective(keys, omit, input),
      ...values?.(input as z.output<z.ZodObject<Keys>>),
    }),
    encode: () => {
      throw new AssertionError('a section is only read');
    },
  });
  return made as never;
}

/** What was read with these keys, in the form that takes effect, without those that become something else. */
export function effective<Keys extends z.ZodRawShape, Omitted extends keyof Keys>(
  keys: Keys,
  omit: readonly Omitted[],
  input: Written,
): Effective<Keys, Omitted> {
  const kept = keptKeys(keys, omit).filter(([key, schema]) => {
    const mark = LATER.get(schema);
    return mark === undefined || input[key] !== mark.initial;
  });
  return Object.fromEntries(kept.map(([key]) => [camel(key), input[key] ?? null])) as never;
}

/** The check of that form. */
export function storedKeys(keys: z.ZodRawShape, omit: readonly string[]): Record<string, z.ZodType> {
  return Object.fromEntries(keptKeys(keys, omit).map(([key, schema]) => [camel(key), stored(schema)]));
}

function keptKeys(keys: z.ZodRawShape, omit: readonly PropertyKey[]) {
  return Object.entries(keys).filter(([key]) => !omit.includes(key));
}

/**
 * A key that was added after logs had been written, or that few scenarios have: absent from the effective form
 * if it has its initial value, so that the chains of scenarios without it stay. This value can never change.
 */
export function later<S extends z.ZodType, const V extends boolean | number | string>(
  schema: S,
  initial: V & z.output<S>,
): z.ZodDefault<S> & Later<Exclude<z.output<S>, V>>;
export function later<S extends z.ZodType>(schema: S): z.ZodOptional<S> & Later<z.output<S>>;
export function later(schema: z.ZodType, initial?: unknown): z.ZodType {
  return (initial === undefined ? schema.optional() : schema.default(initial)).register(LATER, { initial });
}
const LATER = z.registry<{ initial: unknown }>();

/** The form in logs of a key whose values there may be others than those that authors may write. */
export const LOGGED = z.registry<{ as: unknown }>();

/** Keys that change nothing in what is played: a run's genesis does not cover them. */
export const OUTSIDE_CHAIN = z.registry<{ because: string }>();

/** A section, or a scenario, in the form that takes effect, without the keys that are marked `OUTSIDE_CHAIN`. */
export function inChain(keys: z.core.$ZodShape, value: object): Readonly<Record<string, unknown>> {
  const schemas = new Map(Object.entries(keys).map(([key, schema]) => [camel(key), schema]));
  const kept = Object.entries(value).flatMap(([key, one]: [string, unknown]) => {
    const schema = schemas.get(key);
    if (schema === undefined) return [[key, one] as const];
    if (OUTSIDE_CHAIN.get(schema) !== undefined) return [];
    const inner = keysOf(schema);
    return [[key, inner === null || !isRecord(one) ? one : inChain(inner, one)] as const];
  });
  return Object.fromEntries(kept);
}

/** Those of a section; null for other schemas. */
function keysOf(schema: z.core.$ZodType): z.core.$ZodShape | null {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return keysOf(schema.unwrap());
  return schema instanceof z.ZodPipe && schema.in instanceof z.ZodObject ? schema.in.shape : null;
}

/** The check of a value as logs store it; fields added by a newer program are accepted. */
export function stored(schema: z.core.$ZodType): z.ZodType {
  const form = LOGGED.get(schema)?.as;
  if (form instanceof z.ZodType) return form;
  const key = LATER.get(schema);
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  if (isWrapper && key !== undefined) {
    const set = stored(schema.unwrap()).refine((value) => value !== key.initial);
    return set.exactOptional();
  }
  if (schema instanceof z.ZodOptional) return stored(schema.unwrap()).nullable();
  if (isWrapper) return stored(schema.unwrap());
  // Its result is in that form already.
  if (schema instanceof z.ZodPipe && schema.out instanceof z.ZodType) return schema.out;
  if (schema instanceof z.ZodArray) return schema.clone({ ...schema.def, element: stored(schema.element) });
  const isStrict = schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodNever;
  assert(schema instanceof z.ZodType && !isStrict, 'sections of a section are made by `section` too');
  return schema;
}

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

type Written = Readonly<Record<string, unknown>>;

/**
 * Why a key that its author wrote has no effect, as said after "has no effect", and what to do; false if it has
 * one. Both the section and the scenario are as they were written, without defaults.
 */
export type NoEffect = (
  section: Written,
  scenario: Written,
  key: string,
) => readonly [because: string, hint: string] | false;

/** For keys that have no effect in combination with certain others, of which their author is warned. */
export const NO_EFFECT = z.registry<{ rules: readonly NoEffect[] }>();
