/**
 * Guided decoding as each server has it: one field of the request that holds the acceptable answers in a language of the server's.
 * In: the kind of server and what the request asks for; out: the fields to add. Servers ignore fields that they don't know, so a
 * constraint that was sent proves nothing: `guided-check.ts` looks at what came.
 */
import type { Json, JsonObject } from '../base/json.js';
import type { GuidedForm, RequestForm } from './chat.js';
import type { Fault } from './fault.js';
import type { ServerKind } from './server.js';

/** How the acceptable answers are told: `tools` is the demand that some tool be called. */
export type ConstraintLanguage = 'regex' | 'gbnf' | 'schema' | 'tools';

/** One way to constrain a reply. */
export interface ConstraintWay {
  /** The field, as users and logs name it, such as `structured_outputs.regex`. */
  readonly name: string;
  readonly language: ConstraintLanguage;
  /** The fields for what is to be said in the way's language. */
  readonly fields: (told: Json) => JsonObject;
  /** The server takes tools whose parameters are a choice of shapes; hosts of others refuse a request with one. */
  readonly isExact?: boolean;
}

/** A way with what a request wants said in it. */
export interface Constraint {
  readonly name: string;
  readonly language: ConstraintLanguage;
  readonly fields: JsonObject;
  /** Tools go out with `guidedParameters`. */
  readonly isExact: boolean;
}

const SCHEMA_NAME = 'answer';

function responseFormat(schema: Json): JsonObject {
  return {
    response_format: { type: 'json_schema', json_schema: { name: SCHEMA_NAME, strict: true, schema } },
  };
}

const JSON_SCHEMA: ConstraintWay = { name: 'response_format', language: 'schema', fields: responseFormat };
const TOOL_CHOICE: ConstraintWay = {
  name: 'tool_choice',
  language: 'tools',
  // vLLM's own schema for this asks for a call or more.
  fields: () => ({ tool_choice: 'required', parallel_tool_calls: false }),
};
const EXACT_TOOLS: ConstraintWay = { ...TOOL_CHOICE, isExact: true };

/**
 * What each kind of server has, the best first: a pattern leaves room to think before the answer, a schema has none but what it
 * holds. Docs: docs/MODELS.md has this table for users, and a test compares the two.
 */
export const CONSTRAINT_WAYS: Readonly<Record<ServerKind | 'unknown', readonly ConstraintWay[]>> = {
  vLLM: [
    { name: 'structured_outputs.regex', language: 'regex', fields: (regex) => structured({ regex }) },
    { name: 'structured_outputs.grammar', language: 'gbnf', fields: (grammar) => structured({ grammar }) },
    { name: 'structured_outputs.json', language: 'schema', fields: (json) => structured({ json }) },
    EXACT_TOOLS,
  ],
  'llama.cpp': [
    { name: 'grammar', language: 'gbnf', fields: (grammar) => ({ grammar }) },
    { name: 'json_schema', language: 'schema', fields: (schema) => ({ json_schema: schema }) },
    EXACT_TOOLS,
  ],
  SGLang: [
    { name: 'regex', language: 'regex', fields: (regex) => ({ regex }) },
    { name: 'ebnf', language: 'gbnf', fields: (ebnf) => ({ ebnf }) },
    JSON_SCHEMA,
    EXACT_TOOLS,
  ],
  // Its chat route knows tools, but not tool_choice.
  Ollama: [JSON_SCHEMA],
  'LM Studio': [JSON_SCHEMA, EXACT_TOOLS],
  OpenRouter: [
    {
      ...JSON_SCHEMA,
      // Else it may choose a host that drops the field.
      fields: (schema) => ({ ...responseFormat(schema), provider: { require_parameters: true } }),
    },
    TOOL_CHOICE,
  ],
  unknown: [JSON_SCHEMA, TOOL_CHOICE],
};

function structured(kind: JsonObject): JsonObject {
  return { structured_outputs: kind };
}

/** Fields that a constraint may set; `extra` may not set them beside it. */
export const CONSTRAINT_FIELDS: readonly string[] = [
  'structured_outputs',
  'response_format',
  'grammar',
  'json_schema',
  'regex',
  'ebnf',
  'tool_choice',
];

/** The one constraint for a request: a tool call where tools are offered, else the guided form. Null where server or request has none. */
export function constraintFor(kind: ServerKind | null, form: RequestForm): Constraint | null {
  for (const { name, language, fields, isExact = false } of CONSTRAINT_WAYS[kind ?? 'unknown']) {
    const told = form.tools.length > 0 ? toolsIn(language) : said(form.guided, language);
    if (told !== null) return { name, language, fields: fields(told), isExact };
  }
  return null;
}

function toolsIn(language: ConstraintLanguage): Json {
  return language === 'tools' ? true : null;
}

function said(guided: GuidedForm | null, language: ConstraintLanguage): Json {
  if (guided === null || language === 'tools') return null;
  return guided[language];
}

/** What servers call their constraints when they refuse one. */
const NAMED =
  /structured|guided|grammar|regex|ebnf|json_?schema|response_format|tool_choice|tool choice|requested parameters/i;

/** Whether a server refused a request because of its constraint. */
export function refusesConstraint({ kind, words }: Fault): boolean {
  return ['setting', 'request', 'no-path'].includes(kind) && NAMED.test(words);
}
