/**
 * The chat client for OpenAI-compatible servers, over the `openai` package, which only this file imports. The
 * package builds and reads requests; under it lies our own `fetch`, which makes every odd answer one shape of
 * error; above it our one retry layer. The key is read from the environment at each try and added below the
 * package: nothing here or there keeps it.
 */
import OpenAI, { APIError } from 'openai';
import { ModelError, UsageError } from '../base/errors.js';
import type { JsonObject } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import { oneLine } from '../base/text.js';
import type { ModelSpec } from '../scenario/scenario.js';
import { modelError } from './advice.js';
import { FREE_FORM } from './chat.js';
import type { ChatModel, Message, Reply, RequestForm } from './chat.js';
import { fault, FaultError, isFault, normalise, transportFault } from './fault.js';
import type { Fault } from './fault.js';
import type { Dependencies } from './dependencies.js';
import { toReply } from './reply.js';
import { adaptationsOf, bodySettings, chatBody, OWN_FIELDS } from './request.js';
import { persist } from './retry.js';
import type { GivenUp, RetryPlan } from './retry.js';
import { checkedBaseUrl, chooseModel, HEADERS, identify, listed, modelsIn } from './server.js';
import type { ServerModel } from './server.js';

/** The client, with what `doctor` wants to know besides. */
export interface OpenChatModel extends ChatModel {
  /** The server's address, checked and safe to show. */
  readonly baseUrl: string;
  /** The server's models; null where it has no such list. Throws ModelError where it can't be asked. */
  models(signal: AbortSignal): Promise<readonly ServerModel[] | null>;
}

/**
 * Opens a client; nothing is sent yet. Throws UsageError for an address or settings that can't be used.
 *
 * `complete` sends the model that is named, or the one that `prepare` found.
 */
export function openChatModel(spec: ModelSpec, dependencies: Dependencies): OpenChatModel {
  const baseUrl = checkedBaseUrl(spec.baseUrl);
  const taken = OWN_FIELDS.find((field) => Object.hasOwn(spec.extra, field));
  if (taken !== undefined)
    throw new UsageError(`extra may not set "${taken}"`, ['it has a setting of its own']);
  for (const setting of [spec.temperature, spec.topP]) {
    if (!/^\d+(\.\d+)?$/.test(setting)) throw new UsageError(`not a decimal number: ${oneLine(setting, 40)}`);
  }
  return new Client(spec, baseUrl, dependencies);
}

class Client implements OpenChatModel {
  readonly baseUrl: string;
  readonly #spec: ModelSpec;
  readonly #dependencies: Dependencies;
  readonly #api: OpenAI;
  #model: string | null;
  /** Learnt from a refusal; holds for the rest of the run. */
  #foldSystem = false;

  constructor(spec: ModelSpec, baseUrl: string, dependencies: Dependencies) {
    this.baseUrl = baseUrl;
    this.#spec = spec;
    this.#dependencies = dependencies;
    this.#model = spec.model;
    this.#api = packageClient(baseUrl, (url, init) => this.#fetch(url, init));
  }

  settings(form: RequestForm = FREE_FORM): JsonObject {
    return bodySettings(this.#spec, this.#model, form);
  }

  async complete(
    messages: readonly Message[],
    signal: AbortSignal,
    form: RequestForm = FREE_FORM,
  ): Promise<Reply> {
    const model = this.#model ?? (await this.prepare(signal)).model;
    const { clock } = this.#dependencies;
    let sentMs = 0;
    const outcome = await persist(this.#chatPlan(), this.#dependencies, signal, async (trySignal) => {
      const adaptation = { foldSystem: this.#foldSystem };
      const body = chatBody(bodySettings(this.#spec, model, form), messages, adaptation);
      sentMs = clock.monotonicMs();
      const answer = await unwrapped(
        this.#api.post<unknown>('/chat/completions', { body, signal: trySignal }),
      );
      const reply = toReply(answer);
      if (reply === null) throw new FaultError(fault('not-chat', '', false));
      return { ...reply, adaptations: adaptationsOf(messages, adaptation) };
    });
    if (!outcome.ok) throw await this.#givenUp(outcome.givenUp, model, signal);
    return { ...outcome.value, latencyMs: Math.round(clock.monotonicMs() - sentMs), tries: outcome.tries };
  }

  async prepare(signal: AbortSignal): Promise<{ readonly model: string; readonly server: string | null }> {
    const models = await this.models(signal);
    const model = this.#chosen(models);
    const { kind, version } = await identify(this.baseUrl, models ?? [], this.#dependencies, signal);
    this.#model = model;
    return { model, server: kind === null ? null : version === null ? kind : `${kind} ${version}` };
  }

  async models(signal: AbortSignal): Promise<readonly ServerModel[] | null> {
    const outcome = await persist(this.#listPlan(), this.#dependencies, signal, (trySignal) =>
      unwrapped(this.#api.get<unknown>('/models', { signal: trySignal })),
    );
    if (outcome.ok) return modelsIn(outcome.value);
    if (outcome.givenUp.fault.kind === 'no-path') return null;
    throw this.#error(outcome.givenUp, this.#model, []);
  }

  #chosen(models: readonly ServerModel[] | null): string {
    if (models !== null) return chooseModel(models, this.#spec.model, this.baseUrl);
    if (this.#spec.model !== null) return this.#spec.model;
    const hints = ['name the model with --model', 'check the base URL; for most servers it ends in /v1'];
    throw new ModelError(`the model server at ${this.baseUrl} gives no list of models`, {
      isRetryable: false,
      hints,
    });
  }

  #chatPlan(): RetryPlan {
    return {
      ...this.#limits(),
      isWorthAnother: (failed) => failed.isRetryable,
      adapt: (failed) => {
        const isNews = failed.kind === 'role-order' && !this.#foldSystem;
        if (isNews) this.#foldSystem = true;
        return isNews;
      },
    };
  }

  /** A server that is not there yet is the user's to start: said at once, not after waits. */
  #listPlan(): RetryPlan {
    return {
      ...this.#limits(),
      isWorthAnother: (failed) => failed.isRetryable && failed.kind !== 'refused',
      adapt: () => false,
    };
  }

  #limits(): { readonly timeoutMs: number; readonly retries: number } {
    return {
      timeoutMs: Math.min(this.#spec.timeoutMs, LIMITS.requestTimeoutMs),
      retries: Math.min(this.#spec.retries, LIMITS.retries),
    };
  }

  async #givenUp(givenUp: GivenUp, model: string, signal: AbortSignal): Promise<ModelError> {
    if (givenUp.fault.kind !== 'no-model') return this.#error(givenUp, model, []);
    const models = await this.models(signal).catch((error: unknown) => {
      if (error instanceof ModelError) return null;
      throw error;
    });
    const ids = (models ?? []).map((known) => known.id);
    return this.#error(givenUp, model, listed(ids, model));
  }

  #error(givenUp: GivenUp, model: string | null, moreHints: readonly string[]): ModelError {
    const { baseUrl } = this;
    const { apiKeyEnv, timeoutMs } = this.#spec;
    const { outOfTime, tries } = givenUp;
    const hasKey = this.#key() !== null;
    const situation = { baseUrl, model, apiKeyEnv, hasKey, timeoutMs, outOfTime, tries: tries.length };
    return modelError(givenUp.fault, situation, moreHints);
  }

  /** Read anew each time, so that it is kept nowhere. */
  #key(): string | null {
    const { apiKeyEnv } = this.#spec;
    const key = apiKeyEnv === null ? undefined : this.#dependencies.env(apiKeyEnv)?.trim();
    return key === undefined || key === '' ? null : key;
  }

  /** What the package takes for `fetch`: always resolves, with plain JSON or with a fault as the error body. */
  async #fetch(url: string, init: RequestInit | undefined): Promise<Response> {
    const key = this.#key();
    if (key !== null && !/^[\x21-\x7e]+$/.test(key)) {
      return faultResponse(fault('bad-key', 'the key holds characters that no header may', false));
    }
    const signal = init?.signal ?? new AbortController().signal;
    try {
      const answer = await this.#dependencies.transport.send(httpRequest(url, init, key), signal);
      const headers = Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name, withoutKey(value, key)] as const),
      );
      const text = withoutKey(new TextDecoder().decode(answer.body), key);
      const found = normalise({ status: answer.status, headers }, text);
      return found.ok ? jsonResponse(found.text, 200) : faultResponse(found.fault);
    } catch (error) {
      return faultResponse(transportFault(error));
    }
  }
}

/** The package with every default from the environment switched off. */
function packageClient(
  baseURL: string,
  fetch: (url: string, init?: RequestInit) => Promise<Response>,
): OpenAI {
  return new OpenAI({
    baseURL,
    apiKey: 'added-below',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    // Our own limit covers the whole body, which the package's does not.
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    fetch: (input, init) => fetch(input instanceof Request ? input.url : String(input), init),
  });
}

function httpRequest(
  url: string,
  init: RequestInit | undefined,
  key: string | null,
): Parameters<Dependencies['transport']['send']>[0] {
  const body = typeof init?.body === 'string' ? init.body : null;
  const headers: Record<string, string> = { ...HEADERS };
  if (body !== null) {
    headers['content-type'] = 'application/json';
    headers['content-length'] = String(Buffer.byteLength(body));
  }
  if (key !== null) headers['authorization'] = `Bearer ${key}`;
  return { method: body === null ? 'GET' : 'POST', url, headers, body, bytesMax: LIMITS.responseBytes };
}

/** Shorter keys are placeholders such as EMPTY, and words of any text. */
const SECRET_CHARACTERS = 8;

/** A server may repeat the key it was sent, as JSON writes it; it must not reach a log that way. */
function withoutKey(text: string, key: string | null): string {
  if (key === null || key.length < SECRET_CHARACTERS) return text;
  const written = JSON.stringify(key).slice(1, -1);
  return [key, written, written.replaceAll('/', '\\/')].reduce(
    (rest, form) => rest.replaceAll(form, '[key]'),
    text,
  );
}

function jsonResponse(text: string, status: number): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/json' } });
}

/** The status only has to be one that the package takes for a failure; the fault holds the true one. */
function faultResponse(failed: Fault): Response {
  return jsonResponse(JSON.stringify({ error: failed }), 500);
}

/** The package's answer, or the FaultError that our `fetch` hid in its error body. */
async function unwrapped(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof APIError && isFault(error.error)) throw new FaultError(error.error);
    throw new FaultError(fault('connection', 'the request was not answered', true));
  }
}
