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
  call: number;
  end: Extract<CallEnd, { kind: 'replied' }>;
}

export class PendingSteps {
  #calls: readonly LoggedCall[];
  #outside: readonly OutsideRecord[];
  readonly #probed: ReadonlySet<number>;

  constructor({ calls, outside, probed }: PendingStep) {
    this.#calls = calls;
    this.#outside = outside;
    this.#probed = new Set(probed);
  }

  /** The stored reply to exactly this request; null for none. */
  takeReply(planned: Omit<CallRequest, 'call'>): StoredReply | null {
    const storedCall = this.#calls.find(
      ({ request, end }) => end?.kind === 'replied' && isSameCall(request, planned),
    );
    if (storedCall?.end?.kind !== 'replied') return null;
    this.#calls = this.#calls.filter((call) => call !== storedCall);
    return { call: storedCall.request.call, end: storedCall.end };
  }

  /** Whether a reply to it was stored. */
  hasReply(planned: Omit<CallRequest, 'call'>): boolean {
    return this.#calls.some(({ request, end }) => end?.kind === 'replied' && isSameCall(request, planned));
  }

  /** Speculative replies for this step that were not used. */
  discardedCalls(step: number): readonly LoggedCall[] {
    return this.#calls.filter(({ request }) => request.purpose === 'speculation' && request.step === step);
  }

  /** The stored output from outside for this act of a step; undefined for none. */
  takeOutput(step: number, { agent, action, args }: Intent): Json | undefined {
    const stored = this.#outside.find((record) => record.step === step);
    const isSameAct =
      stored?.agent === agent &&
      stored.action === action &&
      canonicalJson(stored.args) === canonicalJson(args);
    if (stored === undefined || !isSameAct) return undefined;
    this.#outside = this.#outside.filter((record) => record !== stored);
    return stored.output;
  }

  /** Whether the answer to a probe was parsed and stored. */
  isProbed(call: number): boolean {
    return this.#probed.has(call);
  }
}

function isSameCall(logged: CallRequest, planned: Omit<CallRequest, 'call'>): boolean {
  // A speculative call was made to get an action.
  const purpose = logged.purpose === 'speculation' ? 'act' : logged.purpose;
  return purpose === planned.purpose && isSameRequest(logged, planned);
}

/** Whether both send exactly the same request to an agent for the same step: every word, every pixel. */
export function isSameRequest(first: Omit<CallRequest, 'call'>, second: Omit<CallRequest, 'call'>): boolean {
  return (
    first.step === second.step &&
    first.agent === second.agent &&
    first.attempt === second.attempt &&
    hashOfJson(first.observation) === hashOfJson(second.observation) &&
    messagesHash(first.messages) === messagesHash(second.messages)
  );
}
