/** The run of a log that an address selects: `file.sqlite`, or `file.sqlite#run-id`. */
import { UsageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-words.js';
import { noRun } from '../../log/no-run.js';
import type { RunSummary } from '../../trajectory/run-summary.js';

/** `file.sqlite#run` names one run of a file. */
export function splitAddress(
  address: string,
  exists: (path: string) => boolean,
): { path: string; runId: string | null } {
  const hashMark = address.lastIndexOf('#');
  // A file whose own name contains a # is taken literally.
  return hashMark < 1 || exists(address)
    ? { path: address, runId: null }
    : { path: address.slice(0, hashMark), runId: address.slice(hashMark + 1) };
}

/** The named run, or the only run of the file; if there are several, one must be named. */
export function chooseRun(runs: readonly RunSummary[], runId: string | null, address: string): RunSummary {
  const list = runs.map((run) => run.runId);
  if (runs.length === 0) throw noRun(address);
  if (runId === null) {
    const [only] = runs;
    if (only !== undefined && runs.length === 1) return only;
    throw new UsageError(
      `${address} has ${runs.length} runs: choose one with FILE#RUN-ID`,
      list.map((id) => shellWord(`${address}#${id}`)),
    );
  }
  const found = runs.find((run) => run.runId === runId);
  if (found === undefined)
    throw new UsageError(`${address}: the log has no such run`, [`runs: ${list.join(', ')}`]);
  return found;
}
