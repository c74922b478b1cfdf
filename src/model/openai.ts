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
import { fault, FaultError, isFault } from './fault.js';
import type { Fault } from './fault.js';
import type { Dependencies } from './dependencies.js';
import { toReply } from './reply.js';
import { CONSTRAINT_FIELDS, constraintFor, refusesConstraint } from './constraint.js';
import type { Constraint } from './constraint.js';
import { keepsTo } from './guided-check.js';
import { adaptationsOf, bodySettings, chatBody, OWN_FIELDS } from './request.js';
import type { Adaptation } from './request.js';
import { persist } from './retry.js';
import type { GivenUp, RetryPlan } from './retry.js';
import { checkedBaseUrl, chooseModel, identify, kindNamed, listed, modelsIn } from './server.js';
import type { ServerKind, ServerModel } from './server.js';
import { wireFetch } from './wire-fetch.js';
import type { WireFetch } from './wire-fetch.js';

/** The client, with what `doctor` wants to know besides. */
export interface OpenChatModel extends ChatModel {
  /** The server's address, checked and safe to show. */
  readonly baseUrl: string;
  /** Throws UsageError where replies must be guided (`guided: require`) and the prepared server can't guide this form. */
  checkForm(form: RequestForm): void;
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
  const constraint = CONSTRAINT_FIELDS.find((field) => Object.hasOwn(spec.extra, field));
  if (spec.guided !== 'off' && constraint !== undefined)
    throw new UsageError(`extra may not set "${constraint}" where guided is ${spec.guided}`, [
      'one constraint holds for a reply: leave one of the two out',
    ]);
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
  #dropsGuided = false;
  #kind: ServerKind | null;
  /** The server's kind was asked for; before that a request can't be constrained. */
  #isIdentified = false;

  constructor(spec: ModelSpec, baseUrl: string, dependencies: Dependencies) {
    this.baseUrl = baseUrl;
    this.#spec = spec;
    this.#dependencies = dependencies;
    this.#model = spec.model;
    this.#kind = kindNamed(spec.server);
    this.#api = packageClient(
      baseUrl,
      wireFetch(dependencies.transport, () => this.#key()),
    );
  }

  settings(form: RequestForm = FREE_FORM): JsonObject {
    return bodySettings(this.#spec, this.#model, form, this.#sending(form).constraint);
  }

  checkForm(form: RequestForm): void {
    if (this.#spec.guided !== 'require' || constraintFor(this.#kind, form) !== null) return;
    const why = isFree(form)
      ? 'the protocol has no guided form'
      : `${this.#server()} can't guide replies of this form`;
    throw new UsageError(`guided is \`require\`, but ${why}`, [
      'play with --guided auto, or with another protocol (docs/MODELS.md, guided decoding)',
      ...(isFree(form) ? [] : ['name the program that serves the model with `server`, if it is another']),
    ]);
  }

  async complete(
    messages: readonly Message[],
    signal: AbortSignal,
    form: RequestForm = FREE_FORM,
  ): Promise<Reply> {
    const model = await this.#readyModel(signal);
    if (!isFree(form)) this.checkForm(form);
    const { clock } = this.#dependencies;
    let sentMs = 0;
    let sent = this.#sending(form);
    const plan = this.#chatPlan(() => sent);
    const outcome = await persist(plan, this.#dependencies, signal, async (trySignal) => {
      sent = this.#sending(form);
      const body = chatBody(bodySettings(this.#spec, model, form, sent.constraint), messages, sent);
      sentMs = clock.monotonicMs();
      const answer = await unwrapped(
        this.#api.post<unknown>('/chat/completions', { body, signal: trySignal }),
      );
      const reply = toReply(answer);
      if (reply === null) throw new FaultError(fault('not-chat', '', false));
      return { ...reply, adaptations: [...adaptationsOf(messages, sent), ...guidance(sent, form, reply)] };
    });
    if (!outcome.ok) throw await this.#givenUp(outcome.givenUp, { model, sent }, signal);
    return { ...outcome.value, latencyMs: Math.round(clock.monotonicMs() - sentMs), tries: outcome.tries };
  }

  async prepare(signal: AbortSignal): Promise<{ readonly model: string; readonly server: string | null }> {
    const models = await this.models(signal);
    const model = this.#chosen(models);
    const found = await identify(this.baseUrl, models ?? [], this.#dependencies, signal);
    const kind = kindNamed(this.#spec.server) ?? found.kind;
    const version = kind === found.kind ? found.version : null;
    [this.#model, this.#kind, this.#isIdentified] = [model, kind, true];
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

  /** `lastSent` tells what the try that failed was sent as: another call may have learnt the same meanwhile. */
  #chatPlan(lastSent: () => Sending): RetryPlan {
    return {
      ...this.#limits(),
      isWorthAnother: (failed) => failed.isRetryable,
      adapt: (failed) => this.#learn(failed, lastSent()),
    };
  }

  /** Whether the next try is sent differently, because of what the server refused. */
  #learn(failed: Fault, sent: Sending): boolean {
    if (failed.kind === 'role-order' && !sent.foldSystem) {
      this.#foldSystem = true;
      return true;
    }
    const isDroppable = sent.constraint !== null && this.#spec.guided === 'auto';
    if (!isDroppable || !refusesConstraint(failed)) return false;
    this.#dropsGuided = true;
    return true;
  }

  /** How the next request of this form goes out. */
  #sending(form: RequestForm): Sending {
    const wanted = this.#spec.guided === 'off' ? null : constraintFor(this.#kind, form);
    const isDropped = wanted !== null && this.#dropsGuided;
    return { foldSystem: this.#foldSystem, constraint: isDropped ? null : wanted, isDropped };
  }

  async #readyModel(signal: AbortSignal): Promise<string> {
    const isReady = this.#spec.guided === 'off' || this.#isIdentified || this.#kind !== null;
    return this.#model !== null && isReady ? this.#model : (await this.prepare(signal)).model;
  }

  #server(): string {
    return this.#kind ?? `the server at ${this.baseUrl}, of a kind that it does not tell,`;
  }

  /** A server that is not there yet is the user's to start: said at once, not after waits. */
  #listPlan(): RetryPlan {
    return {
      ...this.#limits(),
      isWorthAnother: (failed) => failed.isRetryable && failed.kind !== 'refused',
      adapt: () => false,
    };
  }

  #limits(): Pick<RetryPlan, 'timeoutMs' | 'retries' | 'door'> {
    return {
      door: this.#dependencies.admission?.at(this.baseUrl) ?? null,
      timeoutMs: Math.min(this.#spec.timeoutMs, LIMITS.requestTimeoutMs),
      retries: Math.min(this.#spec.retries, LIMITS.retries),
    };
  }

  async #givenUp(
    givenUp: GivenUp,
    { model, sent }: { readonly model: string; readonly sent: Sending },
    signal: AbortSignal,
  ): Promise<ModelError> {
    if (sent.constraint !== null && refusesConstraint(givenUp.fault))
      return this.#error(givenUp, model, [
        `the constraint was sent as ${sent.constraint.name}; try --guided auto`,
      ]);
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
}

/** Words that are no action, such as a summary, have no form. */
function isFree(form: RequestForm): boolean {
  return form.tools.length === 0 && form.guided === null;
}

/** What is done differently in one request. */
interface Sending extends Adaptation {
  readonly constraint: Constraint | null;
  /** The server refused to be asked for it. */
  readonly isDropped: boolean;
}

/** What became of the constraint, in the words of `Reply.adaptations`. */
function guidance(
  { constraint, isDropped }: Sending,
  form: RequestForm,
  reply: Parameters<typeof keepsTo>[2],
): readonly string[] {
  if (isDropped) return ['guided-dropped'];
  return constraint === null || keepsTo(constraint.language, form, reply) ? [] : ['unguided'];
}

/** The package with every default from the environment switched off. */
function packageClient(baseURL: string, fetch: WireFetch): OpenAI {
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

/** The package's answer, or the FaultError that our `fetch` hid in its error body. */
async function unwrapped(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof APIError && isFault(error.error)) throw new FaultError(error.error);
    throw new FaultError(fault('connection', 'the request was not answered', true));
  }
}
