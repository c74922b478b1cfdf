// @ts-check
/**
 * How the servers of the field differ where a client can tell: the shape of an error, the name of the reasoning
 * field, who owns the models, the paths that only they have, and what their usage tells.
 */

/**
 * @typedef {import('./checks.mjs').Refusal} Refusal
 * @typedef {(typeof KINDS)[number]} Kind
 * @typedef {object} Dialect
 * @property {string} owner
 * @property {'reasoning' | 'reasoning_content'} reasoning
 * @property {boolean} usageDetails
 * @property {(refusal: Refusal) => unknown} errorBody
 * @property {(contextTokens: number) => Record<string, unknown>} paths  answers to GET, by path
 */

/** @type {(refusal: Refusal) => unknown} */
const nested = ({ message, type, param, status }) => ({
  error: { message, type, param: param ?? null, code: status },
});

export const KINDS = /** @type {const} */ (['vllm', 'llama.cpp', 'ollama', 'lmstudio', 'sglang', 'hosted']);

/** @type {Record<Kind, Dialect>} */
export const DIALECTS = {
  vllm: {
    owner: 'vllm',
    reasoning: 'reasoning',
    usageDetails: true,
    errorBody: nested,
    paths: () => ({ '/version': { version: '0.33.0' } }),
  },
  'llama.cpp': {
    owner: 'llamacpp',
    reasoning: 'reasoning_content',
    usageDetails: false,
    errorBody: nested,
    paths: (contextTokens) => ({
      '/props': {
        build_info: 'b11434',
        default_generation_settings: { n_ctx: contextTokens },
        modalities: { vision: true },
      },
    }),
  },
  ollama: {
    owner: 'library',
    reasoning: 'reasoning',
    usageDetails: false,
    errorBody: ({ message, type }) => ({ error: { message, type, param: null, code: null } }),
    paths: () => ({ '/api/version': { version: '0.30.0' } }),
  },
  lmstudio: {
    owner: 'organization_owner',
    reasoning: 'reasoning_content',
    usageDetails: false,
    errorBody: ({ message }) => ({ error: message }),
    paths: () => ({}),
  },
  sglang: {
    owner: 'sglang',
    reasoning: 'reasoning_content',
    usageDetails: true,
    errorBody: ({ message, type, param, status }) => ({
      object: 'error',
      message,
      type,
      param: param ?? null,
      code: status,
    }),
    paths: () => ({}),
  },
  hosted: {
    owner: 'system',
    reasoning: 'reasoning',
    usageDetails: true,
    errorBody: ({ message, status }) => ({ error: { code: status, message, metadata: {} } }),
    paths: () => ({}),
  },
};
