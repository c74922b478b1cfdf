// @ts-check
/**
 * What a server does with a constraint: finds it among the fields that its kind knows, and either holds the reply to it or acts as if
 * it were not there. Holding means: a reply that fits stays, any other becomes the first thing that fits.
 */
import { isFields } from './fields.mjs';

/**
 * @typedef {import('./fields.mjs').Fields} Fields
 * @typedef {{ field: string, language: 'regex' | 'gbnf' | 'schema' | 'tools', told: unknown }} Constraint
 */

/** Where each kind looks, and what it reads there. @type {Record<import('./dialects.mjs').Kind, Record<string, 'regex' | 'gbnf' | 'schema' | 'tools'>>} */
const FIELDS = {
  vllm: {
    'structured_outputs.regex': 'regex',
    'structured_outputs.grammar': 'gbnf',
    'structured_outputs.json': 'schema',
    'response_format.json_schema.schema': 'schema',
    tool_choice: 'tools',
  },
  'llama.cpp': {
    grammar: 'gbnf',
    json_schema: 'schema',
    'response_format.json_schema.schema': 'schema',
    tool_choice: 'tools',
  },
  ollama: { 'response_format.json_schema.schema': 'schema' },
  lmstudio: { 'response_format.json_schema.schema': 'schema', tool_choice: 'tools' },
  sglang: {
    regex: 'regex',
    ebnf: 'gbnf',
    'response_format.json_schema.schema': 'schema',
    tool_choice: 'tools',
  },
  hosted: { 'response_format.json_schema.schema': 'schema', tool_choice: 'tools' },
};

/** Every field that constrains on some server. */
export const CONSTRAINT_FIELDS = new Set(
  Object.values(FIELDS).flatMap((fields) => Object.keys(fields).map((path) => path.split('.')[0] ?? '')),
);

/** @param {import('./dialects.mjs').Kind} kind @param {string} field */
export function knows(kind, field) {
  return Object.keys(FIELDS[kind]).some((path) => path.split('.')[0] === field);
}

/** The constraint that a server of this kind sees in a request. @param {import('./dialects.mjs').Kind} kind @param {Fields} body @returns {Constraint | null} */
export function constraintIn(kind, body) {
  for (const [field, language] of Object.entries(FIELDS[kind])) {
    const told = at(body, field);
    if (language === 'tools' && told === 'required') return { field, language, told: body['tools'] };
    if (language !== 'tools' && told !== undefined) return { field, language, told };
  }
  return null;
}

/** @param {unknown} value @param {string} path @returns {unknown} */
function at(value, path) {
  return path.split('.').reduce((inner, name) => (isFields(inner) ? inner[name] : undefined), value);
}

/** @param {Constraint} constraint @param {import('./server.mjs').Message} message @returns {import('./server.mjs').Message} */
export function held(constraint, message) {
  if (constraint.language === 'tools') return message.toolCalls ? message : calling(constraint.told);
  const { content } = message;
  return content !== null && fits(constraint, content)
    ? message
    : { ...message, content: sample(constraint) };
}

/** @param {unknown} tools @returns {import('./server.mjs').Message} */
function calling(tools) {
  const [tool] = Array.isArray(tools) ? tools : [];
  const called = at(tool, 'function');
  const given = JSON.stringify(instance(at(called, 'parameters')));
  const call = { id: 'call_0', type: 'function', function: { name: at(called, 'name'), arguments: given } };
  return { content: null, toolCalls: [call] };
}

/** @param {Constraint} constraint @param {string} content */
function fits({ language, told }, content) {
  if (language === 'regex') return new RegExp(`^(?:${String(told)})$`, 'u').test(content);
  if (language !== 'schema') return false;
  try {
    return isInstance(JSON.parse(content), told);
  } catch {
    return false;
  }
}

/** By keys and choices, as far as a test's replies need it. @param {unknown} value @param {unknown} schema @returns {boolean} */
function isInstance(value, schema) {
  const choices = at(schema, 'anyOf');
  if (Array.isArray(choices)) return choices.some((one) => isInstance(value, one));
  const allowed = at(schema, 'enum');
  if (Array.isArray(allowed)) return allowed.includes(value);
  const properties = at(schema, 'properties');
  if (!isFields(properties)) return true;
  const required = /** @type {string[]} */ (at(schema, 'required') ?? []);
  return (
    isFields(value) &&
    required.every((name) => name in value) &&
    Object.entries(value).every(([name, inner]) => name in properties && isInstance(inner, properties[name]))
  );
}

/** The first of a plain choice. @param {Constraint} constraint */
function sample({ language, told }) {
  if (language === 'schema') return JSON.stringify(instance(told));
  const choice = language === 'regex' ? /^\(?(?:\?:)?([^|()]+)/ : /"([^"]+)"/;
  return choice.exec(String(told))?.[1] ?? '';
}

/** @param {unknown} schema @returns {unknown} */
function instance(schema) {
  const [first] = /** @type {unknown[]} */ (at(schema, 'enum') ?? [at(schema, 'const')]);
  if (first !== undefined) return first;
  const choices = at(schema, 'anyOf');
  if (Array.isArray(choices)) return instance(choices[0]);
  const properties = at(schema, 'properties');
  if (!isFields(properties)) return 'x'.repeat(Number(at(schema, 'minLength') ?? 0));
  return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, instance(inner)]));
}
