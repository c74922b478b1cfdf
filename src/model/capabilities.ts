/**
 * How servers differ, in one table: plain data, from which the client, `doctor` and the tables of
 * docs/reference/models.md are made. A path such as `error.message` leads into a JSON object. The fake
 * server has a mode for each row, and tests/model/capabilities.test.ts checks every entry against it.
 */
import type { Json, JsonObject } from '../base/json.js';
import type { ServerName } from '../scenario/scenario.js';

/** The program's usual name. */
export type ServerKind = 'vLLM' | 'llama.cpp' | 'SGLang' | 'Ollama' | 'LM Studio' | 'OpenRouter';

/** The notation of acceptable answers: `tools` requires that some tool is called. */
export type ConstraintLanguage = 'regex' | 'gbnf' | 'schema' | 'tools';

/** One way to restrict a reply to a form: a field of the request. */
export interface ConstraintWay {
  /** The field, as users and logs name it, such as `structured_outputs.regex`. */
  name: string;
  language: ConstraintLanguage;
  /** The path of the form in the request. */
  at: string;
  /** The fields to send with it. */
  otherFields: JsonObject;
  /** Whether the server accepts tools whose parameters are a choice of shapes; others refuse the request. */
  isExact?: boolean;
  /** The server enforces the schema of a call's arguments only if the tool sets `strict`. */
  isStrict?: boolean;
}

/** How a picture may be sent; this client sends data URLs. */
export type PictureForm = 'data URL' | 'URL' | 'base64';

/** Behaviour of a server that is silent, or that users run into. */
export type Trap = 'stops-in-reasoning' | 'blind-without-projector' | 'answers-in-reasoning' | 'many-models';

export interface Capabilities {
  /** Its name in a scenario. */
  name: ServerName;
  /** The command that starts it, with `<model>` and `<port>` to be filled in. Null for a host. */
  start: string | null;
  /** Where it usually is. */
  address: string;
  /** How to recognise it: the host, a path that it answers, the owner of its models. */
  host: string | null;
  probe: ServerProbe | null;
  owner: string | null;
  /** The field of its model list with the context length (prompt and answer); null if there is none. */
  contextAt: string | null;
  pictures: readonly PictureForm[];
  /** The best first: a pattern allows a thought before the answer, a schema only within the object. */
  constraints: readonly ConstraintWay[];
  /** The option with which it must be started so that it parses tool calls; null if none is needed. */
  toolsFlag: string | null;
  /** The fields that limit a reply's length. */
  maxTokens: readonly string[];
  /** The fields that switch a model's reasoning off, each by itself. */
  thinkingOff: readonly JsonObject[];
  /** The fields of a message that may contain reasoning, the newest first. */
  reasoningFields: readonly string[];
  usage: ReportedUsage;
  /** The path of the message in an error. */
  errorAt: string;
  /** A refusal may come with HTTP status 200. */
  mayRefuseAs200: boolean;
  busy: { statuses: readonly number[]; when: string };
  /** What happens to a prompt longer than the context, and what to do if the server does not report it. */
  overlong: { becomes: 'refused' | 'cut' | 'empty'; hint: string | null };
  /** Further request fields: obeyed though this client does not use them, ignored, and refused. */
  alsoObeys: readonly string[];
  ignores: readonly string[];
  refuses: readonly string[];
  traps: readonly Trap[];
}

/** A `GET` to the server's root. */
export interface ServerProbe {
  path: string;
  /** The server is of this kind if one of these exists. */
  signs: readonly string[];
  versionAt: string;
  /** Its value is the maximum length of prompt and answer together. */
  isContext: boolean;
  /** Other servers answer this path too, so the owner of its models takes precedence. */
  isShared: boolean;
}

/** The field of `usage` with further counts; null if there is none. */
export interface ReportedUsage {
  cachedAt: string | null;
  picturesAt: string | null;
  /** The option with which it must be started for that. */
  flag: string | null;
}

function pattern(name: string, language: 'regex' | 'gbnf' | 'schema'): ConstraintWay {
  return { name, language, at: name, otherFields: {} };
}

const JSON_SCHEMA: ConstraintWay = {
  name: 'response_format',
  language: 'schema',
  at: 'response_format.json_schema.schema',
  otherFields: { response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true } } },
};

const TOOL_CHOICE: ConstraintWay = {
  name: 'tool_choice',
  language: 'tools',
  at: 'tool_choice',
  // vLLM's own schema for this requires at least one call.
  otherFields: { tool_choice: 'required', parallel_tool_calls: false },
};
const EXACT_TOOLS: ConstraintWay = { ...TOOL_CHOICE, isExact: true };

const BY_TEMPLATE: JsonObject = { chat_template_kwargs: { enable_thinking: false } };
const BY_EFFORT: JsonObject = { reasoning_effort: 'none' };
const BY_REASONING: JsonObject = { reasoning: { effort: 'none' } };

const CACHED = 'prompt_tokens_details.cached_tokens';
const BOTH = ['max_tokens', 'max_completion_tokens'];

/** Probed in this order. */
export const CAPABILITIES: Readonly<Record<ServerKind, Capabilities>> = {
  vLLM: {
    name: 'vllm',
    start: 'vllm serve <model> --port <port>',
    address: 'http://localhost:8000/v1',
    host: null,
    probe: { path: '/version', signs: ['version'], versionAt: 'version', isContext: false, isShared: true },
    owner: 'vllm',
    contextAt: 'max_model_len',
    pictures: ['data URL', 'URL'],
    constraints: [
      pattern('structured_outputs.regex', 'regex'),
      pattern('structured_outputs.grammar', 'gbnf'),
      pattern('structured_outputs.json', 'schema'),
      { ...EXACT_TOOLS, isStrict: true },
    ],
    toolsFlag: '--enable-auto-tool-choice --tool-call-parser …',
    maxTokens: BOTH,
    thinkingOff: [BY_TEMPLATE, BY_EFFORT],
    reasoningFields: ['reasoning', 'reasoning_content'],
    usage: {
      cachedAt: CACHED,
      picturesAt: 'prompt_tokens_details.multimodal_tokens.image',
      flag: '--enable-prompt-tokens-details',
    },
    errorAt: 'error.message',
    mayRefuseAs200: false,
    busy: { statuses: [503], when: 'beyond `--max-num-queued-reqs`; otherwise requests queue' },
    overlong: { becomes: 'refused', hint: null },
    alsoObeys: ['response_format'],
    ignores: ['guided_json', 'guided_regex', 'guided_choice', 'guided_grammar'],
    refuses: ['mm_processor_kwargs', 'media_io_kwargs'],
    traps: ['stops-in-reasoning'],
  },
  'llama.cpp': {
    name: 'llama.cpp',
    start: 'llama-server -m model.gguf --mmproj mmproj.gguf -c 16384 --port <port>',
    address: 'http://localhost:8080/v1',
    host: null,
    probe: {
      path: '/props',
      signs: ['default_generation_settings.n_ctx', 'n_ctx'],
      versionAt: 'build_info',
      isContext: true,
      isShared: false,
    },
    owner: 'llamacpp',
    contextAt: null,
    pictures: ['data URL', 'URL', 'base64'],
    constraints: [pattern('grammar', 'gbnf'), pattern('json_schema', 'schema'), EXACT_TOOLS],
    toolsFlag: '--jinja',
    maxTokens: BOTH,
    thinkingOff: [BY_TEMPLATE, BY_EFFORT],
    reasoningFields: ['reasoning_content'],
    usage: { cachedAt: CACHED, picturesAt: null, flag: null },
    errorAt: 'error.message',
    mayRefuseAs200: false,
    busy: { statuses: [503], when: 'while it loads its model' },
    overlong: { becomes: 'refused', hint: null },
    alsoObeys: ['response_format'],
    ignores: [],
    refuses: [],
    traps: ['blind-without-projector'],
  },
  SGLang: {
    name: 'sglang',
    start: 'python -m sglang.launch_server --model-path <model> --port <port> --enable-cache-report',
    address: 'http://localhost:30000/v1',
    host: null,
    probe: null,
    owner: 'sglang',
    contextAt: 'max_model_len',
    pictures: ['data URL', 'URL'],
    constraints: [pattern('regex', 'regex'), pattern('ebnf', 'gbnf'), JSON_SCHEMA, EXACT_TOOLS],
    toolsFlag: null,
    maxTokens: BOTH,
    thinkingOff: [BY_TEMPLATE],
    reasoningFields: ['reasoning_content'],
    usage: {
      cachedAt: CACHED,
      picturesAt: 'prompt_tokens_details.image_tokens',
      flag: '--enable-cache-report',
    },
    errorAt: 'message',
    mayRefuseAs200: false,
    busy: { statuses: [], when: 'not known' },
    overlong: { becomes: 'refused', hint: null },
    alsoObeys: [],
    ignores: [],
    refuses: [],
    traps: ['stops-in-reasoning'],
  },
  Ollama: {
    name: 'ollama',
    start: 'OLLAMA_CONTEXT_LENGTH=16384 ollama serve, then ollama pull <model>',
    address: 'http://localhost:11434/v1',
    host: null,
    probe: {
      path: '/api/version',
      signs: ['version'],
      versionAt: 'version',
      isContext: false,
      isShared: false,
    },
    owner: 'library',
    contextAt: null,
    pictures: ['data URL'],
    // Its chat route supports tools, but not tool_choice.
    constraints: [JSON_SCHEMA],
    toolsFlag: null,
    maxTokens: ['max_tokens'],
    thinkingOff: [BY_REASONING, BY_EFFORT],
    reasoningFields: ['reasoning'],
    usage: { cachedAt: null, picturesAt: null, flag: null },
    errorAt: 'error.message',
    mayRefuseAs200: false,
    busy: { statuses: [503], when: 'beyond its queue of 512' },
    overlong: {
      becomes: 'cut',
      hint: 'start it with a longer context than its small default, such as OLLAMA_CONTEXT_LENGTH=16384',
    },
    alsoObeys: [],
    ignores: ['top_k', 'min_p'],
    refuses: [],
    traps: [],
  },
  'LM Studio': {
    name: 'lm-studio',
    start: 'load a vision model and start the server',
    address: 'http://localhost:1234/v1',
    host: null,
    probe: null,
    owner: 'organization_owner',
    contextAt: null,
    pictures: ['data URL'],
    constraints: [JSON_SCHEMA, EXACT_TOOLS],
    toolsFlag: null,
    maxTokens: ['max_tokens'],
    thinkingOff: [],
    reasoningFields: ['reasoning_content'],
    usage: { cachedAt: null, picturesAt: null, flag: null },
    errorAt: 'error',
    mayRefuseAs200: false,
    busy: { statuses: [], when: 'not known' },
    overlong: { becomes: 'empty', hint: 'load the model with a longer context' },
    alsoObeys: [],
    ignores: [],
    refuses: [],
    traps: ['answers-in-reasoning'],
  },
  OpenRouter: {
    name: 'openrouter',
    start: null,
    address: 'https://openrouter.ai/api/v1',
    host: 'openrouter.ai',
    probe: null,
    owner: null,
    contextAt: 'context_length',
    pictures: ['data URL', 'URL'],
    constraints: [
      // Otherwise it may choose a host that drops the field.
      { ...JSON_SCHEMA, otherFields: { ...JSON_SCHEMA.otherFields, provider: { require_parameters: true } } },
      TOOL_CHOICE,
    ],
    toolsFlag: null,
    maxTokens: BOTH,
    thinkingOff: [BY_REASONING],
    reasoningFields: ['reasoning'],
    usage: { cachedAt: CACHED, picturesAt: null, flag: null },
    errorAt: 'error.message',
    mayRefuseAs200: true,
    busy: { statuses: [429, 503], when: 'often, with `Retry-After`' },
    overlong: { becomes: 'refused', hint: null },
    alsoObeys: [],
    ignores: [],
    refuses: [],
    traps: ['many-models'],
  },
};

/** What an unidentified server is assumed to support. */
const UNKNOWN: readonly ConstraintWay[] = [JSON_SCHEMA, TOOL_CHOICE];

interface TrapText {
  text: string;
  hint: string;
  /** The field of a request that causes it; null if any request may. */
  field: string | null;
}

/** The text for users about each pitfall, and what to do. */
export const TRAPS: Readonly<Record<Trap, TrapText>> = {
  'stops-in-reasoning': {
    text: 'a `stop` under `extra` ends the reasoning too, and the answer is then empty',
    hint: 'do not set `stop` for a reasoning model',
    field: 'stop',
  },
  'blind-without-projector': {
    text: 'accepts no pictures if it was started without a projector',
    hint: 'start it with --mmproj',
    field: null,
  },
  'answers-in-reasoning': {
    text: 'a reasoning model puts a guided reply (JSON Schema) into its reasoning, and its answer is empty',
    hint: 'play such a model with `guided: off`',
    field: null,
  },
  'many-models': {
    text: 'has many models, some of which accept no pictures',
    hint: 'use --model to choose one that accepts pictures',
    field: null,
  },
};

export const SERVER_KINDS = Object.keys(CAPABILITIES) as readonly ServerKind[];

const ROWS: readonly Capabilities[] = Object.values(CAPABILITIES);

/** The constraints that a server supports, best first; null for an unidentified server. */
export function constraintWays(kind: ServerKind | null): readonly ConstraintWay[] {
  return kind === null ? UNKNOWN : CAPABILITIES[kind].constraints;
}

/** The kind that a scenario names; null if it names none. */
export function kindNamed(name: ServerName | null): ServerKind | null {
  return SERVER_KINDS.find((kind) => CAPABILITIES[kind].name === name) ?? null;
}

function unionOf<T>(read: (row: Capabilities) => readonly (T | null)[]): readonly T[] {
  return [...new Set(ROWS.flatMap((row) => read(row).filter((one) => one !== null)))];
}

const fieldsOf = (ways: readonly ConstraintWay[]): readonly string[] =>
  ways.map(({ at }) => at.split('.')[0] ?? at);

const obeyed = (row: Capabilities): readonly string[] => [
  ...row.maxTokens,
  ...row.thinkingOff.flatMap((one) => Object.keys(one)),
  ...fieldsOf(row.constraints),
];

/** Fields that a constraint may set; `extra` may not set them in addition. */
export const CONSTRAINT_FIELDS = unionOf((row) => fieldsOf(row.constraints));
export const REASONING_FIELDS = unionOf((row) => row.reasoningFields);
export const CACHED_AT = unionOf((row) => [row.usage.cachedAt]);
export const PICTURES_AT = unionOf((row) => [row.usage.picturesAt]);
export const ERROR_AT = unionOf((row) => [row.errorAt]);
export const CONTEXT_AT = unionOf((row) => [row.contextAt]);
export const BUSY_STATUSES = unionOf((row) => row.busy.statuses);
const OBEYED = unionOf(obeyed);

export interface FieldRemark {
  field: string;
  does: 'refuses' | 'ignores' | 'is not known to support';
}

/** The fields of a request that would not work there as they do elsewhere. */
export function fieldRemarks(kind: ServerKind, fields: JsonObject): readonly FieldRemark[] {
  const row = CAPABILITIES[kind];
  return Object.entries(fields).flatMap(([field, value]: [string, Json]): readonly FieldRemark[] => {
    if (value === null) return [];
    if (row.refuses.includes(field)) return [{ field, does: 'refuses' }];
    if (row.ignores.includes(field)) return [{ field, does: 'ignores' }];
    const isUnsupported = OBEYED.includes(field) && ![...obeyed(row), ...row.alsoObeys].includes(field);
    return isUnsupported ? [{ field, does: 'is not known to support' }] : [];
  });
}
