// @ts-check
/**
 * How the servers of the field differ where a client can tell: who owns the models and the paths that only they have, the shape and words of
 * an error, the fields that they obey, the name of the reasoning field, what their usage tells, what busy looks like. What is written here is
 * told once more, and only there, in `src/model/capabilities.ts`: a test holds the two against each other.
 */

/**
 * @typedef {import('./checks.mjs').Refusal} Refusal
 * @typedef {import('./fields.mjs').Fields} Fields
 * @typedef {(typeof KINDS)[number]} Kind
 * @typedef {(tokens: number, wanted: number, limit: number) => string} Overlong
 * @typedef {object} Dialect
 * @property {string | null} owner
 * @property {'max_model_len' | 'context_length' | null} contextField  where the list of models tells the context
 * @property {'reasoning' | 'reasoning_content'} reasoning
 * @property {((cached: number, image: number) => Fields) | null} usageDetails  of the prompt, as it tells them when it was started to
 * @property {(refusal: Refusal) => unknown} errorBody
 * @property {boolean} refusesAs200  a busy host is told with status 200
 * @property {readonly (Refusal & { headers?: Record<string, string> })[]} busy  in turn; empty where nothing is known to be said
 * @property {readonly string[]} limits  the fields that bound a reply
 * @property {readonly ((body: Fields) => boolean)[]} silences  what switches reasoning off
 * @property {Overlong | null} overlong  the refusal of what is too long; null: it is cut
 * @property {boolean} answersEmpty  what is too long gets an empty answer
 * @property {string} blind  the refusal of a picture without vision
 * @property {string | null} toolsUnready  the refusal of tools where it was not started for them
 * @property {readonly string[]} refused  fields that it refuses
 * @property {boolean} takesUrls  pictures may be named by their address
 * @property {boolean} takesBase64  … or be bare base64
 * @property {boolean} takesChoices  tools may have parameters of several shapes
 * @property {boolean} stopsInReasoning  a stop string also ends the reasoning, and the reply with it
 * @property {boolean} answersInReasoning  where a reply is held to a schema, a model that reasons answers in its reasoning
 * @property {(contextTokens: number) => Record<string, unknown>} paths  answers to GET, by path
 */

/** @type {(refusal: Refusal) => unknown} */
const nested = ({ message, type, param, status }) => ({
  error: { message, type, param: param ?? null, code: status },
});

export const KINDS = /** @type {const} */ ([
  'vllm',
  'llama.cpp',
  'ollama',
  'lm-studio',
  'sglang',
  'openrouter',
  'hosted',
]);

/** @param {Fields} body */
const byTemplate = (body) => within(body['chat_template_kwargs'], 'enable_thinking') === false;
/** @param {Fields} body */
const byEffort = (body) => body['reasoning_effort'] === 'none';
/** @param {Fields} body */
const byReasoning = (body) => within(body['reasoning'], 'effort') === 'none';

/** @param {unknown} value @param {string} name @returns {unknown} */
function within(value, name) {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** @type {Overlong} */
const vllmOverlong = (tokens, wanted, limit) =>
  `You passed ${tokens} input tokens and requested ${wanted} output tokens. However, the model's context length is only ` +
  `${limit} tokens, resulting in a maximum input length of ${limit - wanted} tokens. Please reduce the length of the input prompt.`;

const BOTH = ['max_tokens', 'max_completion_tokens'];
const AUTO_TOOLS = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';

/** What most do. @satisfies {Partial<Dialect>} */
const PLAIN = {
  contextField: null,
  usageDetails: null,
  errorBody: nested,
  refusesAs200: false,
  busy: [],
  limits: BOTH,
  overlong: vllmOverlong,
  answersEmpty: false,
  blind: 'At most 0 image(s) may be provided in one prompt.',
  toolsUnready: null,
  refused: [],
  takesUrls: true,
  takesBase64: false,
  takesChoices: true,
  stopsInReasoning: false,
  answersInReasoning: false,
  paths: () => ({}),
};

/** @type {Record<Kind, Dialect>} */
export const DIALECTS = {
  vllm: {
    ...PLAIN,
    owner: 'vllm',
    contextField: 'max_model_len',
    reasoning: 'reasoning',
    usageDetails: (cached, image) => ({ cached_tokens: cached, multimodal_tokens: { image } }),
    busy: [{ status: 503, message: 'The server is overloaded, too many requests wait', type: 'Unavailable' }],
    silences: [byTemplate, byEffort],
    toolsUnready: AUTO_TOOLS,
    refused: ['mm_processor_kwargs', 'media_io_kwargs'],
    stopsInReasoning: true,
    paths: () => ({ '/version': { version: '0.33.0' } }),
  },
  'llama.cpp': {
    ...PLAIN,
    owner: 'llamacpp',
    reasoning: 'reasoning_content',
    usageDetails: (cached) => ({ cached_tokens: cached }),
    busy: [{ status: 503, message: 'Loading model', type: 'unavailable_error' }],
    silences: [byTemplate, byEffort],
    overlong: (tokens, wanted, limit) =>
      `the request exceeds the available context size (${tokens + wanted} of ${limit} tokens), try increasing it`,
    blind: 'image input is not supported: the server was started without a projector (mmproj)',
    toolsUnready: 'tools param requires --jinja flag',
    takesBase64: true,
    paths: (contextTokens) => ({
      '/props': {
        build_info: 'b11434',
        default_generation_settings: { n_ctx: contextTokens },
        modalities: { vision: true },
      },
    }),
  },
  ollama: {
    ...PLAIN,
    owner: 'library',
    reasoning: 'reasoning',
    errorBody: ({ message, type }) => ({ error: { message, type, param: null, code: null } }),
    busy: [{ status: 503, message: 'server busy, maximum pending requests exceeded', type: 'api_error' }],
    limits: ['max_tokens'],
    silences: [byReasoning, byEffort],
    overlong: null,
    takesUrls: false,
    paths: () => ({ '/api/version': { version: '0.30.0' } }),
  },
  'lm-studio': {
    ...PLAIN,
    owner: 'organization_owner',
    reasoning: 'reasoning_content',
    errorBody: ({ message }) => ({ error: message }),
    limits: ['max_tokens'],
    silences: [],
    overlong: null,
    answersEmpty: true,
    takesUrls: false,
    answersInReasoning: true,
  },
  sglang: {
    ...PLAIN,
    owner: 'sglang',
    contextField: 'max_model_len',
    reasoning: 'reasoning_content',
    usageDetails: (cached, image) => ({ cached_tokens: cached, image_tokens: image }),
    silences: [byTemplate],
    errorBody: ({ message, type, param, status }) => ({
      object: 'error',
      message,
      type,
      param: param ?? null,
      code: status,
    }),
    overlong: (tokens, wanted, limit) =>
      `Requested token count ${tokens + wanted} exceeds the model's maximum context length of ${limit} tokens.`,
    stopsInReasoning: true,
  },
  openrouter: {
    ...PLAIN,
    owner: null,
    contextField: 'context_length',
    reasoning: 'reasoning',
    usageDetails: (cached) => ({ cached_tokens: cached }),
    errorBody: ({ message, status }) => ({ error: { code: status, message, metadata: {} } }),
    refusesAs200: true,
    busy: [
      { status: 429, message: 'Rate limit exceeded', type: 'rate_limit', headers: { 'retry-after': '1' } },
      { status: 503, message: 'No instances available', type: 'busy', headers: { 'retry-after': '1' } },
    ],
    silences: [byReasoning],
    overlong: (tokens, wanted, limit) =>
      `This endpoint's maximum context length is ${limit} tokens. However, you requested about ${tokens + wanted} tokens.`,
    blind: 'No endpoints found that support image input',
    takesChoices: false,
  },
  // A host behind which anything may stand, and that does not tell what.
  hosted: {
    ...PLAIN,
    owner: 'system',
    reasoning: 'reasoning',
    usageDetails: (cached) => ({ cached_tokens: cached }),
    errorBody: ({ message, status }) => ({ error: { code: status, message, metadata: {} } }),
    silences: [],
    takesChoices: false,
  },
};
