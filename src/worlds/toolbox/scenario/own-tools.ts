/**
 * Reads and checks tools from a user's module. Their parameters are JSON Schema, restricted to what an
 * action's grammar can express.
 */
import { z } from 'zod';
import { assert } from '../../../base/assert.js';
import { UsageError } from '../../../base/errors.js';
import { isRecord, type Json } from '../../../base/json.js';
import { LIMITS } from '../../../base/limits.js';
import type { ToolParameter, DefinedTool } from '../definition.js';
import { TOOL_NAMES } from '../toolbox.js';

/**
 * `args` has the parameters by name. The return value becomes text for the agent; an exception is shown as an
 * error.
 */
export type RunTool = (args: Readonly<Record<string, string | number>>, signal: AbortSignal) => unknown;

export interface OwnTool extends DefinedTool {
  run: RunTool;
}

const word = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,30}$/, 'must be a letter followed by at most 30 letters, digits, _ or -');

const parameterSchema = z.union([
  z.strictObject({
    type: z.literal('string').optional(),
    enum: z.array(word).min(1).max(32),
    description: z.string().max(LIMITS.goalCharacters).default(''),
  }),
  z.strictObject({
    type: z.literal('string'),
    maxLength: z.int().min(1).max(LIMITS.finalAnswerCharacters).default(LIMITS.queryCharacters),
    description: z.string().max(LIMITS.goalCharacters).default(''),
  }),
  z.strictObject({
    type: z.literal('integer'),
    minimum: z.int().min(-999_999_999).default(-999_999_999),
    maximum: z.int().max(999_999_999).default(999_999_999),
    description: z.string().max(LIMITS.goalCharacters).default(''),
  }),
]);

const toolSchema = z.strictObject({
  name: z.string().regex(/^[A-Za-z][A-Za-z_]{0,23}$/, 'must be a letter followed by at most 23 letters or _'),
  description: z.string().min(1).max(LIMITS.goalCharacters),
  parameters: z
    .strictObject({
      type: z.literal('object').default('object'),
      properties: z.record(
        z
          .string()
          .regex(
            /^[a-z][a-z0-9_]{0,31}$/,
            'must be a lower-case letter followed by at most 31 lower-case letters, digits or _',
          ),
        parameterSchema,
      ),
      required: z.array(z.string()).default([]),
      additionalProperties: z.literal(false).optional(),
    })
    .default({ type: 'object', properties: {}, required: [] }),
  terminal: z.boolean().default(false),
  run: z.custom<RunTool>((value) => typeof value === 'function', 'is not a function'),
});

/** A custom tool: `parameters` as JSON Schema, within what an action's grammar can express. */
export type ToolDefinition = z.input<typeof toolSchema>;

/** The tools of a list that `path` exports. Throws UsageError with every mistake in a list. */
export function readTools(exported: unknown, path: string): readonly OwnTool[] {
  const parsed = z.array(toolSchema).min(1).max(LIMITS.ownTools).safeParse(exported);
  if (!parsed.success) {
    const hints = parsed.error.issues.map(
      (issue) => `${issue.path.join('.') || 'the list'}: ${issue.message}`,
    );
    throw new UsageError(`${path} exports no list of tools`, hints.slice(0, 10));
  }
  const tools = parsed.data.map((tool) => ({
    name: tool.name.toUpperCase(),
    description: tool.description,
    parameters: Object.entries(tool.parameters.properties).map(([name, schema]) =>
      parameterOf(name, schema, tool.parameters.required.includes(name)),
    ),
    ...(tool.terminal ? { isTerminal: true as const } : {}),
    run: tool.run,
  }));
  checkNameClashes(tools, path);
  return tools;
}

function parameterOf(
  name: string,
  schema: z.output<typeof parameterSchema>,
  isRequired: boolean,
): ToolParameter {
  const shared = { name, description: schema.description, isRequired };
  if ('enum' in schema) return { ...shared, form: { kind: 'choice', words: schema.enum } };
  if (schema.type === 'integer')
    return { ...shared, form: { kind: 'integer', min: schema.minimum, max: schema.maximum } };
  return { ...shared, form: { kind: 'text', charactersMax: schema.maxLength } };
}

/** Throws UsageError if two tools have one name, or one has too many parameters. */
export function checkNameClashes(tools: readonly OwnTool[], path: string): void {
  const names = tools.map(({ name }) => name);
  const duplicate = names.find((name, i) => TOOL_NAMES.includes(name) || names.indexOf(name) < i);
  if (duplicate !== undefined)
    throw new UsageError(`${path}: another tool is already called ${duplicate}`, ['give it another name']);
  const overloaded = tools.find(({ parameters }) => parameters.length > LIMITS.toolParameters);
  if (overloaded !== undefined)
    throw new UsageError(
      `${path}: ${overloaded.name} has ${overloaded.parameters.length} parameters; the maximum is ${LIMITS.toolParameters}`,
    );
}

/** A toolbox's definition with these tools. */
export function withTools(definition: Json, tools: readonly OwnTool[]): Json {
  const specs = tools.map(({ run: _run, ...spec }) => spec);
  assert(isRecord<Json>(definition), 'a definition must be a record');
  const json: Json = JSON.parse(JSON.stringify({ ...definition, tools: specs }));
  return json;
}
