/**
 * Guided decoding: chooses the request field that tells the server which answers are acceptable, in a
 * language that this kind of server supports (`capabilities.ts`). Servers ignore unknown fields, so a
 * constraint that was sent may have had no effect: `guided-check.ts` checks the reply.
 */
import type { Json, JsonObject } from '../base/json.js';
import { assert } from '../base/assert.js';
import type { RequestForm } from './chat.js';
import { CONSTRAINT_FIELDS, constraintWays } from './capabilities.js';
import type { ConstraintLanguage, ConstraintWay, ServerKind } from './capabilities.js';
import { member } from './fault.js';
import type { Fault } from './fault.js';

/** A way to constrain, with the request's form in its language. */
export interface Constraint {
  name: string;
  language: ConstraintLanguage;
  fields: JsonObject;
  /** Tools are sent with `guidedParameters`. */
  isExact: boolean;
  /** Tools are sent as `strict`. */
  isStrict: boolean;
}

/** The request fields for a constraint in the server's language. */
export function fieldsFor({ at, otherFields }: ConstraintWay, value: Json): JsonObject {
  return withValueAt(otherFields, at.split('.'), value);
}

function withValueAt(object: unknown, [name, ...rest]: readonly string[], value: Json): JsonObject {
  assert(name !== undefined, 'a path must have at least one part');
  const inner = rest.length === 0 ? value : withValueAt(member(object, name), rest, value);
  return { ...(object as JsonObject | undefined), [name]: inner };
}

/**
 * The one constraint for a request: a tool call if tools are offered, otherwise the guided form. Null if the
 * server or the request has none.
 */
export function constraintFor(kind: ServerKind | null, form: RequestForm): Constraint | null {
  for (const way of constraintWays(kind)) {
    const { name, language, isExact = false, isStrict = false } = way;
    const isOfTools = language === 'tools';
    if (isOfTools !== form.tools.length > 0) continue;
    // In the language `tools`, some tool must be called.
    const value = isOfTools ? 'required' : (form.guided?.[language] ?? null);
    if (value !== null) return { name, language, fields: fieldsFor(way, value), isExact, isStrict };
  }
  return null;
}

/** How servers name their constraints when they refuse one: the fields themselves, or words for them. */
const CONSTRAINT_NAMES = new RegExp(
  [...CONSTRAINT_FIELDS, 'structured', 'guided', 'json ?schema', 'tool choice', 'requested parameters'].join(
    '|',
  ),
  'i',
);

/** Whether a server refused a request because of its constraint. */
export function refusesConstraint({ kind, message }: Fault): boolean {
  return ['setting', 'request', 'no-path'].includes(kind) && CONSTRAINT_NAMES.test(message);
}
