/**
 * A run's figures, counted from its rows step by step: for logs without stored figures, for the earlier part
 * of a resumed run, and for `verify`, which compares them with the stored ones.
 */
import { playedCall, RunFiguresSum } from '../trajectory/run-figures.js';
import type { PlayedCall, RunFigures } from '../trajectory/run-figures.js';
import type { RunRecord } from '../trajectory/records.js';
import type { LogReader } from './reader.js';

/** Throws StorageError if the log is damaged. */
export function readFigures(reader: LogReader, run: RunRecord): RunFigures {
  const { sum, lastStep } = sumFigures(reader, run);
  for (const call of callsAfter(reader, run, lastStep)) sum.unplayed(call);
  return sum.figures();
}

/** The sum of all steps up to a given one, or of all existing steps, and the number of the last. */
export function sumFigures(
  reader: LogReader,
  run: RunRecord,
  to = Number.MAX_SAFE_INTEGER,
): { sum: RunFiguresSum; lastStep: number } {
  const { runId, scenario } = run;
  const sum = new RunFiguresSum({ scenario, sessions: reader.sessions(runId) });
  let lastStep = 0;
  for (const { step, calls } of reader.played(runId, { to })) {
    const count = sum.step({ ...step, events: step.events() });
    for (const { request, reply } of calls()) count(playedCall(request, reply, request.messages));
    lastStep = step.step;
  }
  for (const probe of reader.probes(runId)) sum.probe(probe);
  return { sum, lastStep };
}

/**
 * Calls for steps after the last one: steps that were begun, or speculative calls for steps that were never
 * played.
 */
export function callsAfter(
  reader: LogReader,
  { runId, scenario }: RunRecord,
  lastStep: number,
): readonly PlayedCall[] {
  // All agents of a tick may have been called at once.
  return scenario.agents.flatMap((_, i) =>
    reader.outlines(runId, lastStep + 1 + i).map((outline) => {
      const reply = outline.end?.kind === 'replied' ? outline.end.reply : null;
      return playedCall({ ...outline, step: lastStep + 1 + i }, reply, () => outline.request().messages);
    }),
  );
}
