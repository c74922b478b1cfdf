/**
 * The last stage before a format writes rows: drops duplicates, chooses questions, and applies the limit.
 * It holds one row at a time, whatever the size of the data set.
 */
import { sha256 } from '../base/canonical.js';
import { Fingerprints, sampleFingerprint } from './fingerprints.js';
import { DUPLICATE } from './found-rows.js';
import type { FoundRow, RowsProgress, RowSource } from './found-rows.js';
import type { PickedRun } from './picked-runs.js';
import type { PreferencePair } from './pairs.js';
import { questionDraw, asConversation } from './questions.js';
import type { NumberedProbe } from './questions.js';
import type { RowSettings } from './row-settings.js';
import type { ExportSample } from './sample.js';

/** A sample and its run. */
export interface PickedSample {
  readonly sample: ExportSample;
  /** The worse answer to the same request, if pairs are requested. */
  readonly pair: PreferencePair | null;
  /** What the sample's messages ask, if questions are requested. */
  readonly probe: NumberedProbe | null;
  readonly run: PickedRun;
}

/** In order. With a limit and a seed everything is read twice: first to choose, then to export. */
export async function* rowsOf(
  source: RowSource,
  settings: RowSettings,
  progress: RowsProgress,
): AsyncGenerator<PickedSample> {
  const { limit, seed } = settings;
  if (limit === null) return yield* allRows(source, settings, progress);
  const maxRank = seed === null ? null : await highestRank(source, settings, { limit, seed }, progress);
  let remaining = limit;
  if (remaining === 0) return;
  for await (const row of allRows(source, settings, progress)) {
    if (maxRank !== null && rankOf(row, seed ?? '') > maxRank) continue;
    yield row;
    remaining -= 1;
    if (remaining === 0) return;
  }
}

/** How often the runs are read. */
export function passesOf({ limit, seed }: RowSettings): number {
  return limit !== null && seed !== null ? 2 : 1;
}

/** The rank of the last sample that is chosen. */
async function highestRank(
  source: RowSource,
  settings: RowSettings,
  { limit, seed }: { readonly limit: number; readonly seed: string },
  { onSteps }: RowsProgress,
): Promise<number> {
  const ranks: number[] = [];
  for await (const row of allRows(source, settings, { onSteps, onSkipped: () => undefined }))
    ranks.push(rankOf(row, seed));
  ranks.sort((a, b) => a - b);
  return ranks[Math.min(limit, ranks.length) - 1] ?? 0;
}

/** 52 bits: the same for the same run, step and seed, whatever else is exported. */
function rankOf({ sample: { runId, step, attempt }, probe }: PickedSample, seed: string): number {
  const row = [seed, runId, step, attempt, ...(probe === null ? [] : [probe.number])];
  return parseInt(sha256(`orchestrate-draw-v1\n${row.join('\n')}`).slice(0, 13), 16);
}

async function* allRows(
  source: RowSource,
  settings: RowSettings,
  progress: RowsProgress,
): AsyncGenerator<PickedSample> {
  const seen = settings.duplicates === 'drop' ? new Fingerprints() : null;
  const questionsOf = questionExpansion(settings);
  for await (const found of source(progress)) {
    for (const row of questionsOf(found)) {
      if (seen === null || seen.add(found.fingerprint ?? sampleFingerprint(row.sample))) yield row;
      else progress.onSkipped(DUPLICATE, 1);
    }
  }
}

/** A row as it was found, or the questions about it. */
function questionExpansion({
  seed,
  questions,
  words,
}: RowSettings): (found: FoundRow) => readonly PickedSample[] {
  const draw = questionDraw(seed ?? '0', questions);
  return ({ run, sample, pair, pools }) => {
    if (pools === null) return [{ run, sample, pair, probe: null }];
    return draw(sample, pools).map((probe) => ({
      run,
      sample: asConversation(sample, probe, words),
      pair: null,
      probe,
    }));
  };
}
