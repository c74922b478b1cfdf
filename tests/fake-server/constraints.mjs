// @ts-check
/**
 * What a server does with a constraint: finds it among the fields that its kind knows, and either holds the reply to it or acts as if
 * it were not there. Holding means: a reply that fits stays, any other becomes one that is made up and fits.
 */
import { isFields } from './fields.mjs';
import { gbnfRegExp } from './gbnf.mjs';
import { madeUp } from './made-up.mjs';

/**
 * @typedef {import('./fields.mjs').Fields} Fields
 * @typedef {'regex' | 'gbnf' | 'choice' | 'schema' | 'tools'} Language
 * @typedef {{ field: string, language: Language, told: unknown }} Constraint
 */

/** Where each kind looks, and what it reads there. @type {Record<import('./dialects.mjs').Kind, Record<string, Language>>} */
export const FIELDS = {
  vllm: {
    'structured_outputs.regex': 'regex',
    'structured_outputs.grammar': 'gbnf',
    'structured_outputs.choice': 'choice',
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
  'lm-studio': { 'response_format.json_schema.schema': 'schema', tool_choice: 'tools' },
  sglang: {
    regex: 'regex',
    ebnf: 'gbnf',
    'response_format.json_schema.schema': 'schema',
    tool_choice: 'tools',
  },
  openrouter: { 'response_format.json_schema.schema': 'schema', tool_choice: 'tools' },
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
    // Else the host that it chooses may know nothing of it.
    if (kind === 'openrouter' && language === 'schema' && at(body, 'provider.require_parameters') !== true)
      continue;
    if (language === 'tools' && told === 'required') return { field, language, told: body['tools'] };
    if (language !== 'tools' && told !== undefined) return { field, language, told };
  }
  return null;
}

/** @param {unknown} value @param {string} path @returns {unknown} */
function at(value, path) {
  return path.split('.').reduce((inner, name) => (isFields(inner) ? inner[name] : undefined), value);
}

/** @param {Constraint} constraint @param {import('./server.mjs').Message} message @param {number} seed @returns {import('./server.mjs').Message} */
export function held(constraint, message, seed) {
  if (constraint.language === 'tools') return message.toolCalls ? message : madeUp(constraint, seed);
  const { content } = message;
  return content !== null && fits(constraint, content)
    ? message
    : { ...message, ...madeUp(constraint, seed) };
}

/** @param {Constraint} constraint @param {string} content */
function fits({ language, told }, content) {
  if (language === 'regex') return new RegExp(`^(?:${String(told)})$`, 'u').test(content);
  if (language === 'gbnf') return gbnfRegExp(String(told)).test(content);
  if (language === 'choice') return Array.isArray(told) && told.includes(content);
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
