// @ts-check
/**
 * A chat request looked at as strictly as a real server would, and stricter where a real one would stay silent
 * about a mistake of ours (a field it does not know, a setting left to its defaults, an old picture in the
 * history). Returns the refusal in vLLM's words, or null.
 */
import { CONSTRAINT_FIELDS, constraintIn, knows } from './constraints.mjs';
import { DIALECTS } from './dialects.mjs';
import { isFields } from './fields.mjs';
import { messagesOf, partsOf, urlOf } from './messages.mjs';
import { inspectBase64 } from './png.mjs';

/**
 * @typedef {object} Rules
 * @property {'one' | 'none' | 'any'} images  `one`: exactly one, last in the last message; `none`: a server without vision
 * @property {boolean} alternate  refuse two messages of one role in a row
 * @property {boolean} system  accept a system message
 * @property {boolean} knownFields  refuse fields that no server knows
 * @property {boolean} explicit  refuse a request that leaves sampling to the server
 * @property {readonly string[]} models
 * @property {number} contextTokens
 * @property {number} promptTokens  what the request comes to
 * @property {import('./dialects.mjs').Kind} kind
 * @property {'honoured' | 'ignored' | 'refused'} constraints  what is done with those that the kind knows
 * @property {boolean} toolParser  tool calls are read out of replies that need not hold one
 * @property {() => readonly Fields[]} before  earlier requests
 *
 * @typedef {{ status: number, message: string, type: string, param?: string }} Refusal
 * @typedef {import('./fields.mjs').Fields} Fields
 * @typedef {import('./messages.mjs').ChatMessage} ChatMessage
 */

const KNOWN = new Set(
  (
    'model messages stream stream_options temperature top_p max_tokens max_completion_tokens seed stop n top_k min_p ' +
    'presence_penalty frequency_penalty repetition_penalty logprobs top_logprobs response_format structured_outputs tools ' +
    'tool_choice parallel_tool_calls provider chat_template_kwargs reasoning_effort reasoning cache_salt priority request_id ' +
    'add_generation_prompt continue_final_message user regex ebnf grammar json_schema'
  ).split(' '),
);

/**
 * @param {unknown} body
 * @param {Rules} rules
 * @returns {Refusal | null}
 */
export function refusalOf(body, rules) {
  if (!isFields(body)) return invalid('Input should be an object');
  return (
    fieldsRefusal(body, rules) ??
    modelRefusal(body, rules) ??
    messagesRefusal(body, rules) ??
    imagesRefusal(body, rules) ??
    lengthRefusal(body, rules)
  );
}

/** @param {string} message @returns {Refusal} */
function bad(message) {
  return { status: 400, message, type: 'BadRequestError' };
}

/** @param {string} message @returns {Refusal} */
function invalid(message) {
  return { status: 400, message: `1 validation error: ${message}`, type: 'Bad Request' };
}

/** @param {Fields} fields @param {Rules} rules @returns {Refusal | null} */
function fieldsRefusal(fields, rules) {
  if (rules.knownFields) {
    const unknown = Object.keys(fields).find((field) => !KNOWN.has(field));
    if (unknown !== undefined) return invalid(`${unknown}: Extra inputs are not permitted`);
  }
  const refused = DIALECTS[rules.kind].refused.find((field) => field in fields);
  if (refused !== undefined) return bad(`${refused} is not trusted`);
  // The client never asks for a stream, so there is none to be had.
  if (fields['stream'] === true)
    return { status: 501, message: 'this server does not stream', type: 'NotImplementedError' };
  if ('stream_options' in fields) return invalid('stream_options needs stream');
  const salt = fields['cache_salt'];
  if (salt !== undefined && !(typeof salt === 'string' && /^[^@/\\\0]{1,128}$/.test(salt)))
    return bad('cache_salt must be a text of 1 to 128 characters without @, /, \\ and NUL');
  const constraint = fields['structured_outputs'];
  if (constraint && Object.keys(constraint).length !== 1)
    return bad('You can only use one kind of constraints');
  const tools = toolsRefusal(fields, rules) ?? constraintRefusal(fields, rules);
  if (tools !== null || !rules.explicit) return tools;
  for (const field of ['temperature', 'top_p', 'max_tokens', 'seed']) {
    if (typeof fields[field] !== 'number') return invalid(`${field}: a number must be given`);
  }
  return null;
}

/** @param {Fields} fields @param {Rules} rules @returns {Refusal | null} */
function toolsRefusal(fields, rules) {
  const { tools, tool_choice: choice } = fields;
  if (tools === undefined) return choice === undefined ? null : invalid('tool_choice: needs tools');
  if (!Array.isArray(tools) || tools.length === 0) return invalid('tools: should not be empty');
  if (choice !== undefined && !(typeof choice === 'string' && ['auto', 'none', 'required'].includes(choice)))
    return invalid('tool_choice: unknown');
  const names = tools.map((tool) => tool?.function?.name);
  if (new Set(names).size !== names.length) return invalid('tools: two have one name');
  const odd = tools.findIndex((tool) => !isTool(tool, rules.kind));
  if (odd >= 0) return invalid(`tools.${odd}: is no function with name, description and parameters`);
  const { toolsUnready, takesChoices } = DIALECTS[rules.kind];
  if (!takesChoices && tools.some((tool) => 'anyOf' in tool.function.parameters))
    return bad('Invalid schema for function: anyOf is not permitted at the top level');
  return toolsUnready !== null && !rules.toolParser && choice !== 'required' ? bad(toolsUnready) : null;
}

/** @param {any} tool @param {Rules['kind']} kind */
function isTool(tool, kind) {
  const { name, description, parameters, strict, ...rest } = tool?.function ?? {};
  return (
    tool?.type === 'function' &&
    Object.keys(rest).length === 0 &&
    (strict === undefined || (strict === true && kind === 'vllm')) &&
    typeof name === 'string' &&
    /^[a-zA-Z0-9_-]{1,64}$/.test(name) &&
    typeof description === 'string' &&
    isFields(parameters) &&
    parameters['type'] === 'object'
  );
}

/** @param {Fields} fields @param {Rules} rules @returns {Refusal | null} */
function constraintRefusal(fields, rules) {
  const sent = Object.keys(fields).filter((field) => CONSTRAINT_FIELDS.has(field));
  const stranger = sent.find((field) => !knows(rules.kind, field));
  if (stranger !== undefined && rules.knownFields && rules.constraints !== 'ignored')
    return invalid(`${stranger}: Extra inputs are not permitted`);
  const seen = constraintIn(rules.kind, fields);
  if (rules.constraints !== 'refused' || seen === null) return null;
  return bad(`${seen.field} is not supported by this server`);
}

/** @param {Fields} fields @param {Rules} rules @returns {Refusal | null} */
function modelRefusal(fields, rules) {
  if (rules.models.includes(String(fields['model']))) return null;
  const message = `The model \`${String(fields['model'])}\` does not exist.`;
  return { status: 404, message, type: 'NotFoundError', param: 'model' };
}

/** @param {Fields} fields @param {Rules} rules @returns {Refusal | null} */
function messagesRefusal(fields, rules) {
  const messages = messagesOf(fields);
  if (messages.length === 0) return invalid('messages: at least one message is needed');
  if (!Array.isArray(fields['messages']) || messages.length !== fields['messages'].length) {
    return invalid('messages: each needs role and content');
  }
  for (const message of messages) {
    if (!['system', 'user', 'assistant'].includes(message.role)) return invalid(`role: ${message.role}`);
    const odd = partsOf(message).find((part) => part['type'] !== 'text' && part['type'] !== 'image_url');
    if (odd !== undefined) return invalid(`part: ${String(odd['type'])}`);
  }
  if (messages[0]?.role === 'system' && !rules.system) return bad('System role not supported');
  const turns = messages[0]?.role === 'system' ? messages.slice(1) : messages;
  const strays = turns.filter((message, i) => message.role !== (i % 2 === 0 ? 'user' : 'assistant'));
  if (rules.alternate && strays.length > 0) {
    return bad('Conversation roles must alternate user/assistant/user/assistant/...');
  }
  return messages.at(-1)?.role === 'user' ? null : bad('the last message must be of role user');
}

/** @param {Fields} fields @param {Rules} rules @returns {Refusal | null} */
function imagesRefusal(fields, rules) {
  const messages = messagesOf(fields);
  const images = messages.flatMap((message) =>
    partsOf(message).filter((part) => part['type'] === 'image_url'),
  );
  if (rules.images === 'none' && images.length > 0) return bad(DIALECTS[rules.kind].blind);
  for (const image of images) {
    const wrong = imageMistake(image, rules);
    if (wrong !== null) return bad(`cannot identify image file: ${wrong}`);
  }
  if (rules.images !== 'one') return null;
  if (images.length > 1) return bad('At most 1 image(s) may be provided in one prompt.');
  const at = extendsAnEarlierOne(messages, rules) ? -3 : -1;
  const isLast = partsOf(messages.at(at)).at(-1)?.['type'] === 'image_url';
  return isLast ? null : bad('the image must be the last part of the last message');
}

/** A reply and a question about it, after all that was asked before. @param {ChatMessage[]} messages @param {Rules} rules */
function extendsAnEarlierOne(messages, rules) {
  if (messages.length < 3 || messages.at(-2)?.role !== 'assistant') return false;
  const beginning = JSON.stringify(messages.slice(0, -2));
  return rules.before().some((one) => JSON.stringify(one['messages']) === beginning);
}

/** Pictures that are told in other ways than by a data URL are not looked at. @param {Fields} image @param {Rules} rules @returns {string | null} */
function imageMistake(image, { images, kind }) {
  const { takesUrls, takesBase64 } = DIALECTS[kind];
  if (images === 'any' && takesUrls && /^https?:/.test(urlOf(image))) return null;
  if (images === 'any' && takesBase64 && /^[A-Za-z0-9+/]+={0,2}$/.test(urlOf(image))) return null;
  const match = /^data:image\/png;base64,([A-Za-z0-9+/]+={0,2})$/.exec(urlOf(image));
  if (match === null) return 'no PNG data URL';
  const found = inspectBase64(match[1] ?? '');
  return typeof found === 'string' ? found : null;
}

/** What the reply may come to, by the fields that the kind obeys. @param {Fields} fields @param {Pick<Rules, 'kind'>} rules */
function wantedTokens(fields, { kind }) {
  const [told] = DIALECTS[kind].limits.flatMap((field) => fields[field] ?? []);
  return Number(told ?? 0);
}

/** Whether prompt and answer find no room in the context. @param {Fields} fields @param {Pick<Rules, 'kind' | 'promptTokens' | 'contextTokens'>} rules */
export function isOverlong(fields, rules) {
  return rules.promptTokens + wantedTokens(fields, rules) > rules.contextTokens;
}

/** @param {Fields} fields @param {Rules} rules @returns {Refusal | null} */
function lengthRefusal(fields, rules) {
  const { overlong } = DIALECTS[rules.kind];
  if (overlong === null || !isOverlong(fields, rules)) return null;
  return bad(overlong(rules.promptTokens, wantedTokens(fields, rules), rules.contextTokens));
}
