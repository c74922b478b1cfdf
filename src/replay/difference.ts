/**
 * The first difference between a log and its replay, as `verify` reports it. It is thrown through the loop,
 * which does not know it: it is not an OrchestrateError, so the loop neither logs nor explains it.
 */
import { SinkStops } from '../trajectory/sink.js';
import type { JsonPath } from './compare.js';
import { pointer, shownValues } from './compare.js';

/** Where a log and its replay diverge; all values are text of limited length. */
export interface ReplayDifference {
  readonly run: string;
  /** Counts from 1; null for the run as a whole. */
  readonly step: number | null;
  /** Agent id or `world`; null if the step has none or there is no step. */
  readonly agent: string | null;
  /**
   * A part of the environment's state by its name, or another part of the step: `observation`, `messages`,
   * `frame`, `parser`, `chain` …
   */
  readonly part: string;
  /** JSON pointer into the record: `/acts/0/intent/action`. */
  readonly path: string;
  /** The logged value as JSON; null if the log contains nothing there. */
  readonly logged: string | null;
  /** The replayed value as JSON; null if the replay has nothing there. */
  readonly made: string | null;
  /** One sentence for people. */
  readonly note: string;
}

export interface FoundDifference {
  readonly step: number | null;
  readonly agent: string | null;
  readonly part: string;
  readonly path: JsonPath;
  readonly logged: unknown;
  readonly made: unknown;
  readonly note: string;
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
