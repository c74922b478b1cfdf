/**
 * Whether a reply matches the form that the server was asked to enforce. It has no influence on whether a reply
 * acts, which only the parser decides. Its time is bounded by the length that it checks.
 */
import { LIMITS } from '../base/limits.js';
import type { Reply, RequestForm } from './chat.js';
import type { ConstraintLanguage } from './capabilities.js';
import { member } from './fault.js';
import { parsedJson } from '../base/json.js';

/**
 * True if the reply could have been produced under the constraint. A reply that did not end properly proves
 * nothing, so it counts as true.
 */
export function satisfiesConstraint(
  language: ConstraintLanguage,
  form: RequestForm,
  reply: Pick<Reply, 'content' | 'toolCalls' | 'finishReason'>,
): boolean {
  if (reply.finishReason !== 'stop' && reply.finishReason !== 'tool_calls') return true;
  if (language === 'tools') {
    const names = form.tools.map(({ name }) => name);
    return reply.toolCalls.length > 0 && reply.toolCalls.every(({ name }) => names.includes(name));
  }
  const { guided } = form;
  if (guided === null) return true;
  if (reply.content.length > LIMITS.guidedCharacters) return false;
  // Some servers leave reasoning in the content and enforce the form only after it. They may also end the reply
  // with white space.
  const end = reply.content.lastIndexOf(END_OF_THOUGHT);
  const answer = (end < 0 ? reply.content : reply.content.slice(end + END_OF_THOUGHT.length)).trim();
  if (language !== 'schema') return new RegExp(`^(?:${guided.regex})$`, 'u').test(answer);
  const value = parsedJson(answer);
  return value !== undefined && matchesSchema(value, guided.schema);
}

const END_OF_THOUGHT = '</think>';

/**
 * Checks a value against the keywords of JSON Schema that guided forms use: type, const, enum, properties,
 * required, additionalProperties false, items, anyOf, pattern. Other keywords are left to the parser.
 */
function matchesSchema(value: unknown, schema: unknown): boolean {
  const choices = member(schema, 'anyOf') ?? member(schema, 'oneOf');
  if (Array.isArray(choices) && !choices.some((one: unknown) => matchesSchema(value, one))) return false;
  const constant = member(schema, 'const');
  if (constant !== undefined && value !== constant) return false;
  const allowed = member(schema, 'enum');
  if (Array.isArray(allowed) && !allowed.includes(value)) return false;
  if (!isOfType(value, member(schema, 'type'))) return false;
  const pattern = member(schema, 'pattern');
  if (typeof pattern === 'string' && typeof value === 'string' && !new RegExp(pattern, 'u').test(value))
    return false;
  if (Array.isArray(value))
    return value.every((item: unknown) => matchesSchema(item, member(schema, 'items')));
  return typeof value !== 'object' || value === null || propertiesFit(value, schema);
}

function propertiesFit(value: object, schema: unknown): boolean {
  const properties = member(schema, 'properties');
  const required = member(schema, 'required');
  const hasRequired =
    !Array.isArray(required) || required.every((name) => Object.hasOwn(value, String(name)));
  const isClosed = member(schema, 'additionalProperties') === false;
  return (
    hasRequired &&
    Object.entries(value).every(([name, item]) => {
      const known = member(properties, name);
      return known === undefined ? !isClosed : matchesSchema(item, known);
    })
  );
}

function isOfType(value: unknown, type: unknown): boolean {
  if (Array.isArray(type)) return type.some((one: unknown) => isOfType(value, one));
  switch (type) {
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'number':
    case 'string':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}
