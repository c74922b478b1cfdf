/**
 * From what logs hold to the rows of an export: leaves out duplicates, chooses questions, and applies the
 * limit. In: rows from `found-rows.ts`, in order; out: rows one at a time, so memory stays flat at any size.
 */
import { sha256 } from '../base/canonical.js';
import { Fingerprints, samplePrint } from './fingerprints.js';
import type { FoundRow, RowsProgress, RowSource } from './found-rows.js';
import type { PickedRun } from './picked-runs.js';
import type { PreferencePair } from './pairs.js';
import { questionDraw, questioned } from './questions.js';
import type { NumberedProbe } from './questions.js';
import type { RowWishes } from './row-wishes.js';
import type { ExportSample } from './sample.js';

/** A sample and its run. */
export interface PickedSample {
  readonly sample: ExportSample;
  /** The worse answer to the same request, if pairs are requested. */
  readonly pair: PreferencePair | null;
  /** What the sample's messages ask, if questions are requested. */
  readonly asked: NumberedProbe | null;
  readonly run: PickedRun;
}

/** In order. With a limit and a seed everything is read twice: first to choose, then to export. */
export async function* rowsOf(
  source: RowSource,
  wishes: RowWishes,
  progress: RowsProgress,
): AsyncGenerator<PickedSample> {
  const { limit, seed } = wishes;
  if (limit === null) return yield* allRows(source, wishes, progress);
  const highest = seed === null ? null : await highestRank(source, wishes, { limit, seed }, progress);
  let left = limit;
  if (left === 0) return;
  for await (const taken of allRows(source, wishes, progress)) {
    if (highest !== null && rankOf(taken, seed ?? '') > highest) continue;
    yield taken;
    left -= 1;
    if (left === 0) return;
  }
}

/** How often the runs are read. */
export function passesOf({ limit, seed }: RowWishes): number {
  return limit !== null && seed !== null ? 2 : 1;
}

/** The rank of the last sample that is chosen. */
async function highestRank(
  source: RowSource,
  wishes: RowWishes,
  { limit, seed }: { readonly limit: number; readonly seed: string },
  { passed }: RowsProgress,
): Promise<number> {
  const ranks: number[] = [];
  for await (const taken of allRows(source, wishes, { passed, duplicates: () => undefined }))
    ranks.push(rankOf(taken, seed));
  ranks.sort((a, b) => a - b);
  return ranks[Math.min(limit, ranks.length) - 1] ?? 0;
}

/** 52 bits: the same for the same run, step and seed, whatever else is exported. */
function rankOf({ sample: { runId, step, attempt }, asked }: PickedSample, seed: string): number {
  const row = [seed, runId, step, attempt, ...(asked === null ? [] : [asked.number])];
  return parseInt(sha256(`orchestrate-draw-v1\n${row.join('\n')}`).slice(0, 13), 16);
}

async function* allRows(
  source: RowSource,
  wishes: RowWishes,
  progress: RowsProgress,
): AsyncGenerator<PickedSample> {
  const seen = wishes.duplicates === 'drop' ? new Fingerprints() : null;
  const asked = asking(wishes);
  for await (const found of source(progress)) {
    for (const row of asked(found)) {
      if (seen === null || seen.add(found.print ?? samplePrint(row.sample))) yield row;
      else progress.duplicates(1);
    }
  }
}

/** A row as it was found, or the questions about it. */
function asking({ seed, questions, words }: RowWishes): (found: FoundRow) => readonly PickedSample[] {
  const draw = questionDraw(seed ?? '0', questions);
  return ({ run, sample, pair, pools }) => {
    if (pools === null) return [{ run, sample, pair, asked: null }];
    return draw(sample, pools).map((asked) => ({
      run,
      sample: questioned(sample, asked, words),
      pair: null,
      asked,
    }));
  };
}
