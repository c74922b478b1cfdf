/** The runs of a log whose players and models `--player` and `--model` choose, for commands that show runs. */
import type { LogReader } from '../../log/reader.js';
import { runFigures } from '../../report/run-metrics.js';
import { isPlayedBy } from '../../trajectory/player-names.js';
import type { PlayerFilter, RunNames } from '../../trajectory/player-names.js';
import type { RunSummary } from '../../trajectory/run-summary.js';
import { nobodyPlayed, playerFilter } from '../options/player-filter.js';
import type { PlayerChoice } from '../options/player-filter.js';

/** For each log, a function that says whether a run of it is chosen. */
export function runChooser(wanted: PlayerFilter): (reader: LogReader) => (runId: string) => boolean {
  if (wanted.players === null && wanted.models === null) return () => () => true;
  return (reader) => (runId) => isPlayedBy(namesOf(reader, runId), wanted);
}

/** Throws UsageError if there are runs, but none of them is chosen. */
export function playedRuns(reader: LogReader, choice: PlayerChoice): readonly RunSummary[] {
  const isWanted = runChooser(playerFilter(choice))(reader);
  const runs = reader.runs();
  const chosen = runs.filter(({ runId }) => isWanted(runId));
  if (chosen.length > 0 || runs.length === 0) return chosen;
  throw nobodyPlayed(
    choice,
    runs.map(({ runId }) => namesOf(reader, runId)),
  );
}

/** Who played a run. */
export function namesOf(reader: LogReader, runId: string): RunNames {
  return runFigures(reader, reader.run(runId), '').names;
}
