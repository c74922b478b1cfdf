/**
 * The rows of an export, in order: finds them in logs, shortens their history and hides texts as requested,
 * leaves out duplicates, chooses questions, and applies the limit. It holds one row at a time, whatever the
 * size of the data set. Finding a row depends on no earlier run, so several processes can do it in parallel
 * (`sent-rows.ts`).
 */
import { sha256 } from '../base/canonical.js';
import { NO_COSTS, cachedPerRun } from './costs.js';
import type { CostsOf } from './costs.js';
import { filter, mayContainRows } from './filter.js';
import { Fingerprints } from './fingerprints.js';
import { openRuns } from './opened-runs.js';
import type { OpenedRun } from './opened-runs.js';
import type { PickedRun } from './picked-runs.js';
import { questionDraw, asConversation } from './questions.js';
import { redactor } from './redaction.js';
import type { ExportRow } from './row.js';
import { rowKind } from './row-kinds.js';
import type { RowSettings } from './row-settings.js';
import type { ExportSample } from './sample.js';

export interface RowsProgress {
  onSteps: (steps: number) => void;
  /** Called for rows that are left out: why (DUPLICATE, or the code of the reply's problem) and how many. */
  onSkipped: (reason: string, rows: number) => void;
}

/** The reason for leaving out a row that was already written. */
export const DUPLICATE = 'duplicate';

/** Reads everything from the start, in order: rows that may be duplicates, or about which nothing was asked yet. */
export type RowSource = (progress: RowsProgress) => Iterable<ExportRow> | AsyncIterable<ExportRow>;

/** Finds the rows in this process. */
export function readInProcess(
  runs: readonly PickedRun[],
  settings: RowSettings,
  costsOf: CostsOf,
): RowSource {
  return function* (progress) {
    const find = rowFinder(settings, costsOf);
    for (const opened of openRuns(runs)) yield* find(opened, progress);
  };
}

export type RowFinder = (opened: OpenedRun, progress: RowsProgress) => Generator<ExportRow>;

export function rowFinder(settings: RowSettings, costsOf: CostsOf): RowFinder {
  const { selection, unit, history, verbatim } = settings;
  const kind = rowKind(unit);
  const isWanted = filter(selection);
  const hide = redactor(settings.redact);
  const prepared = (sample: ExportSample): ExportSample =>
    hide(verbatim ? { ...sample, target: sample.answer } : sample);
  const poolsOf = kind.poolsFor?.(settings.words) ?? null;
  const costs = settings.effort === null ? NO_COSTS : cachedPerRun(costsOf);
  const wanted = { range: selection, costsOf: costs, rolloutsMin: settings.rollouts };
  return function* ({ run, reader, marks }, { onSteps, onSkipped }) {
    if (!kind.isAcrossRuns && !mayContainRows(selection, run))
      return onSteps(run.lastStep - run.firstStep + 1);
    const source = { reader, marks, picked: run, costs: () => costs(reader, run.runId) };
    let lastStep = 0;
    for (const found of kind.read(source, wanted, () => onSteps(1))) {
      const { step } = found.sample;
      if (!isWanted(found.sample) || (kind.isPerStep && step === lastStep)) continue;
      lastStep = step;
      const problem = settings.all ? null : kind.leftOut(found.sample);
      if (problem !== null) {
        onSkipped(problem, 1);
        continue;
      }
      const sample = prepared(kind.shownOf(found.sample, history));
      const rejected = found.rejected && {
        ...found.rejected,
        sample: prepared(found.rejected.sample),
      };
      const pools = poolsOf === null ? null : poolsOf(sample);
      const needsFingerprint = settings.duplicates === 'drop' && pools === null;
      const fingerprint = needsFingerprint ? kind.fingerprint({ sample, rejected }) : null;
      yield { run, sample, rejected, pools, probe: null, fingerprint };
    }
  };
}

/** In order. With a limit and a seed everything is read twice: first to choose, then to export. */
export async function* rowsOf(
  source: RowSource,
  settings: RowSettings,
  progress: RowsProgress,
): AsyncGenerator<ExportRow> {
  const { limit, seed } = settings;
  if (limit === null) return yield* allRows(source, settings, progress);
  let maxRank = Infinity;
  if (seed !== null) {
    const ranks: number[] = [];
    for await (const row of allRows(source, settings, { ...progress, onSkipped: () => undefined }))
      ranks.push(rankOf(row, seed));
    ranks.sort((a, b) => a - b);
    maxRank = ranks[Math.min(limit, ranks.length) - 1] ?? 0;
  }
  let remaining = limit;
  if (remaining === 0) return;
  for await (const row of allRows(source, settings, progress)) {
    if (seed !== null && rankOf(row, seed) > maxRank) continue;
    yield row;
    remaining -= 1;
    if (remaining === 0) return;
  }
}

/** How often the runs are read. */
export function passesOf({ limit, seed }: RowSettings): number {
  return limit !== null && seed !== null ? 2 : 1;
}

/** 52 bits: the same for the same run, step and seed, whatever else is exported. */
function rankOf({ sample: { runId, step, attempt }, probe }: ExportRow, seed: string): number {
  const row = [seed, runId, step, attempt, ...(probe === null ? [] : [probe.number])];
  return parseInt(sha256(`orchestrate-draw-v1\n${row.join('\n')}`).slice(0, 13), 16);
}

/** Without duplicates; where questions may be asked, with those that are. */
async function* allRows(
  source: RowSource,
  { unit, duplicates, seed, questions, words }: RowSettings,
  progress: RowsProgress,
): AsyncGenerator<ExportRow> {
  const { fingerprint } = rowKind(unit);
  const seen = duplicates === 'drop' ? new Fingerprints() : null;
  const draw = questionDraw(seed ?? '0', questions);
  for await (const found of source(progress)) {
    const { sample, pools } = found;
    const rows =
      pools === null
        ? [found]
        : draw(sample, pools).map((probe) => ({
            ...found,
            sample: asConversation(sample, probe, words),
            pools: null,
            probe,
          }));
    for (const row of rows) {
      if (seen === null || seen.add(row.fingerprint ?? fingerprint(row))) yield row;
      else progress.onSkipped(DUPLICATE, 1);
    }
  }
}
