/**
 * The chat client for OpenAI-compatible servers: it builds requests and parses replies. Below it,
 * `server-api.ts` turns every unusable answer into the same kind of error; above it is the one retry layer.
 * The key is read from the environment at each try and added below, and is never stored.
 */
import { ModelError, UsageError } from '../base/errors.js';
import type { JsonObject } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import { oneLine } from '../base/text.js';
import type { ModelSpec } from '../scenario/scenario.js';
import { modelError } from './error-messages.js';
import { FREE_FORM, NO_CHOICE, SERVER_ERROR, seededForm } from './chat.js';
import type { ChatModel, IsAhead, Message, Reply, RequestForm } from './chat.js';
import { beforeDeadline } from './deadline.js';
import { fault, FaultError, isRefusal, mayBeOfRequest, mayBePassing, memberAt } from './fault.js';
import type { Fault } from './fault.js';
import type { Dependencies } from './dependencies.js';
import type { FoundKey } from './keys.js';
import { toReply } from './reply.js';
import { CONSTRAINT_FIELDS, constraintWays, kindNamed } from './capabilities.js';
import type { ServerKind } from './capabilities.js';
import { constraintFor, refusesConstraint } from './constraint.js';
import type { Constraint } from './constraint.js';
import { satisfiesConstraint } from './guided-check.js';
import { adaptationsOf, bodySettings, chatBody, OWN_FIELDS } from './request.js';
import type { Adaptation } from './request.js';
import type { AnswerCount } from './rate-limiter.js';
import { withRetry, throwIfCancelled } from './retry.js';
import type { GivenUp, RetryPlan } from './retry.js';
import { checkedBaseUrl, chooseModel, identify, modelHints, modelsIn } from './server.js';
import type { ServerModel } from './server.js';
import { serverApi } from './server-api.js';
import type { ServerApi } from './server-api.js';
import { eventLoop } from './fair-queue.js';

/** The client, with additional information for `doctor`. */
export interface OpenChatModel extends ChatModel {
  /** The server's address, checked and without secrets. */
  baseUrl: string;
  /**
   * Throws UsageError if replies must be guided (`guided: require`) and the prepared server can't guide this
   * form.
   */
  checkForm(form: RequestForm): void;
  /**
   * The reason why the prepared server does not guide replies of this form, although `guided: auto` allows
   * it; null if it does, or does not have to.
   */
  unguided(form: RequestForm): string | null;
  /**
   * Whether the server answers a short question now, with the same settings; to refuse it is to answer, too.
   * Takes at most `limitMs`, and never throws.
   */
  answers(limitMs: number, signal: AbortSignal): Promise<boolean>;
  /** The server's models; null if it has no list. Throws ModelError if the server can't be reached. */
  models(signal: AbortSignal): Promise<readonly ServerModel[] | null>;
}

/**
 * Opens a client; nothing is sent yet. Throws UsageError for an address or settings that can't be used, and
 * for a key that is not for this address.
 *
 * `complete` sends the name of the specified model, or of the one that `prepare` found.
 */
export function openChatModel(spec: ModelSpec, dependencies: Dependencies): OpenChatModel {
  const baseUrl = checkedBaseUrl(spec.baseUrl);
  const reservedField = OWN_FIELDS.find((field) => Object.hasOwn(spec.extra, field));
  if (reservedField !== undefined)
    throw new UsageError(`extra may not set "${reservedField}"`, [
      'orchestrate sets it: remove it from extra, and use the keys of the model instead',
    ]);
  const constraint = CONSTRAINT_FIELDS.find((field) => Object.hasOwn(spec.extra, field));
  if (spec.guided !== 'off' && constraint !== undefined)
    throw new UsageError(`extra may not set "${constraint}" if guided is ${spec.guided}`, [
      'a reply can have only one constraint: remove one of the two',
    ]);
  for (const setting of [spec.temperature, spec.topP]) {
    if (!/^\d+(\.\d+)?$/.test(setting))
      throw new UsageError(`temperature and top_p must be decimal numbers, not "${oneLine(setting, 40)}"`);
  }
  // Refused here, before anything is sent.
  if (spec.apiKeyEnv !== null) dependencies.keys.find(spec.apiKeyEnv, baseUrl);
  return new OpenAiClient(spec, baseUrl, dependencies);
}

class OpenAiClient implements OpenChatModel {
  readonly baseUrl: string;
  readonly #spec: ModelSpec;
  readonly #dependencies: Dependencies;
  readonly #api: ServerApi;
  /** Shared by all clients of the server, if they share its limits. */
  readonly #answers: AnswerCount;
  #model: string | null;
  /**
   * Learnt from refusals, for the rest of the run: the system text is put into the first user message;
   * constraints are left out.
   */
  #foldSystem = false;
  #dropsGuided = false;
  #kind: ServerKind | null;
  /** The server's kind has been determined; before that, a request can't be constrained. */
  #isIdentified = false;

  constructor(spec: ModelSpec, baseUrl: string, dependencies: Dependencies) {
    this.baseUrl = baseUrl;
    this.#spec = spec;
    this.#dependencies = dependencies;
    this.#model = spec.model;
    this.#kind = kindNamed(spec.server);
    this.#answers = dependencies.admission?.at(baseUrl).answers ?? { answered: 0 };
    this.#api = serverApi(baseUrl, dependencies.transport, () => this.#key().key);
  }

  settings(form: RequestForm = FREE_FORM): JsonObject {
    return bodySettings(this.#spec, this.#model, form, this.#requestPlan(form).constraint);
  }

  checkForm(form: RequestForm): void {
    const reason = this.#spec.guided === 'require' ? this.#whyUnguided(form) : null;
    if (reason === null) return;
    throw new UsageError(`guided is \`require\`, but ${reason}`, [
      'play with --guided auto, or with another protocol (docs/how-to/connect-a-model.md, guided decoding)',
      ...(isFree(form) ? [] : ['if a different program serves the model, set `server` to it']),
    ]);
  }

  unguided(form: RequestForm): string | null {
    const reason = this.#spec.guided === 'auto' ? this.#whyUnguided(form) : null;
    return reason === null ? null : `replies are not guided: ${reason}`;
  }

  /** Null if replies of this form can be guided. */
  #whyUnguided(form: RequestForm): string | null {
    if (constraintFor(this.#kind, form) !== null) return null;
    if (isFree(form)) return 'the protocol has no guided form';
    const ways = constraintWays(this.#kind).map(({ name }) => name);
    const server = this.#kind ?? `the server at ${this.baseUrl} (unknown server type)`;
    return `${server} can't guide replies of this form; it supports only ${ways.join(', ')}`;
  }

  async complete(
    messages: readonly Message[],
    signal: AbortSignal,
    form: RequestForm = FREE_FORM,
    isAhead: IsAhead = neverAhead,
  ): Promise<Reply> {
    const isReady = this.#spec.guided === 'off' || this.#isIdentified || this.#kind !== null;
    const model = this.#model !== null && isReady ? this.#model : (await this.prepare(signal)).model;
    if (this.#spec.guided === 'require' && !isFree(form)) this.checkForm(form);
    const { clock } = this.#dependencies;
    // Of the last try, because another call may discover the same difference meanwhile.
    let sent = this.#requestPlan(form);
    let sentMs = 0;
    let answeredBefore = 0;
    const plan: RetryPlan = {
      ...this.#limits(),
      isAhead,
      isWorthAnother: mayBePassing,
      adapt: (failed) => this.#learn(failed, sent),
    };
    const outcome = await withRetry(plan, this.#dependencies, signal, (trySignal) => {
      sent = this.#requestPlan(form);
      const body = chatBody(bodySettings(this.#spec, model, form, sent.constraint), messages, sent);
      sentMs = clock.monotonicMs();
      answeredBefore = this.#answers.answered;
      return this.#ask(body, trySignal);
    });
    const { constraint } = sent;
    if (!outcome.ok) {
      const sentFields = Object.keys(bodySettings(this.#spec, model, form, constraint));
      throw await this.#givenUp(outcome.givenUp, model, { constraint, sentFields, answeredBefore }, signal);
    }
    const { value: reply, tries } = outcome;
    const latencyMs = Math.round(clock.monotonicMs() - sentMs);
    // One answer in each round of the event loop (fair-queue.ts); there is one queue for the whole process.
    await eventLoop.nextRound();
    throwIfCancelled(signal);
    const adaptations = [...adaptationsOf(messages, sent)];
    if (sent.isDropped) adaptations.push('guided-dropped');
    if (constraint !== null && !satisfiesConstraint(constraint.language, form, reply))
      adaptations.push('unguided');
    return { ...reply, adaptations, latencyMs, tries };
  }

  async prepare(signal: AbortSignal): Promise<{ model: string; server: string | null }> {
    const models = await this.models(signal);
    const model = chooseModel(models, this.#spec.model, this.baseUrl);
    const identity = await identify(this.baseUrl, models ?? [], this.#dependencies, signal);
    const kind = kindNamed(this.#spec.server) ?? identity.kind;
    const version = kind === identity.kind ? identity.version : null;
    [this.#model, this.#kind, this.#isIdentified] = [model, kind, true];
    return { model, server: kind === null ? null : version === null ? kind : `${kind} ${version}` };
  }

  async answers(limitMs: number, signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#dependencies;
    const asked = await beforeDeadline({ limitMs, clock, signal }, async (askSignal) => {
      const model = this.#model ?? (await this.models(askSignal))?.[0]?.id;
      return model !== undefined && (await this.#answersQuestion(model, 1, askSignal));
    });
    return asked.kind === 'answered' && asked.value;
  }

  async models(signal: AbortSignal): Promise<readonly ServerModel[] | null> {
    const plan: RetryPlan = {
      ...this.#limits(),
      isAhead: neverAhead,
      // The user has to start a server that is not running, so this is reported at once.
      isWorthAnother: (failed) => failed.isRetryable && failed.kind !== 'refused',
      adapt: () => false,
    };
    const outcome = await withRetry(plan, this.#dependencies, signal, (trySignal) =>
      this.#api.models(trySignal),
    );
    if (outcome.ok) return modelsIn(outcome.value);
    if (outcome.givenUp.fault.kind === 'no-path') return null;
    throw this.#error(outcome.givenUp, { model: this.#model, sentFields: [] });
  }

  /** Throws FaultError if the answer has no reply, or if the server did not finish it. */
  async #ask(body: ReturnType<typeof chatBody>, signal: AbortSignal) {
    const answer = await this.#api.complete(body, signal);
    const reply = toReply(answer);
    if (reply === null) throw new FaultError(fault('not-chat', '', false));
    if (reply.finishReason === SERVER_ERROR) {
      const reason = String(memberAt(answer, 'choices.0.finish_reason'));
      throw new FaultError(fault('server', `it ended its answer with "${reason}": ${reply.content}`, true));
    }
    this.#answers.answered += 1;
    return reply;
  }

  /** Whether the next try is sent differently, because of the server's refusal. */
  #learn(failed: Fault, sent: RequestPlan): boolean {
    if (failed.kind === 'role-order' && !sent.foldSystem) {
      this.#foldSystem = true;
      return true;
    }
    const isDroppable = sent.constraint !== null && this.#spec.guided === 'auto';
    if (!isDroppable || !refusesConstraint(failed)) return false;
    this.#dropsGuided = true;
    return true;
  }

  /** How to send the next request of this form. */
  #requestPlan(form: RequestForm): RequestPlan {
    const available = this.#spec.guided === 'off' ? null : constraintFor(this.#kind, form);
    const isDropped = available !== null && this.#dropsGuided;
    return { foldSystem: this.#foldSystem, constraint: isDropped ? null : available, isDropped };
  }

  #limits(): Pick<RetryPlan, 'timeoutMs' | 'retries' | 'limiter'> {
    return {
      limiter: this.#dependencies.admission?.at(this.baseUrl) ?? null,
      timeoutMs: Math.min(this.#spec.timeoutMs, LIMITS.requestTimeoutMs),
      retries: Math.min(this.#spec.retries, LIMITS.retries),
    };
  }

  /** `answeredBefore`: how many requests the server had answered when the last try was sent. */
  async #givenUp(
    givenUp: GivenUp,
    model: string,
    sent: { constraint: Constraint | null; sentFields: readonly string[]; answeredBefore: number },
    signal: AbortSignal,
  ): Promise<ModelError> {
    const { constraint, sentFields, answeredBefore } = sent;
    if (constraint !== null && refusesConstraint(givenUp.fault))
      return this.#error(givenUp, { model, sentFields }, [
        `the constraint was sent as ${constraint.name}; try --guided auto`,
      ]);
    if (mayBeOfRequest(givenUp.fault)) {
      const hasAnswered = (): boolean => this.#answers.answered > answeredBefore;
      const answersOthers =
        hasAnswered() || (await this.#answersQuestion(model, QUESTION_TRIES, signal)) || hasAnswered();
      return this.#error(givenUp, { model, sentFields, answersOthers });
    }
    if (givenUp.fault.kind !== 'no-model') return this.#error(givenUp, { model, sentFields });
    const models = await this.models(signal).catch((error: unknown) => {
      if (error instanceof ModelError) return null;
      throw error;
    });
    const ids = (models ?? []).map((known) => known.id);
    return this.#error(givenUp, { model, sentFields }, modelHints(ids, model));
  }

  /** All tries together take at most the time of one try of a request. */
  async #answersQuestion(model: string, triesMax: number, signal: AbortSignal): Promise<boolean> {
    const { limiter, timeoutMs } = this.#limits();
    const plan: RetryPlan = {
      // The budget of retries may be used up by the failures that this question is about.
      limiter: limiter && {
        answers: limiter.answers,
        enter: (asked) => limiter.enter(asked),
        pause: (ms) => limiter.pause(ms),
        mayRetry: () => true,
      },
      timeoutMs: timeoutMs / triesMax,
      retries: triesMax - 1,
      isWorthAnother: mayBePassing,
      adapt: () => false,
      isAhead: neverAhead,
    };
    let tries = 0;
    const outcome = await withRetry(plan, this.#dependencies, signal, (trySignal) => {
      const settings = bodySettings(this.#spec, model, seededForm(FREE_FORM, tries++), null);
      return this.#ask(chatBody(settings, QUESTION, { foldSystem: false }), trySignal);
    });
    return outcome.ok ? outcome.value.finishReason !== NO_CHOICE : isRefusal(outcome.givenUp.fault);
  }

  #error(
    { fault: failed, ...tried }: GivenUp,
    request: { model: string | null; sentFields: readonly string[]; answersOthers?: boolean },
    moreHints: readonly string[] = [],
  ): ModelError {
    const { apiKeyEnv, timeoutMs } = this.#spec;
    const { key, isWithheld } = this.#key();
    const server = { baseUrl: this.baseUrl, kind: this.#kind, timeoutMs, answersOthers: false };
    const keyState = { apiKeyEnv, hasKey: key !== null, isWithheld };
    return modelError(failed, { ...server, ...keyState, ...tried, ...request }, moreHints);
  }

  /** Read again each time, so that it is never stored. */
  #key(): FoundKey {
    const { apiKeyEnv } = this.#spec;
    if (apiKeyEnv === null) return { key: null, isWithheld: false };
    return this.#dependencies.keys.find(apiKeyEnv, this.baseUrl);
  }
}

/** Sent after a failure, to see whether the server answers anything: it may list its models while it answers nobody. */
const QUESTION: readonly Message[] = [
  { role: 'user', parts: [{ kind: 'text', text: 'Answer with the word OK.' }] },
];
const QUESTION_TRIES = 3;

/** The default: not a speculative call, a step waits for the answer. */
const neverAhead: IsAhead = () => false;

/** Texts that are not actions, such as a summary, have no form. */
function isFree(form: RequestForm): boolean {
  return form.tools.length === 0 && form.guided === null;
}

/** The adaptations of one request. */
interface RequestPlan extends Adaptation {
  constraint: Constraint | null;
  /** The server refused this field. */
  isDropped: boolean;
}
