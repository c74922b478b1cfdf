// @ts-check
/**
 * A fake OpenAI-compatible server over real HTTP on loopback. It refuses what a real one would refuse
 * (`checks.mjs`), speaks and acts as one of several servers (`dialects.mjs`, `manners.mjs`), answers by a function of the request, and
 * misbehaves on command (`behaviours.mjs`). It counts tokens (`tokens.mjs`) and keeps a prefix cache (`prefix-cache.mjs`). Every
 * request is recorded. Used by tests through `startFakeServer`, and by hand through `main.mjs`.
 */
import { createServer } from 'node:http';
import { ok } from './behaviours.mjs';
import { isOverlong, refusalOf } from './checks.mjs';
import { constraintIn, held } from './constraints.mjs';
import { DIALECTS } from './dialects.mjs';
import { bodyOf, parsed, requestOf, seedOf } from './incoming.mjs';
import { asSent } from './manners.mjs';
import { messagesOf } from './messages.mjs';
import { Metrics } from './metrics.mjs';
import { PrefixCache } from './prefix-cache.mjs';
import { promptOf, textOfTokens, textTokens } from './tokens.mjs';
import { answerTokens, usageOf } from './usage.mjs';

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
 * @typedef {object} AskedPrompt  a chat request that was taken, as its tokens
 * @property {Fields} body
 * @property {number} tokens  of the prompt, as far as the context holds it
 * @property {boolean} isOverlong  prompt and answer find no room in the context
 * @property {number} imageTokens  of them, those that are an image
 * @property {readonly string[]} blocks  the hashes of its full blocks
 * @property {number} cachedTokens  of its beginning, which an earlier prompt began with too
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
 * @property {import('./image-tokens.mjs').Family} [family]  by whose rules an image costs tokens; default `gemma-3`, 256 whatever its size
 * @property {import('./usage.mjs').UsageTold} [usage]  what is told of tokens; default as the kind does by itself
 * @property {number} [cacheBlocks]  blocks that the prefix cache holds; default 65536, a million tokens
 * @property {'honoured' | 'ignored' | 'refused'} [constraints]  what is done with constraints; default `honoured`
 * @property {boolean} [bounds]  replies are cut where their `max_tokens` end; default false
 * @property {number} [busyEvery]  so many chat requests: the last is told that the server is busy, as its kind does; default never
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
 * @property {readonly AskedPrompt[]} prompts  those of them that were not refused, as their tokens
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
  /** @type {AskedPrompt[]} */ prompts = [];
  /** @type {Behaviour[]} */ #script = [];
  /** @type {Behaviour[]} */ #modelsScript = [];
  /** @type {Set<import('node:net').Socket>} */ #sockets = new Set();
  /** @type {(() => void)[]} */ #waiting = [];
  /** Told when a slot is theirs. @type {((moment: number) => void)[]} */ #queue = [];
  #thinking = 0;
  baseUrl = '';
  #stalls = 0;
  #answered = 0;
  #metrics = new Metrics();
  #cache;
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
      bounds: false,
      busyEvery: Number.POSITIVE_INFINITY,
      latencyMs: 0,
      slots: Number.POSITIVE_INFINITY,
      family: /** @type {const} */ ('gemma-3'),
      cacheBlocks: 65_536,
      remember: Number.POSITIVE_INFINITY,
      reply: () => 'ACTION: WAIT',
      wait: (/** @type {number} */ delayMs) => new Promise((resolve) => void setTimeout(resolve, delayMs)),
      ...options,
    };
    this.#dialect = DIALECTS[this.#options.kind];
    this.#cache = new PrefixCache(this.#options.cacheBlocks);
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
    const own = { method, path, headers: request.headers, body };
    const before = () => this.chats.flatMap((one) => (one === own || one.body === null ? [] : [one.body]));
    this.requests.push(own);
    // Those before this one.
    if (this.requests.length > this.#options.remember + 1) this.requests.shift();
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
    if (method === 'POST' && this.#options.kind === 'vllm' && /^\/(?:de)?tokenize$/.test(path))
      return json(200, this.#tokenised(path, body ?? {}));
    if (method !== 'POST' || path !== '/v1/chat/completions') return json(404, { detail: 'Not Found' });
    const prompt = this.#promptOf(body ?? {});
    const refusal = refusalOf(body, { ...this.#options, before, promptTokens: prompt.tokens.length });
    if (refusal !== null) return this.#refuse(json, refusal);
    if (this.#refusedAsBusy(json)) return;
    await this.#chat(this.#taken(body ?? {}, prompt), { request, response, json });
  }

  /** @param {Fields} body */
  #promptOf(body) {
    return promptOf(messagesOf(body), body['tools'], this.#options.family);
  }

  /** @param {string} path @param {Fields} body */
  #tokenised(path, body) {
    if (path === '/detokenize')
      return { prompt: Array.isArray(body['tokens']) ? textOfTokens(body['tokens']) : '' };
    const { prompt } = body;
    const tokens = typeof prompt === 'string' ? textTokens(prompt) : this.#promptOf(body).tokens;
    return { count: tokens.length, max_model_len: this.#options.contextTokens, tokens };
  }

  /** Looked up in the cache, counted and recorded. @param {Fields} body @param {import('./tokens.mjs').Prompt} prompt @returns {AskedPrompt} */
  #taken(body, prompt) {
    const salt = body['cache_salt'];
    const found = this.#cache.lookUp(prompt, typeof salt === 'string' ? salt : '');
    const imageTokens = prompt.images.reduce((sum, { length }) => sum + length, 0);
    const { length } = prompt.tokens;
    const isTooLong = isOverlong(body, { ...this.#options, promptTokens: length });
    // One that finds too long a prompt no matter has cut it.
    const tokens = Math.min(length, this.#options.contextTokens);
    const asked = { body, tokens, isOverlong: isTooLong, imageTokens, ...found };
    this.prompts.push(asked);
    if (this.prompts.length > this.#options.remember) this.prompts.shift();
    this.#metrics.asked(prompt, found.cachedTokens);
    return asked;
  }

  /** @typedef {Pick<import('./behaviours.mjs').Exchange, 'request' | 'response' | 'json'>} Wire */

  /** @param {Wire['json']} json @param {import('./checks.mjs').Refusal} refusal */
  #refuse(json, refusal) {
    json(refusal.status, this.#dialect.errorBody(refusal));
  }

  /** Whether it was. @param {Wire['json']} json */
  #refusedAsBusy(json) {
    const { busy, errorBody, refusesAs200 } = this.#dialect;
    if (this.#options.busyEvery === Number.POSITIVE_INFINITY) return false;
    const times = this.chats.length / this.#options.busyEvery;
    const said = times > 0 && Number.isInteger(times) ? busy[(times - 1) % busy.length] : undefined;
    if (said === undefined) return false;
    json(refusesAs200 ? 200 : said.status, errorBody(said), said.headers);
    return true;
  }

  /** @param {string} path @param {Wire} wire */
  #get(path, wire) {
    const { contextTokens, models, modelList, silentPaths, kind } = this.#options;
    if (silentPaths.includes(path)) return this.#stall();
    const own = this.#dialect.paths(contextTokens);
    if (path === '/metrics' && kind === 'vllm') return this.#tellMetrics(wire);
    if (path === '/health') return wire.json(200, {});
    if (Object.hasOwn(own, path)) return wire.json(200, own[path]);
    if (path !== '/v1/models' || !modelList) return wire.json(404, { detail: 'Not Found' });
    const { owner, contextField } = this.#dialect;
    const data = models.map((id) => ({
      id,
      object: 'model',
      created: 0,
      ...(owner === null ? {} : { owned_by: owner }),
      ...(contextField === null ? {} : { [contextField]: contextTokens }),
    }));
    this.#play(this.#modelsScript, { ...wire, system: '', completion: { object: 'list', data } });
  }

  /** @param {Wire} wire */
  #tellMetrics({ response }) {
    const [model = ''] = this.#options.models;
    const [running, waiting] = [this.#thinking, this.#queue.length];
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(this.#metrics.text({ model, running, waiting, cacheUsage: this.#cache.usage }));
  }

  /** @param {AskedPrompt} prompt @param {Wire} wire */
  async #chat(prompt, wire) {
    const began = performance.now();
    const { body } = prompt;
    const asked = requestOf(body, this.#answered);
    const reply = await this.#options.reply(asked);
    this.#answered += 1;
    const free = typeof reply === 'string' ? { content: reply } : reply;
    const { kind, bounds, constraints } = this.#options;
    const constraint = constraintIn(kind, body);
    const isHeld = constraint !== null && constraints === 'honoured';
    const good = isHeld ? held(constraint, free, seedOf(body)) : free;
    const message = asSent(kind, body, good, { isOverlong: prompt.isOverlong, bounds });
    const queuedMs = await this.#think();
    const finishReason = finishOf(message);
    const [tokens, tookMs] = [answerTokens(message), performance.now() - began];
    this.#metrics.answered({ finishReason: finishReason ?? 'abort', tokens, queuedMs, tookMs });
    const completion = this.#completion(prompt, message, finishReason);
    this.#play(this.#script, { ...wire, system: asked.system, completion });
  }

  /**
   * Out comes how long it waited for a slot. A slot passes on at the moment when its answer was due: however late this process hears its own clock, so
   * many slots answer as many requests as they should.
   */
  async #think() {
    const { latencyMs } = this.#options;
    const came = performance.now();
    const began = Math.max(came, await this.#slotFree(came));
    const due = began + latencyMs;
    await until(due);
    const next = this.#queue.shift();
    if (next === undefined) this.#thinking -= 1;
    else next(due);
    return began - came;
  }

  /** First come, first served; the moment at which the slot became free. @param {number} now @returns {Promise<number>} */
  async #slotFree(now) {
    if (this.#thinking >= this.#options.slots)
      return new Promise((resolve) => void this.#queue.push(resolve));
    this.#thinking += 1;
    return now;
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

  /** @param {AskedPrompt} prompt @param {Message} message @param {string | null} finishReason @returns {Fields} */
  #completion(prompt, message, finishReason) {
    const { content, reasoning, toolCalls } = message;
    const { usage: told } = this.#options;
    const usage = usageOf(told, this.#dialect, prompt, message);
    return {
      id: `chatcmpl-${this.#answered}`,
      object: 'chat.completion',
      created: 0,
      model: prompt.body['model'],
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content,
            ...(reasoning === undefined ? {} : { [this.#dialect.reasoning]: reasoning }),
            ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
          },
          finish_reason: finishReason,
          logprobs: null,
        },
      ],
      ...(usage === undefined ? {} : { usage }),
    };
  }
}

/** A timer may be a millisecond early. @param {number} moment */
async function until(moment) {
  for (let left = moment - performance.now(); left > 0; left = moment - performance.now())
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(left)));
}

/** @param {Message} message */
function finishOf({ finishReason, toolCalls }) {
  return finishReason === undefined ? (toolCalls === undefined ? 'stop' : 'tool_calls') : finishReason;
}
