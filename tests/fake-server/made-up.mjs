// @ts-check
/**
 * Replies that fit a constraint, made up from its text alone: any string of a regular expression or a grammar, any instance of a JSON
 * Schema, any call of an offered tool. In go the constraint and a number, the same number gives the same reply. Nothing here knows what the
 * words mean, so what is readable in them is the form's merit.
 */
import fc from 'fast-check';
import { isFields } from './fields.mjs';
import { gbnfRegExp } from './gbnf.mjs';

/**
 * @typedef {import('./constraints.mjs').Constraint} Constraint
 * @typedef {import('./server.mjs').Message} Message
 * @typedef {import('fast-check').Arbitrary<unknown>} Any
 */

/** All messages that the constraint allows. @param {Constraint} constraint @returns {import('fast-check').Arbitrary<Message>} */
export function allowed({ language, told }) {
  switch (language) {
    case 'regex':
      return words(new RegExp(`^(?:${String(told)})$`, 'u'));
    case 'gbnf':
      return words(gbnfRegExp(String(told)));
    case 'choice':
      return fc.constantFrom(...listOf(told).map(String)).map((content) => ({ content }));
    case 'schema':
      return instances(told).map((value) => ({ content: JSON.stringify(value) }));
    case 'tools':
      return calls(listOf(told));
  }
}

/** One of them. @param {Constraint} constraint @param {number} seed @returns {Message} */
export function madeUp(constraint, seed) {
  // A run of several values begins with simple ones.
  return (
    fc.sample(allowed(constraint), { seed, numRuns: 1 + (Math.abs(seed) % 8) }).at(-1) ?? { content: '' }
  );
}

/** @param {RegExp} pattern @returns {import('fast-check').Arbitrary<Message>} */
function words(pattern) {
  return fc.stringMatching(pattern).map((content) => ({ content }));
}

/** @param {readonly unknown[]} tools @returns {import('fast-check').Arbitrary<Message>} */
function calls(tools) {
  const each = tools.map((tool) => {
    const called = fieldOf(tool, 'function');
    return instances(fieldOf(called, 'parameters')).map((given) => ({
      content: null,
      toolCalls: [
        {
          id: 'call_0',
          type: 'function',
          function: { name: fieldOf(called, 'name'), arguments: JSON.stringify(given) },
        },
      ],
    }));
  });
  return fc.oneof(...each);
}

/** By the words of JSON Schema that forms and tools use. @param {unknown} schema @returns {Any} */
function instances(schema) {
  const either = listOf(fieldOf(schema, 'anyOf'));
  if (either.length > 0) return fc.oneof(...either.map(instances));
  const values = fieldOf(schema, 'enum') ?? [fieldOf(schema, 'const')];
  if (listOf(values)[0] !== undefined) return fc.constantFrom(...listOf(values));
  const type = fieldOf(schema, 'type');
  if (type === 'integer')
    return fc.integer(between(numberOf(schema, 'minimum'), numberOf(schema, 'maximum')));
  if (type === 'boolean') return fc.boolean();
  if (type === 'string') return texts(schema);
  const properties = fieldOf(schema, 'properties');
  return isFields(properties) ? objects(properties, listOf(fieldOf(schema, 'required'))) : fc.constant({});
}

/** @param {unknown} schema @returns {Any} */
function texts(schema) {
  const pattern = fieldOf(schema, 'pattern');
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern, 'u'));
  const { min: minLength = 0, max: maxLength = 20 } = between(
    numberOf(schema, 'minLength'),
    numberOf(schema, 'maxLength'),
  );
  return fc.string({ unit: 'binary', minLength, maxLength });
}

/** @param {number | undefined} min @param {number | undefined} max @returns {{ min?: number, max?: number }} */
function between(min, max) {
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

/** @param {import('./fields.mjs').Fields} properties @param {readonly unknown[]} required @returns {Any} */
function objects(properties, required) {
  const entries = Object.entries(properties).map(([name, inner]) => {
    const value = instances(inner).map((one) => [[name, one]]);
    return required.includes(name) ? value : fc.oneof(value, fc.constant([]));
  });
  return fc.tuple(...entries).map((fields) => Object.fromEntries(fields.flat()));
}

/** @param {unknown} value @param {string} name @returns {unknown} */
function fieldOf(value, name) {
  return isFields(value) ? value[name] : undefined;
}

/** @param {unknown} value @returns {readonly unknown[]} */
function listOf(value) {
  return Array.isArray(value) ? value : [];
}

/** @param {unknown} schema @param {string} name @returns {number | undefined} */
function numberOf(schema, name) {
  const value = fieldOf(schema, name);
  return typeof value === 'number' ? value : undefined;
}
