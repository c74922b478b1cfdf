/**
 * Follows a path through a zod schema to find what is expected there: the known keys, or whether a number
 * must be whole.
 */
import { z } from 'zod';
import { childOf } from './records.js';
import type { YamlPath } from './tree.js';

/** The schemas at a path, without wrappers: one, or the forms of a choice. */
export function schemasAt(schema: unknown, path: YamlPath): readonly unknown[] {
  const schemas = path.reduce<readonly unknown[]>(
    (level, step) => level.flatMap((schemaAtLevel) => childrenAt(schemaAtLevel, step)),
    [schema],
  );
  return schemas.flatMap((reachedSchema) => unwrap(reachedSchema));
}

/** Every key that the schema knows at a path; choices offer the keys of all their forms. */
export function knownKeys(schema: unknown, path: YamlPath): readonly string[] {
  return schemasAt(schema, path).flatMap((reachedSchema) =>
    reachedSchema instanceof z.ZodObject ? Object.keys(reachedSchema.shape) : [],
  );
}

/**
 * The paths of the keys of a scenario's sections, such as `turns.max`, except keys in lists and in records by
 * id.
 */
export function sectionKeyPaths(schema: unknown): readonly (readonly string[])[] {
  return knownKeys(schema, []).flatMap((section) =>
    knownKeys(schema, [section]).map((key) => [section, key]),
  );
}

export function isWholeNumber(schema: unknown): boolean {
  return schema instanceof z.ZodNumberFormat;
}

/** A schema without its wrappers, or all forms of a choice. */
function unwrap(schema: unknown): readonly unknown[] {
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodLazy;
  if (isWrapper) return unwrap(schema.unwrap());
  if (schema instanceof z.ZodPipe) return unwrap(schema.in);
  return schema instanceof z.ZodUnion ? schema.options.flatMap((option) => unwrap(option)) : [schema];
}

/** The schemas one step further, with their wrappers. */
export function childrenAt(schema: unknown, step: string | number): readonly unknown[] {
  return unwrap(schema).flatMap((form): readonly unknown[] => {
    if (form instanceof z.ZodObject) return [childOf(form.shape, step)];
    if (form instanceof z.ZodRecord) return [form.valueType];
    if (form instanceof z.ZodTuple && typeof step === 'number') return [form.def.items[step]];
    return form instanceof z.ZodArray ? [form.element] : [];
  });
}
