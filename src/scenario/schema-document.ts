/**
 * What follows from the schemas for people: the JSON Schema that editors complete and check with, and the list of all keys
 * with what they mean, for docs/SCENARIO.md. Both are generated and compared by tests, so they can't go stale.
 */
import { z } from 'zod';
import type { Json } from '../base/json.js';
import { gridWorld } from './grid/grid-world.js';
import { scenarioSchema } from './load.js';
import { childOf, isRecord } from './records.js';

/** The JSON Schema (draft 7) of a scenario in the grid. */
export function generateSchema(): Json {
  const schema = z.toJSONSchema(scenarioSchema(gridWorld), { target: 'draft-7', io: 'input' });
  const titled = { $schema: schema.$schema, title: 'A scenario of orchestrate', ...schema };
  const json: Json = JSON.parse(JSON.stringify(titled));
  return json;
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
export function keyRows(schema: Json = generateSchema()): readonly KeyRow[] {
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
