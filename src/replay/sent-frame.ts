/** The picture that was sent to a step's agent, as stored in the log. */
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
