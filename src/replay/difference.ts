/**
 * The first difference between a log and its replay, as `verify` reports it. It is thrown through the loop,
 * which does not know it: it is not an OrchestrateError, so the loop neither logs nor explains it.
 */
import { SinkStops } from '../trajectory/sink.js';
import type { JsonPath } from './compare.js';
import { pointer, shownValues } from './compare.js';

/** Where a log and its replay diverge; all values are text of limited length. */
export interface ReplayDifference {
  run: string;
  /** Counts from 1; null for the run as a whole. */
  step: number | null;
  /** Agent id or `world`; null if the step has none or there is no step. */
  agent: string | null;
  /**
   * A part of the environment's state by its name, or another part of the step: `observation`, `messages`,
   * `frame`, `parser`, `chain` …
   */
  part: string;
  /** JSON pointer into the record: `/acts/0/intent/action`. */
  path: string;
  /** The logged value as JSON; null if the log contains nothing there. */
  logged: string | null;
  /** The replayed value as JSON; null if the replay has nothing there. */
  made: string | null;
  /** One sentence for people. */
  note: string;
}

export interface FoundDifference {
  step: number | null;
  agent: string | null;
  part: string;
  path: JsonPath;
  logged: unknown;
  made: unknown;
  note: string;
}

/** Thrown when the replay differs from the log. */
export class DifferenceFound extends SinkStops {
  override readonly name = 'DifferenceFound';
  readonly difference: FoundDifference;

  constructor(difference: FoundDifference) {
    super(difference.note);
    this.difference = difference;
  }
}

export function asDifference(run: string, difference: FoundDifference): ReplayDifference {
  const { step, agent, part, path, logged, made, note } = difference;
  return { run, step, agent, part, path: pointer(path), ...shownValues(logged, made), note };
}
