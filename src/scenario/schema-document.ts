/**
 * What follows from the schemas for people: the JSON Schema that editors complete and check with, and the list of all keys
 * with what they mean, for docs/SCENARIO.md. Both are generated and compared by tests, so they can't go stale.
 */
import { z } from 'zod';
import { assert } from '../base/assert.js';
import type { Json } from '../base/json.js';
import { gridWorld } from './grid/grid-world.js';
import { STANDARD_WORLDS, scenarioSchema } from './load.js';
import { childOf, isRecord } from './records.js';
import type { WorldReader } from './world.js';

/**
 * The JSON Schema (draft 7) of a scenario in any environment: which keys there are hangs on `environment`, and without it they are those
 * of the first world.
 */
export function generateSchema(worlds: readonly WorldReader[] = STANDARD_WORLDS): Json {
  const [first, ...others] = worlds.map((world) => ({ kind: world.kind, ...parted(worldSchema(world)) }));
  assert(first !== undefined, 'there is a world');
  const chosen = others.reduceRight<Json>(
    (rest, { kind, body }) => ({
      if: { properties: { environment: { const: kind } }, required: ['environment'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema, never awaited
      then: body,
      else: rest,
    }),
    first.body,
  );
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A scenario of orchestrate',
    ...(isRecord<Json>(chosen) ? chosen : {}),
    definitions: Object.assign({}, ...[first, ...others].map(({ definitions }) => definitions)) as Json,
  };
}

/** The JSON Schema of a scenario in one environment. */
export function worldSchema(world: WorldReader): Json {
  const schema = z.toJSONSchema(scenarioSchema(world), { target: 'draft-7', io: 'input' });
  const json: Json = JSON.parse(JSON.stringify(schema));
  return json;
}

/** A schema without what stands at the top of a document, and its definitions, which only a document may have. */
function parted(schema: Json): { readonly body: Json; readonly definitions: Json } {
  assert(isRecord<Json>(schema), 'a schema is a record');
  const { $schema: _, definitions = {}, ...body } = schema;
  return { body, definitions };
}

/** The schema file's text. */
export function schemaText(): string {
  return `${JSON.stringify(generateSchema(), null, 2)}\n`;
}

export interface KeyRow {
  /** Such as `agents[].memory.kind`; `rooms.*.area` for keys of an entry. */
  readonly path: string;
  readonly type: string;
  /** As JSON; '' where the key has none. */
  readonly default: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/** Every key of the format, parents before children, in the order of the schema. */
export function keyRows(schema: Json = worldSchema(gridWorld)): readonly KeyRow[] {
  return rowsOf({ root: schema, prefix: '' }, schema);
}

interface Walk {
  readonly root: Json;
  readonly prefix: string;
}

function rowsOf(walk: Walk, node: unknown): readonly KeyRow[] {
  const properties = childOf(node, 'properties');
  if (!isRecord<Json>(properties)) return [];
  const required = childOf(node, 'required');
  return Object.entries(properties).flatMap(([key, child]) => {
    const isRequired = Array.isArray(required) && required.includes(key);
    const path = `${walk.prefix}${key}`;
    return [rowOf(walk, child, { path, isRequired }), ...childRows({ ...walk, prefix: path }, child)];
  });
}

/** Conditions hold conditions: their keys are listed once, at `success`. */
function childRows(walk: Walk, node: unknown): readonly KeyRow[] {
  const forms = childOf(node, 'anyOf');
  if (Array.isArray(forms)) return forms.flatMap((form) => childRows(walk, form));
  const own = rowsOf({ ...walk, prefix: `${walk.prefix}.` }, node);
  const entries = childOf(node, 'additionalProperties');
  const items = childOf(node, 'items');
  const more = isRecord(entries) ? childRows({ ...walk, prefix: `${walk.prefix}.*` }, entries) : [];
  const listed = isRecord(items) ? childRows({ ...walk, prefix: `${walk.prefix}[]` }, items) : [];
  return [...own, ...more, ...listed];
}

function rowOf(walk: Walk, node: Json, { path, isRequired }: { path: string; isRequired: boolean }): KeyRow {
  const description = childOf(node, 'description') ?? childOf(resolved(walk.root, node), 'description');
  const initial = childOf(node, 'default');
  return {
    path,
    type: typeOf(walk.root, node),
    default: initial === undefined || isRecord(initial) ? '' : JSON.stringify(initial),
    isRequired,
    description: typeof description === 'string' ? description : '',
  };
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  array: 'list',
  object: 'keys',
};

/** What a reference within the document stands for; other nodes are themselves. */
function resolved(root: Json, node: unknown): unknown {
  const reference = childOf(node, '$ref');
  if (typeof reference !== 'string') return node;
  return reference.split('/').slice(1).reduce<unknown>(childOf, root);
}

function typeOf(root: Json, given: unknown): string {
  const node = resolved(root, given);
  const choices = childOf(node, 'enum');
  if (Array.isArray(choices)) return choices.map((choice) => `\`${String(choice)}\``).join(', ');
  const forms = childOf(node, 'anyOf');
  if (Array.isArray(forms)) return forms.map((form) => typeOf(root, form)).join(' or ');
  const only = childOf(node, 'const');
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  const type = childOf(node, 'type');
  return typeof type === 'string' ? (WORDS[type] ?? type) : 'keys';
}
