/**
 * A run's figures, counted from its rows step by step: for logs without stored figures, for the earlier part
 * of a resumed run, and for `verify`, which compares them with the stored ones. In: a reader; out: figures,
 * or a live sum that can be continued.
 */
import { playedCall, RunFiguresSum } from '../trajectory/run-figures.js';
import type { PlayedCall, RunFigures } from '../trajectory/run-figures.js';
import type { RunRecord } from '../trajectory/records.js';
import type { LogReader } from './reader.js';

/** Throws StorageError if the log is damaged. */
export function readFigures(reader: LogReader, run: RunRecord): RunFigures {
  const { sum, last } = playedSum(reader, run);
  for (const call of callsBehind(reader, run, last)) sum.waste(call);
  return sum.figures();
}

/** The sum of all steps up to a given one, or of all existing steps, and the number of the last. */
export function playedSum(
  reader: LogReader,
  run: RunRecord,
  to = Number.MAX_SAFE_INTEGER,
): { readonly sum: RunFiguresSum; readonly last: number } {
  const { runId, scenario } = run;
  const sum = new RunFiguresSum({ scenario, sessions: reader.sessions(runId) });
  let last = 0;
  for (const { step, calls } of reader.played(runId, { to })) {
    const count = sum.step({ ...step, events: step.events() });
    for (const { request, reply } of calls()) count(playedCall(request, reply, request.messages));
    last = step.step;
  }
  for (const probe of reader.probes(runId)) sum.probe(probe);
  return { sum, last };
}

/**
 * Calls for steps after the last one: steps that were begun, or speculative calls for steps that were never
 * played.
 */
export function callsBehind(
  reader: LogReader,
  { runId, scenario }: RunRecord,
  last: number,
): readonly PlayedCall[] {
  // All agents of a tick may have been called at once.
  return scenario.agents.flatMap((_, i) =>
    reader.outlines(runId, last + 1 + i).map((outline) => {
      const reply = outline.end?.kind === 'replied' ? outline.end.reply : null;
      return playedCall({ ...outline, step: last + 1 + i }, reply, () => outline.request().messages);
    }),
  );
}
