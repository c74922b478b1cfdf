/**
 * What was stored of the steps that were begun and never finished: replies and effects outside. Whoever goes on takes each of them up instead
 * of asking or reaching again, once, and only where the very same thing would be asked. A call that was never answered is not among them.
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

  /** The reply that is stored for this very request; null for none. */
  reply(wanted: Omit<CallRequest, 'call'>): StoredReply | null {
    const found = this.#calls.find(({ request, end }) => end?.kind === 'replied' && isSame(request, wanted));
    if (found?.end?.kind !== 'replied') return null;
    this.#calls = this.#calls.filter((one) => one !== found);
    return { call: found.request.call, end: found.end };
  }

  /** Whether a reply to it is stored. */
  holds(wanted: Omit<CallRequest, 'call'>): boolean {
    return this.#calls.some(({ request, end }) => end?.kind === 'replied' && isSame(request, wanted));
  }

  /** Replies that were asked for ahead of this step and not taken up. */
  wasted(step: number): readonly LoggedCall[] {
    return this.#calls.filter(({ request }) => request.purpose === 'speculation' && request.step === step);
  }

  /** What came back from outside for this act of a step; undefined for nothing. */
  output(step: number, { agent, action, args }: Intent): Json | undefined {
    const found = this.#outside.find((one) => one.step === step);
    const isIt =
      found?.agent === agent && found.action === action && canonicalJson(found.args) === canonicalJson(args);
    if (found === undefined || !isIt) return undefined;
    this.#outside = this.#outside.filter((one) => one !== found);
    return found.output;
  }

  /** Whether a question's answer was read and kept. */
  isProbed(call: number): boolean {
    return this.#probed.has(call);
  }
}

function isSame(logged: CallRequest, wanted: Omit<CallRequest, 'call'>): boolean {
  // What was asked ahead of its turn was to act.
  const purpose = logged.purpose === 'speculation' ? 'act' : logged.purpose;
  return purpose === wanted.purpose && asksTheSame(logged, wanted);
}

/** Whether both ask an agent the very same thing for the same step: every word, every pixel. */
export function asksTheSame(one: Omit<CallRequest, 'call'>, other: Omit<CallRequest, 'call'>): boolean {
  return (
    one.step === other.step &&
    one.agent === other.agent &&
    one.attempt === other.attempt &&
    hashOfJson(one.observation) === hashOfJson(other.observation) &&
    messagesHash(one.messages) === messagesHash(other.messages)
  );
}
