/**
 * A logged run as something that can be asked in the loop's order: what is in the log of step 1, 2, 3 … Only the steps that are being played
 * are held, so memory stays flat however long the run. In: a reader; out: records. Nothing is judged here.
 */
import { WORLD_ID } from '../base/ids.js';
import type { Json } from '../base/json.js';
import type { LogReader } from '../log/reader.js';
import type {
  CallPurpose,
  CallRequest,
  LoggedCall,
  OutsideRecord,
  RunEnd,
  RunRecord,
  StepRecord,
} from '../trajectory/records.js';
import type { LoggedProbe } from '../trajectory/records.js';
import { messagesHash } from '../trajectory/chain.js';

/** What the log holds of one step. */
export interface LoggedStep {
  /** Null: the step was never finished, or its row is missing. */
  readonly record: StepRecord | null;
  /** The calls that shaped it, in order; of an unfinished step, all that were made for it. */
  readonly calls: readonly LoggedCall[];
  /** Questions that were asked beside it, in order. */
  readonly beside: readonly LoggedCall[];
  /** Its speculative answers; for a finished step, the discarded ones. */
  readonly early: readonly LoggedCall[];
}

/** Asked after the run's end or beside its step: no part of an unfinished step. */
const BESIDE: readonly CallPurpose[] = ['probe', 'reflection', 'interview', 'speculation'];

export class Recording {
  readonly run: RunRecord;
  /** How it ended; null if no end was written. */
  readonly end: RunEnd | null;
  /** What it was played with last. */
  readonly lastVersions: RunRecord['versions'];
  /** Its own first step: a fork's is the one that it begins with. */
  readonly first: number;
  /** The last finished step; 0 before the first. */
  readonly last: number;
  readonly #reader: LogReader;
  readonly #isWhole: boolean;
  readonly #steps: Iterator<StepRecord>;
  #ahead: StepRecord | null;
  readonly #held = new Map<number, LoggedStep>();
  #asides: readonly LoggedCall[] | null = null;
  #probes: ReadonlyMap<number, LoggedProbe> | null = null;

  /** `to`: only so far, as if nothing came after it. */
  constructor(reader: LogReader, runId: string, to = Number.MAX_SAFE_INTEGER) {
    this.#reader = reader;
    this.run = reader.run(runId);
    // In this order: a run in progress is read up to here.
    const all = reader.runs().find((one) => one.runId === runId)?.steps ?? 0;
    this.#isWhole = to >= all;
    this.end = this.#isWhole ? reader.end(runId) : null;
    this.lastVersions = reader.sessions(runId).at(-1)?.versions ?? this.run.versions;
    this.last = Math.min(all, to);
    this.first = this.run.parent?.step ?? 1;
    this.#steps = reader.steps(runId, { from: this.first, to: this.last });
    this.#ahead = this.#read();
  }

  /** Steps must be asked for in order, but for those of one tick. */
  at(step: number): LoggedStep {
    const held = this.#held.get(step) ?? this.#load(step);
    this.#held.set(step, held);
    return held;
  }

  /** The step will not be asked for again. */
  forget(step: number): void {
    this.#held.delete(step);
  }

  /** Whether a run that is over by its rules has an end in the log, since both are written at once. */
  get hasEndWhereOver(): boolean {
    // A version before wrote the last step first; where agents are asked ahead, what comes of that may be written in between.
    return this.#isWhole && this.lastVersions.log >= 2 && this.run.scenario.turns.speculate == null;
  }

  /** The stored state before the first step. */
  get initialState(): Json {
    return this.#reader.snapshotBefore(this.run.runId, 0).state;
  }

  /** Whether anything was begun after the last finished step. */
  get isCutOff(): boolean {
    if (!this.#isWhole) return false;
    // All agents of a tick may have been asked at once.
    return this.run.scenario.agents.some((_, i) => {
      const { calls, beside } = this.at(this.last + 1 + i);
      return calls.length + beside.length > 0;
    });
  }

  /** What an agent was asked of the whole run, after its end; where it was asked again, the time that was answered. */
  reflection(agent: string): LoggedCall | undefined {
    this.#asides ??= this.#reader.asides(this.run.runId);
    const own = this.#asides.filter(
      ({ request }) => request.purpose === 'reflection' && request.agent === agent,
    );
    return own.find(({ end }) => end?.kind === 'replied') ?? own[0];
  }

  /** What is kept of a question beside a step, by the log's number of its call. */
  probe(call: number): LoggedProbe | undefined {
    this.#probes ??= new Map(this.#reader.probes(this.run.runId).map((one) => [one.call, one]));
    return this.#probes.get(call);
  }

  outside(step: number): readonly OutsideRecord[] {
    return this.#reader.outside(this.run.runId, step);
  }

  #load(step: number): LoggedStep {
    let record: StepRecord | null = null;
    while (this.#ahead !== null && this.#ahead.step <= step) {
      // Steps of one tick may be asked for out of order.
      if (this.#ahead.step === step) record = this.#ahead;
      else this.#held.set(this.#ahead.step, this.#withCalls(this.#ahead));
      this.#ahead = this.#read();
    }
    if (record !== null) return this.#withCalls(record);
    const calls = withoutGivenUp(this.#reader.calls(this.run.runId, step));
    const own = calls.filter((call) => !isBeside(call));
    return { record, calls: own, beside: calls.filter(isProbe), early: calls.filter(isEarly) };
  }

  #withCalls(record: StepRecord): LoggedStep {
    const isOfWorld = record.agent === WORLD_ID && record.calls.length === 0;
    // An early call may have been made for what became the world's step.
    if (isOfWorld && this.run.scenario.turns.speculate == null)
      return { record, calls: [], beside: [], early: [] };
    const calls = this.#reader.calls(this.run.runId, record.step);
    const listed = record.calls.flatMap((number) => calls.filter(({ request }) => request.call === number));
    const beside = withoutGivenUp(calls.filter(isProbe));
    return { record, calls: listed, beside, early: calls.filter(isEarly) };
  }

  #read(): StepRecord | null {
    const next = this.#steps.next();
    return next.done === true ? null : next.value;
  }
}

/** Calls without those that had no answer when the run was left, and were made again. */
function withoutGivenUp(calls: readonly LoggedCall[]): readonly LoggedCall[] {
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

function isBeside({ request }: LoggedCall): boolean {
  return BESIDE.includes(request.purpose);
}

function isProbe({ request }: LoggedCall): boolean {
  return request.purpose === 'probe';
}

function isEarly({ request, end }: LoggedCall): boolean {
  return request.purpose === 'speculation' && end?.kind === 'replied';
}
