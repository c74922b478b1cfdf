/**
 * Which logged call a call that is made again stands for: the same in order of its kind within its step. Numbers of calls are not the same in
 * both, since they depend on who was asked first and on calls that were abandoned.
 */
import type { CallRequest, LoggedCall, StepRecord } from '../trajectory/records.js';
import { asksTheSame } from '../orchestrator/pending-steps.js';
import type { LoggedStep, Recording } from './recording.js';

export interface CallPosition {
  /** Position among the calls of its kind. */
  readonly index: number;
  /** Undefined: the log holds none there. */
  readonly call: LoggedCall | undefined;
}

/** By the number that a call has here, the one that it has in the log. */
type CallNumbers = Map<number, number>;

export class MatchedCalls {
  readonly #recording: Recording;
  readonly #steps = new Map<number, CallNumbers>();
  /** How many questions were asked beside a step. */
  readonly #beside = new Map<number, number>();

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  /** The logged call that this one stands for. */
  match(made: CallRequest): CallPosition {
    const { step, agent, purpose } = made;
    if (purpose === 'reflection') return { index: 0, call: this.#recording.reflection(agent) };
    const logged = this.#recording.at(step);
    const numbers = this.#steps.get(step) ?? new Map<number, number>();
    this.#steps.set(step, numbers);
    const place =
      purpose === 'probe'
        ? this.#probe(step, logged.beside)
        : (takenEarly(made, logged) ?? this.#next(numbers, logged.calls));
    if (place.call !== undefined) numbers.set(made.call, place.call.request.call);
    return place;
  }

  /** The log's number of a call that was made for a step; 0 for none. */
  number(step: number, call: number): number {
    return this.#steps.get(step)?.get(call) ?? 0;
  }

  /** The made step with the log's numbers. */
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
    this.#beside.delete(step);
  }

  #next(numbers: CallNumbers, calls: readonly LoggedCall[]): CallPosition {
    const taken = [...numbers.values()];
    const index = calls.findIndex(({ request }) => !taken.includes(request.call));
    return { index: index < 0 ? calls.length : index, call: calls[index] };
  }

  #probe(step: number, beside: readonly LoggedCall[]): CallPosition {
    const index = this.#beside.get(step) ?? 0;
    this.#beside.set(step, index + 1);
    return { index, call: beside[index] };
  }
}

/** Of a step that was never finished no list says which call that was made ahead of it counted: the one that asked the same. */
function takenEarly(made: CallRequest, { record, early }: LoggedStep): CallPosition | null {
  if (record !== null || made.purpose !== 'act') return null;
  const call = early.find(({ request }) => asksTheSame(request, made));
  return call === undefined
    ? null
    : { index: 0, call: { ...call, request: { ...call.request, purpose: 'act' } } };
}
