/**
 * Where a log stops, and how the replay is stopped there. A log may end before its run did: interrupted
 * between steps or during one, ended by a failing server, killed, or still being written. The cause came from
 * outside, so it is taken from the log.
 */
import { ModelError } from '../base/errors.js';
import { NOTHING_SPENT, overBudget } from '../orchestrator/budget.js';
import { SinkStops } from '../trajectory/sink.js';
import type { WallClock, StopSignals } from '../orchestrator/run-context.js';
import { DifferenceFound } from './difference.js';
import type { Recording } from './recording.js';

/** Thrown if the log of a run without an end has nothing more. */
export class RecordingEnds extends SinkStops {
  override readonly name = 'RecordingEnds';
}

/** What the loop requested that the log does not have. */
export interface MissingRecord {
  step: number;
  agent: string;
  /** The kind of record: `call`, `reply`, `outside`, `step`. */
  part: string;
  what: string;
  index: number;
}

export class LogEnd {
  readonly #recording: Recording;
  readonly #soft = new AbortController();
  readonly #hard = new AbortController();
  #isOver = false;

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  get stop(): StopSignals {
    return { soft: this.#soft.signal, hard: this.#hard.signal };
  }

  /** The clock does not advance, and time runs out where it did in the log. */
  get clock(): WallClock {
    const { run, end } = this.#recording;
    const { seconds } = run.scenario.budget;
    const allMs = (seconds ?? 0) * 1000;
    const onlyTime = { steps: null, tokens: null, cost: null, seconds };
    const isTimed = seconds !== null && end?.reason === overBudget(onlyTime, NOTHING_SPENT, allMs);
    return { now: () => run.startedAt + (isTimed && this.#isOver ? allMs : 0) };
  }

  /** Called after each step, and before the first. Throws RecordingEnds. */
  stepReached(step: number): void {
    const { end, last, hasEndWhereOver } = this.#recording;
    if (step < last) return;
    this.#isOver = true;
    if (this.#recording.isCutOff) return;
    // For an unfinished run, the loop requests more, and then gets the end of the log.
    if (end === null && hasEndWhereOver) return;
    if (end === null) throw new RecordingEnds('the log has no more steps');
    if (end.status === 'interrupted') this.#soft.abort();
  }

  /** Stops the run as it was stopped; throws DifferenceFound if it was not stopped here. */
  stopAtEnd(request: MissingRecord): never {
    const { end, last } = this.#recording;
    if (request.step <= last) throw missingRecord(request, this.#recording.at(request.step).record === null);
    if (end === null) throw new RecordingEnds('the log ends here');
    if (end.status === 'interrupted') {
      this.#hard.abort();
      throw this.#hard.signal.reason as Error;
    }
    if (end.status === 'error') throw new ModelError(end.reason, { isRetryable: false });
    const { step, agent, what } = request;
    const note = `the run continues after the log's end: ${end.reason}`;
    const at = { step, agent, part: 'end', path: ['end', 'status'] };
    throw new DifferenceFound({ ...at, logged: end.status, made: `running: ${what}`, note });
  }
}

function missingRecord(
  { step, agent, part, what, index }: MissingRecord,
  isMissing: boolean,
): DifferenceFound {
  const moment = { step, agent, logged: undefined };
  if (isMissing) {
    const note = `step ${step} is missing from the log`;
    return new DifferenceFound({ ...moment, part: 'step', path: [], made: { step, agent }, note });
  }
  const path = part === 'outside' ? ['outside', index] : ['calls', index];
  const note = `the log has no such ${part === 'outside' ? 'outside effect' : part}`;
  return new DifferenceFound({ ...moment, part, path, made: what, note });
}
