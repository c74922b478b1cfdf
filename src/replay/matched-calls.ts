/**
 * The logged call for a replayed call: the same position among its kind within its step. Call numbers differ,
 * because they depend on the order of requests and on abandoned calls.
 */
import type { CallRequest, LoggedCall, StepRecord } from '../trajectory/records.js';
import { isSameRequest } from '../orchestrator/pending-steps.js';
import type { LoggedStep, Recording } from './recording.js';

export interface CallPosition {
  /** The position among the calls of its kind. */
  index: number;
  /** Undefined: the log has none there. */
  call: LoggedCall | undefined;
}

/** Maps a call's number in the replay to its number in the log. */
type CallNumbers = Map<number, number>;

export class MatchedCalls {
  readonly #recording: Recording;
  readonly #steps = new Map<number, CallNumbers>();
  /** The number of probes that were asked in a step so far. */
  readonly #probeCounts = new Map<number, number>();

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  /** The logged call that corresponds to this one. */
  match(made: CallRequest): CallPosition {
    const { step, agent, purpose } = made;
    if (purpose === 'reflection') return { index: 0, call: this.#recording.reflection(agent) };
    const logged = this.#recording.at(step);
    const numbers = this.#steps.get(step) ?? new Map<number, number>();
    this.#steps.set(step, numbers);
    const position =
      purpose === 'probe'
        ? this.#probe(step, logged.probes)
        : (matchSpeculativeCall(made, logged) ?? this.#next(numbers, logged.calls));
    if (position.call !== undefined) numbers.set(made.call, position.call.request.call);
    return position;
  }

  /** The log's number of a call that was made for a step; 0 for none. */
  number(step: number, call: number): number {
    return this.#steps.get(step)?.get(call) ?? 0;
  }

  /** The replayed step with the log's numbers. */
  renumbered(made: StepRecord): StepRecord {
    if (made.calls.length === 0) return made;
    const { step } = made;
    return {
      ...made,
      calls: made.calls.map((call) => this.number(step, call)),
      acts: made.acts.map((act) => (act.call === null ? act : { ...act, call: this.number(step, act.call) })),
    };
  }

  forget(step: number): void {
    this.#steps.delete(step);
    this.#probeCounts.delete(step);
  }

  #next(numbers: CallNumbers, calls: readonly LoggedCall[]): CallPosition {
    const matched = [...numbers.values()];
    const index = calls.findIndex(({ request }) => !matched.includes(request.call));
    return { index: index < 0 ? calls.length : index, call: calls[index] };
  }

  #probe(step: number, probes: readonly LoggedCall[]): CallPosition {
    const index = this.#probeCounts.get(step) ?? 0;
    this.#probeCounts.set(step, index + 1);
    return { index, call: probes[index] };
  }
}

/**
 * If a step was never finished, no list shows which of its speculative calls counted: it is the one with the
 * same request.
 */
function matchSpeculativeCall(made: CallRequest, { record, speculative }: LoggedStep): CallPosition | null {
  if (record !== null || made.purpose !== 'act') return null;
  const call = speculative.find(({ request }) => isSameRequest(request, made));
  return call === undefined
    ? null
    : { index: 0, call: { ...call, request: { ...call.request, purpose: 'act' } } };
}
