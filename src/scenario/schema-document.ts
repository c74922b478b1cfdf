/**
 * Documents derived from the schemas: the JSON Schema for completion and checks in editors, and the list of
 * all keys with their meaning, for docs/reference/scenario-format.md and docs/reference/batch-file.md. They
 * are generated, and tests compare them, so they can't become outdated.
 */
import { z } from 'zod';
import { assert } from '../base/assert.js';
import { isRecord, type Json, type JsonObject } from '../base/json.js';
import { scenarioSchema } from './load.js';
import { childOf } from './records.js';
import { batchSchema } from './schema-batch.js';
import type { WorldReader } from './world.js';

function worldSchema(world: WorldReader): JsonObject {
  return documentOf(scenarioSchema(world));
}

/** The JSON Schema of a scenario in the world that its `environment` names; if it names none, the first. */
export function scenarioSchemaOf(worlds: readonly WorldReader[]): Json {
  const [first, ...others] = worlds;
  assert(first !== undefined, 'a world for scenarios');
  const combined = others.reduce(addWorld, splitDefinitions(worldSchema(first)));
  const { $schema = '' } = worldSchema(first);
  return { $schema, title: 'An orchestrate scenario', ...combined.body, definitions: combined.definitions };
}

/**
 * Adds the schema of one more world: it applies if `environment` names this world, otherwise the previous.
 */
function addWorld(previous: SplitSchema, world: WorldReader): SplitSchema {
  const { body, definitions } = splitDefinitions(prefixDefinitions(worldSchema(world), world.kind));
  const isThisWorld = { properties: { environment: { const: world.kind } }, required: ['environment'] };
  return {
    // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
    body: { if: isThisWorld, then: body, else: previous.body },
    definitions: { ...previous.definitions, ...definitions },
  };
}

/**
 * A schema without its definitions, and the definitions, which must be at the root of the combined schema.
 */
interface SplitSchema {
  body: JsonObject;
  definitions: JsonObject;
}

function splitDefinitions({ $schema: _draft, definitions, ...body }: JsonObject): SplitSchema {
  return { body, definitions: isRecord<Json>(definitions) ? definitions : {} };
}

/** The schema with the world's name as a prefix of its definitions, so that they are unique. */
function prefixDefinitions(schema: JsonObject, kind: string): JsonObject {
  const text = JSON.stringify(schema).replaceAll('"#/definitions/', `"#/definitions/${kind}-`);
  const { definitions, ...own }: JsonObject = JSON.parse(text);
  const definitionsByName = Object.entries(isRecord<Json>(definitions) ? definitions : {});
  return {
    ...own,
    definitions: Object.fromEntries(
      definitionsByName.map(([name, definition]) => [`${kind}-${name}`, definition]),
    ),
  };
}

/** The text of the schema file. */
export function schemaText(worlds: readonly WorldReader[]): string {
  return `${JSON.stringify(scenarioSchemaOf(worlds), null, 2)}\n`;
}

export interface SchemaKeyRow {
  /** Such as `agents[].memory.kind`; `rooms.*.area` for keys of an entry. */
  path: string;
  type: string;
  /** As JSON; '' if the key has none. */
  default: string;
  isRequired: boolean;
  description: string;
}

/** Every key of the format, parents before children, in the order of the schema. */
export function keyRows(world: WorldReader): readonly SchemaKeyRow[] {
  const schema = worldSchema(world);
  return rowsOf({ root: schema, prefix: '' }, schema);
}

/** The JSON Schema of a batch. */
export function batchSchemaText(): string {
  const { $schema, ...json } = documentOf(batchSchema);
  return `${JSON.stringify({ $schema, title: 'An orchestrate batch', ...json }, null, 2)}\n`;
}

/** Every key of a batch. */
export function batchKeyRows(): readonly SchemaKeyRow[] {
  const schema = documentOf(batchSchema);
  return rowsOf({ root: schema, prefix: '' }, schema);
}

function documentOf(schema: z.ZodType): JsonObject {
  const json: JsonObject = JSON.parse(
    JSON.stringify(z.toJSONSchema(schema, { target: 'draft-7', io: 'input' })),
  );
  return json;
}

/** The keys that a world adds to those of every scenario. */
export function worldKeyRows(world: WorldReader): readonly SchemaKeyRow[] {
  return keyRows(world).filter(({ path }) => {
    const inAgent = /^agents\[\]\.(\w+)/.exec(path)?.[1];
    if (inAgent !== undefined) return Object.hasOwn(world.agentKeys, inAgent);
    return Object.hasOwn(world.keys, /^\w+/.exec(path)?.[0] ?? '');
  });
}

interface SchemaWalk {
  root: Json;
  prefix: string;
}

function rowsOf(walk: SchemaWalk, node: unknown): readonly SchemaKeyRow[] {
  const properties = childOf(node, 'properties');
  if (!isRecord<Json>(properties)) return [];
  const required = childOf(node, 'required');
  return Object.entries(properties).flatMap(([key, child]) => {
    const isRequired = Array.isArray(required) && required.includes(key);
    const path = `${walk.prefix}${key}`;
    const description =
      childOf(child, 'description') ?? childOf(resolveReference(walk.root, child), 'description');
    const defaultValue = childOf(child, 'default');
    return [
      {
        path,
        type: typeOf(walk.root, child),
        default: defaultValue === undefined || isRecord(defaultValue) ? '' : JSON.stringify(defaultValue),
        isRequired,
        description: typeof description === 'string' ? description : '',
      },
      ...childRows({ ...walk, prefix: path }, child),
    ];
  });
}

/** Conditions contain conditions, so their keys are listed only once, at `success`. */
function childRows(walk: SchemaWalk, node: unknown): readonly SchemaKeyRow[] {
  const alternatives = childOf(node, 'anyOf');
  if (Array.isArray(alternatives)) return alternatives.flatMap((form) => childRows(walk, form));
  const ownRows = rowsOf({ ...walk, prefix: `${walk.prefix}.` }, node);
  const entries = childOf(node, 'additionalProperties');
  const items = childOf(node, 'items');
  const entryRows = isRecord(entries) ? childRows({ ...walk, prefix: `${walk.prefix}.*` }, entries) : [];
  const itemRows = isRecord(items) ? childRows({ ...walk, prefix: `${walk.prefix}[]` }, items) : [];
  return [...ownRows, ...entryRows, ...itemRows];
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  array: 'list',
  object: 'keys',
};

/** The target of a reference within the document; other nodes are returned unchanged. */
function resolveReference(root: Json, node: unknown): unknown {
  const reference = childOf(node, '$ref');
  if (typeof reference !== 'string') return node;
  return reference.split('/').slice(1).reduce<unknown>(childOf, root);
}

function typeOf(root: Json, schema: unknown): string {
  const node = resolveReference(root, schema);
  const choices = childOf(node, 'enum');
  if (Array.isArray(choices)) return choices.map((choice) => `\`${String(choice)}\``).join(', ');
  const alternatives = childOf(node, 'anyOf');
  if (Array.isArray(alternatives)) return alternatives.map((form) => typeOf(root, form)).join(' or ');
  const only = childOf(node, 'const');
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  const type = childOf(node, 'type');
  return typeof type === 'string' ? (TYPE_NAMES[type] ?? type) : 'keys';
}
