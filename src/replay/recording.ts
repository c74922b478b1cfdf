/**
 * A logged run, readable in the loop's order: the records of step 1, 2, 3 … Only the steps that are being
 * played are in memory, so memory use does not grow with the run. Nothing is compared here.
 */
import { WORLD_ID } from '../base/ids.js';
import type { Json } from '../base/json.js';
import type { LogReader } from '../log/reader.js';
import type {
  CallRequest,
  LoggedCall,
  OutsideRecord,
  RunEnd,
  RunRecord,
  StepRecord,
} from '../trajectory/records.js';
import type { CallPurpose } from '../trajectory/record-values.js';
import type { LoggedProbe } from '../trajectory/records.js';
import { messagesHash } from '../trajectory/chain.js';

/** The records of one step. */
export interface LoggedStep {
  /** Null: the step was never finished, or its row is missing. */
  record: StepRecord | null;
  /** The calls that shaped it, in order; for an unfinished step, all calls that were made for it. */
  calls: readonly LoggedCall[];
  /** The probes of the step, in order. */
  probes: readonly LoggedCall[];
  /** Its speculative answers; for a finished step, the discarded ones. */
  speculative: readonly LoggedCall[];
}

/** Purposes of calls that are not part of an unfinished step. */
const OUTSIDE_STEP: readonly CallPurpose[] = ['probe', 'reflection', 'interview', 'speculation'];

export class Recording {
  readonly run: RunRecord;
  /** How it ended; null if no end was written. */
  readonly end: RunEnd | null;
  /** The settings of its newest session. */
  readonly lastVersions: RunRecord['versions'];
  /** Its own first step: for a fork, the one at which it begins. */
  readonly first: number;
  /** The last finished step; 0 before the first. */
  readonly last: number;
  readonly #reader: LogReader;
  readonly #isWhole: boolean;
  readonly #steps: Iterator<StepRecord>;
  #nextStep: StepRecord | null;
  readonly #loaded = new Map<number, LoggedStep>();
  #sideQuestions: readonly LoggedCall[] | null = null;
  #probes: ReadonlyMap<number, LoggedProbe> | null = null;

  /** `to`: only up to this step, as if nothing came after it. */
  constructor(reader: LogReader, runId: string, to = Number.MAX_SAFE_INTEGER) {
    this.#reader = reader;
    this.run = reader.run(runId);
    // The count comes before the end: steps that a run in progress adds meanwhile are left out.
    const all = reader.runs().find((one) => one.runId === runId)?.steps ?? 0;
    this.#isWhole = to >= all;
    this.end = this.#isWhole ? reader.end(runId) : null;
    this.lastVersions = reader.sessions(runId).at(-1)?.versions ?? this.run.versions;
    this.last = Math.min(all, to);
    this.first = this.run.parent?.step ?? 1;
    this.#steps = reader.steps(runId, { from: this.first, to: this.last });
    this.#nextStep = this.#read();
  }

  /** Steps must be requested in order, except those of one tick. */
  at(step: number): LoggedStep {
    const loaded = this.#loaded.get(step) ?? this.#load(step);
    this.#loaded.set(step, loaded);
    return loaded;
  }

  /** The step will not be requested again. */
  forget(step: number): void {
    this.#loaded.delete(step);
  }

  /**
   * Whether a run that is over by its rules must have an end in the log, because both are written at once.
   */
  get hasEndWhereOver(): boolean {
    // An earlier version wrote the last step first; with speculative calls, their results may be written in
    // between.
    return this.#isWhole && this.lastVersions.log >= 2 && this.run.scenario.turns.speculate == null;
  }

  /** The stored state before the first step. */
  get initialState(): Json {
    return this.#reader.snapshotBefore(this.run.runId, 0).state;
  }

  /** Whether anything was begun after the last finished step. */
  get isCutOff(): boolean {
    if (!this.#isWhole) return false;
    // All agents of a tick may have been called at once.
    return this.run.scenario.agents.some((_, i) => {
      const { calls, probes } = this.at(this.last + 1 + i);
      return calls.length + probes.length > 0;
    });
  }

  /**
   * The questions to an agent about the whole run, after its end; if it was asked repeatedly, the one that
   * was answered.
   */
  reflection(agent: string): LoggedCall | undefined {
    this.#sideQuestions ??= this.#reader.asides(this.run.runId);
    const reflections = this.#sideQuestions.filter(
      ({ request }) => request.purpose === 'reflection' && request.agent === agent,
    );
    return reflections.find(({ end }) => end?.kind === 'replied') ?? reflections[0];
  }

  /** The stored data of a side question, by the log's number of its call. */
  probe(call: number): LoggedProbe | undefined {
    this.#probes ??= new Map(this.#reader.probes(this.run.runId).map((one) => [one.call, one]));
    return this.#probes.get(call);
  }

  outside(step: number): readonly OutsideRecord[] {
    return this.#reader.outside(this.run.runId, step);
  }

  #load(step: number): LoggedStep {
    let record: StepRecord | null = null;
    while (this.#nextStep !== null && this.#nextStep.step <= step) {
      // Steps of one tick may be asked for out of order.
      if (this.#nextStep.step === step) record = this.#nextStep;
      else this.#loaded.set(this.#nextStep.step, this.#withCalls(this.#nextStep));
      this.#nextStep = this.#read();
    }
    if (record !== null) return this.#withCalls(record);
    const calls = withoutAbandoned(this.#reader.calls(this.run.runId, step));
    const stepCalls = calls.filter((call) => !isOutsideStep(call));
    return {
      record,
      calls: stepCalls,
      probes: calls.filter(isProbe),
      speculative: calls.filter(isAnsweredSpeculation),
    };
  }

  #withCalls(record: StepRecord): LoggedStep {
    const isOfWorld = record.agent === WORLD_ID && record.calls.length === 0;
    // A speculative call may have been made for what became the world's step.
    if (isOfWorld && this.run.scenario.turns.speculate == null)
      return { record, calls: [], probes: [], speculative: [] };
    const calls = this.#reader.calls(this.run.runId, record.step);
    const listed = record.calls.flatMap((number) => calls.filter(({ request }) => request.call === number));
    const probes = withoutAbandoned(calls.filter(isProbe));
    return { record, calls: listed, probes, speculative: calls.filter(isAnsweredSpeculation) };
  }

  #read(): StepRecord | null {
    const next = this.#steps.next();
    return next.done === true ? null : next.value;
  }
}

/** The calls without those that had no answer when the run was interrupted and were made again. */
function withoutAbandoned(calls: readonly LoggedCall[]): readonly LoggedCall[] {
  return calls.filter(
    ({ request, end }, i) =>
      end?.kind === 'replied' || !calls.slice(i + 1).some((later) => isSame(later.request, request)),
  );
}

function isSame(one: CallRequest, other: CallRequest): boolean {
  return (
    one.agent === other.agent &&
    one.purpose === other.purpose &&
    one.attempt === other.attempt &&
    messagesHash(one.messages) === messagesHash(other.messages)
  );
}

function isOutsideStep({ request }: LoggedCall): boolean {
  return OUTSIDE_STEP.includes(request.purpose);
}

function isProbe({ request }: LoggedCall): boolean {
  return request.purpose === 'probe';
}

function isAnsweredSpeculation({ request, end }: LoggedCall): boolean {
  return request.purpose === 'speculation' && end?.kind === 'replied';
}
