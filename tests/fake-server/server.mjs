// @ts-check
/**
 * A fake OpenAI-compatible server over real HTTP on loopback. It refuses what a real one would refuse
 * (`checks.mjs`), speaks as one of several servers (`dialects.mjs`), answers by a function of the request, and
 * misbehaves on command (`behaviours.mjs`). Every request is recorded. Used by tests through `startFakeServer`,
 * and by hand through `main.mjs`.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { ok } from './behaviours.mjs';
import { messagesOf, partsOf, refusalOf, tokensOf, urlOf } from './checks.mjs';
import { constraintIn, held } from './constraints.mjs';
import { isFields } from './fields.mjs';
import { DIALECTS } from './dialects.mjs';

/**
 * @typedef {import('./behaviours.mjs').Behaviour} Behaviour
 * @typedef {import('./fields.mjs').Fields} Fields
 *
 * @typedef {object} ChatRequest  what a reply function may look at
 * @property {Fields} body
 * @property {string} system  text of the system message, '' where there is none
 * @property {string} text  text of the last message
 * @property {Buffer | null} png  the picture, null where there is none
 * @property {number} index  counts chat requests from 0
 *
 * @typedef {object} Message  a reply with more than words
 * @property {string | null} content
 * @property {string} [reasoning]
 * @property {unknown[]} [toolCalls]
 * @property {string | null} [finishReason]
 *
 * @typedef {object} Recorded
 * @property {string} method
 * @property {string} path
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {Fields | null} body
 *
 * @typedef {object} Options
 * @property {import('./dialects.mjs').Kind} [kind]  default `vllm`
 * @property {readonly string[]} [models]  default one, `fake-vlm`
 * @property {number} [contextTokens]  default 32768
 * @property {'one' | 'none' | 'any'} [images]  default `one`
 * @property {boolean} [alternate]  roles must alternate; default true
 * @property {boolean} [system]  a system message is accepted; default true
 * @property {boolean} [knownFields]  unknown fields are refused; default true
 * @property {boolean} [explicit]  sampling settings must be given; default true
 * @property {readonly string[]} [silentPaths]  GET of these paths is never answered; default none
 * @property {boolean} [modelList]  there is `GET /v1/models`; default true
 * @property {'honoured' | 'ignored' | 'refused'} [constraints]  what is done with constraints; default `honoured`
 * @property {boolean} [toolParser]  replies may hold tool calls unasked; default true
 * @property {string | null} [apiKey]  the key that must be sent; default null: none needed
 * @property {number} [latencyMs]  before every chat answer; default 0
 * @property {number} [slots]  chat requests that are answered at a time, the others wait; default any number
 * @property {number} [remember]  requests that are kept to be looked at; default all
 * @property {number} [port]  default 0: any free one
 * @property {(delayMs: number) => Promise<void>} [wait]  how a behaviour lets time pass; default in real time
 * @property {(request: ChatRequest) => string | Message | Promise<string | Message>} [reply]  default `ACTION: WAIT`
 *
 * @typedef {object} FakeServer
 * @property {string} baseUrl  ends in /v1
 * @property {readonly Recorded[]} requests  newest last
 * @property {readonly Recorded[]} chats  the chat requests among them
 * @property {(...behaviours: Behaviour[]) => void} next  what to do with the next chat requests, one each
 * @property {(...behaviours: Behaviour[]) => void} nextModels  the same for `GET /v1/models`
 * @property {() => number} sockets  connections open now
 * @property {() => Promise<void>} stalled  resolves when a behaviour has gone silent
 * @property {() => Promise<void>} close
 */

/** @param {Options} [options] @returns {Promise<FakeServer>} */
export async function startFakeServer(options = {}) {
  const fake = new Fake(options);
  await fake.listen();
  return fake;
}

class Fake {
  /** @type {Recorded[]} */ requests = [];
  /** @type {Behaviour[]} */ #script = [];
  /** @type {Behaviour[]} */ #modelsScript = [];
  /** @type {Set<import('node:net').Socket>} */ #sockets = new Set();
  /** @type {(() => void)[]} */ #waiting = [];
  /** @type {(() => void)[]} */ #queue = [];
  #thinking = 0;
  baseUrl = '';
  #stalls = 0;
  #answered = 0;
  #server;
  #options;
  #dialect;

  /** @param {Options} options */
  constructor(options) {
    this.#options = {
      models: ['fake-vlm'],
      contextTokens: 32768,
      images: /** @type {const} */ ('one'),
      alternate: true,
      system: true,
      knownFields: true,
      explicit: true,
      modelList: true,
      silentPaths: [],
      apiKey: null,
      kind: /** @type {const} */ ('vllm'),
      constraints: /** @type {const} */ ('honoured'),
      toolParser: true,
      latencyMs: 0,
      slots: Number.POSITIVE_INFINITY,
      remember: Number.POSITIVE_INFINITY,
      reply: () => 'ACTION: WAIT',
      wait: (/** @type {number} */ delayMs) => new Promise((resolve) => void setTimeout(resolve, delayMs)),
      ...options,
    };
    this.#dialect = DIALECTS[this.#options.kind];
    this.#server = this.#created();
  }

  #created() {
    const server = createServer((request, response) => void this.#receive(request, response));
    return server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  async listen() {
    await new Promise((resolve) =>
      this.#server.listen(this.#options.port ?? 0, '127.0.0.1', () => resolve(null)),
    );
    const address = this.#server.address();
    if (typeof address === 'object' && address !== null) this.baseUrl = `http://127.0.0.1:${address.port}/v1`;
  }

  get chats() {
    return this.requests.filter((request) => request.path.endsWith('/chat/completions'));
  }

  /** @param {...Behaviour} behaviours */
  next(...behaviours) {
    this.#script.push(...behaviours);
  }

  /** @param {...Behaviour} behaviours */
  nextModels(...behaviours) {
    this.#modelsScript.push(...behaviours);
  }

  sockets() {
    return this.#sockets.size;
  }

  /** @returns {Promise<void>} */
  stalled() {
    if (this.#stalls > 0) {
      this.#stalls -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #stall() {
    const resolve = this.#waiting.shift();
    if (resolve === undefined) this.#stalls += 1;
    else resolve();
  }

  /** @returns {Promise<void>} */
  close() {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => void this.#server.close(() => resolve()));
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async #receive(request, response) {
    const body = parsed(await bodyOf(request));
    const [method, path] = [String(request.method), String(request.url)];
    const before = this.chats.flatMap((one) => (one.body === null ? [] : [one.body]));
    this.requests.push({ method, path, headers: request.headers, body });
    if (this.requests.length > this.#options.remember) this.requests.shift();
    /** @type {import('./behaviours.mjs').Exchange['json']} */
    const json = (status, value, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(value));
    };
    const needsKey = path.startsWith('/v1/') && this.#options.apiKey !== null;
    if (needsKey && request.headers.authorization !== `Bearer ${this.#options.apiKey}`) {
      return this.#refuse(json, { status: 401, message: 'Unauthorized', type: 'AuthenticationError' });
    }
    if (method === 'GET') return this.#get(path, { request, response, json });
    if (method !== 'POST' || path !== '/v1/chat/completions') return json(404, { detail: 'Not Found' });
    const refusal = refusalOf(body, { ...this.#options, before });
    if (refusal !== null) return this.#refuse(json, refusal);
    await this.#chat(body ?? {}, { request, response, json });
  }

  /** @typedef {Pick<import('./behaviours.mjs').Exchange, 'request' | 'response' | 'json'>} Wire */

  /** @param {Wire['json']} json @param {import('./checks.mjs').Refusal} refusal */
  #refuse(json, refusal) {
    json(refusal.status, this.#dialect.errorBody(refusal));
  }

  /** @param {string} path @param {Wire} wire */
  #get(path, wire) {
    const { contextTokens, models, modelList, silentPaths } = this.#options;
    if (silentPaths.includes(path)) return this.#stall();
    const own = this.#dialect.paths(contextTokens);
    if (path === '/health') return wire.json(200, {});
    if (Object.hasOwn(own, path)) return wire.json(200, own[path]);
    if (path !== '/v1/models' || !modelList) return wire.json(404, { detail: 'Not Found' });
    const owner = this.#dialect.owner;
    const data = models.map((id) => ({
      id,
      object: 'model',
      created: 0,
      owned_by: owner,
      max_model_len: contextTokens,
    }));
    this.#play(this.#modelsScript, { ...wire, system: '', completion: { object: 'list', data } });
  }

  /** @param {Fields} body @param {Wire} wire */
  async #chat(body, wire) {
    const asked = requestOf(body, this.#answered);
    const reply = await this.#options.reply(asked);
    this.#answered += 1;
    const free = typeof reply === 'string' ? { content: reply } : reply;
    const constraint = constraintIn(this.#options.kind, body);
    const isHeld = constraint !== null && this.#options.constraints === 'honoured';
    const completion = this.#completion(body, isHeld ? held(constraint, free, seedOf(body)) : free);
    await this.#think();
    this.#play(this.#script, { ...wire, system: asked.system, completion });
  }

  /** First come, first served. */
  async #think() {
    const { slots, latencyMs } = this.#options;
    while (this.#thinking >= slots)
      await new Promise((resolve) => void this.#queue.push(() => resolve(null)));
    this.#thinking += 1;
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
    this.#thinking -= 1;
    this.#queue.shift()?.();
  }

  /** @param {Behaviour[]} script @param {Wire & { system: string, completion: Fields }} exchange */
  #play(script, exchange) {
    const behaviour = script.shift() ?? ok;
    const { wait } = this.#options;
    behaviour({
      ...exchange,
      wait,
      stalled: () => this.#stall(),
      stopListening: () => this.#stopListening(),
      restart: () => this.#restart(),
    });
  }

  /** Another process takes the place of this one, whose connections are gone only then: nobody is ever refused. */
  async #restart() {
    const old = [...this.#sockets];
    this.#server.close();
    await new Promise((resolve) => setImmediate(resolve));
    this.#server = this.#created();
    const { port } = new URL(this.baseUrl);
    await new Promise((resolve) => this.#server.listen(Number(port), '127.0.0.1', () => resolve(null)));
    for (const socket of old) socket.destroy();
  }

  #stopListening() {
    this.#server.close();
  }

  /** @param {Fields} body @param {Message} message @returns {Fields} */
  #completion(body, { content, reasoning, toolCalls, finishReason }) {
    const finish =
      finishReason === undefined ? (toolCalls === undefined ? 'stop' : 'tool_calls') : finishReason;
    const tokens = tokensOf(body);
    return {
      id: `chatcmpl-${this.#answered}`,
      object: 'chat.completion',
      created: 0,
      model: body['model'],
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content,
            ...(reasoning === undefined ? {} : { [this.#dialect.reasoning]: reasoning }),
            ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
          },
          finish_reason: finish,
          logprobs: null,
        },
      ],
      usage: this.#usage(tokens, Math.ceil((content ?? '').length / 4)),
    };
  }

  /** @param {number} prompt @param {number} completion */
  #usage(prompt, completion) {
    const plain = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
    if (!this.#dialect.usageDetails) return plain;
    return { ...plain, prompt_tokens_details: { cached_tokens: 0, multimodal_tokens: { image: 256 } } };
  }
}

/** @param {Fields} body @param {number} index @returns {ChatRequest} */
function requestOf(body, index) {
  const messages = messagesOf(body);
  const image = partsOf(messages.at(-1)).find((part) => part['type'] === 'image_url');
  const url = urlOf(image);
  const png = url === '' ? null : Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
  const system = textOf(messages.find((message) => message.role === 'system'));
  return { body, system, text: textOf(messages.at(-1)), png, index };
}

/** @param {import('./checks.mjs').ChatMessage | undefined} message */
function textOf(message) {
  return partsOf(message)
    .flatMap((part) => (part['type'] === 'text' ? [String(part['text'])] : []))
    .join('\n');
}

/** @param {import('node:http').IncomingMessage} request @returns {Promise<string>} */
async function bodyOf(request) {
  request.setEncoding('utf8');
  let text = '';
  for await (const piece of request) text += String(piece);
  return text;
}

/** The same for the same request. @param {Fields} body */
function seedOf(body) {
  return createHash('sha256').update(JSON.stringify(body)).digest().readInt32BE(0);
}

/** Null for what is no JSON object. @param {string} text @returns {Fields | null} */
function parsed(text) {
  try {
    /** @type {unknown} */
    const value = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}
