/** The picture that a step's agent was sent, as the log holds it. */
import type { LogReader } from '../log/reader.js';
import type { LoggedFrame, StepRecord } from '../trajectory/records.js';

/** The last one, of the call that settled the step; null if none was sent. */
export function sentFrame(reader: LogReader, { runId, calls }: StepRecord): LoggedFrame | null {
  for (const number of calls.toReversed()) {
    const hash = reader.call(runId, number)?.request.frameHash ?? null;
    if (hash !== null) return reader.frame(hash);
  }
  return null;
}
