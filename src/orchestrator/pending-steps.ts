/**
 * The stored parts of unfinished steps: replies and outside effects. A resumed run uses each of them instead
 * of repeating the call or effect, once, and only for the identical request. Unanswered calls are not
 * included.
 */
import { canonicalJson } from '../base/canonical.js';
import type { Json } from '../base/json.js';
import type { Intent } from '../environment/action.js';
import { messagesHash } from '../trajectory/chain.js';
import { hashOfJson } from '../trajectory/content.js';
import type { CallEnd, CallRequest, LoggedCall, OutsideRecord } from '../trajectory/records.js';
import type { PendingStep } from './run-history.js';

export interface StoredReply {
  /** The number that the call has in the log. */
  readonly call: number;
  readonly end: Extract<CallEnd, { kind: 'replied' }>;
}

export class BegunSteps {
  #calls: readonly LoggedCall[];
  #outside: readonly OutsideRecord[];
  readonly #probed: ReadonlySet<number>;

  constructor({ calls, outside, probed }: PendingStep) {
    this.#calls = calls;
    this.#outside = outside;
    this.#probed = new Set(probed);
  }

  /** The stored reply to exactly this request; null for none. */
  reply(wanted: Omit<CallRequest, 'call'>): StoredReply | null {
    const found = this.#calls.find(({ request, end }) => end?.kind === 'replied' && isSame(request, wanted));
    if (found?.end?.kind !== 'replied') return null;
    this.#calls = this.#calls.filter((one) => one !== found);
    return { call: found.request.call, end: found.end };
  }

  /** Whether a reply to it was stored. */
  holds(wanted: Omit<CallRequest, 'call'>): boolean {
    return this.#calls.some(({ request, end }) => end?.kind === 'replied' && isSame(request, wanted));
  }

  /** Speculative replies for this step that were not used. */
  wasted(step: number): readonly LoggedCall[] {
    return this.#calls.filter(({ request }) => request.purpose === 'speculation' && request.step === step);
  }

  /** The stored output from outside for this act of a step; undefined for none. */
  output(step: number, { agent, action, args }: Intent): Json | undefined {
    const found = this.#outside.find((one) => one.step === step);
    const isIt =
      found?.agent === agent && found.action === action && canonicalJson(found.args) === canonicalJson(args);
    if (found === undefined || !isIt) return undefined;
    this.#outside = this.#outside.filter((one) => one !== found);
    return found.output;
  }

  /** Whether the answer to a probe was parsed and stored. */
  isProbed(call: number): boolean {
    return this.#probed.has(call);
  }
}

function isSame(logged: CallRequest, wanted: Omit<CallRequest, 'call'>): boolean {
  // A speculative call was made to get an action.
  const purpose = logged.purpose === 'speculation' ? 'act' : logged.purpose;
  return purpose === wanted.purpose && asksTheSame(logged, wanted);
}

/** Whether both send exactly the same request to an agent for the same step: every word, every pixel. */
export function asksTheSame(one: Omit<CallRequest, 'call'>, other: Omit<CallRequest, 'call'>): boolean {
  return (
    one.step === other.step &&
    one.agent === other.agent &&
    one.attempt === other.attempt &&
    hashOfJson(one.observation) === hashOfJson(other.observation) &&
    messagesHash(one.messages) === messagesHash(other.messages)
  );
}
