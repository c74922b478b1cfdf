/**
 * Reads the rows of an export from logs: filters samples, shortens their history as requested, and redacts
 * texts. No row depends on an earlier run, so several processes can read rows in parallel (`sent-rows.ts`).
 */
import { NO_COSTS, cachedPerRun } from './costs.js';
import type { CostsOf } from './costs.js';
import { readMarks } from '../log/annotations.js';
import type { AnnotationReader } from '../log/annotations.js';
import { LogReader } from '../log/reader.js';
import { filter, mayContainRows, problemOf } from './filter.js';
import { momentFingerprint, pictureFingerprint, sampleFingerprint } from './fingerprints.js';
import type { Fingerprint } from './fingerprints.js';
import { momentOf, pictureOf, withHistory } from './history.js';
import type { PickedRun } from './picked-runs.js';
import { pairsOf } from './pairs.js';
import type { PreferencePair } from './pairs.js';
import { questionPools } from './questions.js';
import type { QuestionPools } from './questions.js';
import { redactor } from './redaction.js';
import type { RowSettings, RowUnit } from './row-settings.js';
import { samplesOf } from './sample.js';
import type { ExportSample, SampleSource } from './sample.js';

/** A candidate row: it may still be dropped as a duplicate, or by the limit. */
export interface FoundRow {
  readonly run: PickedRun;
  readonly sample: ExportSample;
  /** The worse answer to the same request, if pairs are requested. */
  readonly pair: PreferencePair | null;
  /** What may be asked about the moment, if questions are requested. */
  readonly pools: QuestionPools | null;
  /** Identifies duplicates; null if duplicates are kept, or if a question is still to be chosen. */
  readonly fingerprint: Fingerprint | null;
}

export interface RowsProgress {
  readonly onSteps: (steps: number) => void;
  /** Called for rows that are left out: why (DUPLICATE, or the code of the reply's problem) and how many. */
  readonly onSkipped: (reason: string, rows: number) => void;
}

/** The reason for leaving out a row that was already written. */
export const DUPLICATE = 'duplicate';

/** Reads everything from the start, in order. */
export type RowSource = (progress: RowsProgress) => Iterable<FoundRow> | AsyncIterable<FoundRow>;

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

export type RowFinder = (opened: OpenedRun, progress: RowsProgress) => Generator<FoundRow>;

export function rowFinder(settings: RowSettings, costsOf: CostsOf): RowFinder {
  const { selection, unit, duplicates, all } = settings;
  const isWanted = filter(selection);
  const prepare = preparation(settings);
  const poolsOf = unit === 'question' ? questionPools(settings.words) : null;
  const costs = settings.effort === null ? NO_COSTS : cachedPerRun(costsOf);
  const needsAnswer = !all && !isPerMoment(unit);
  return function* ({ run, reader, marks }, { onSteps, onSkipped }) {
    if (unit !== 'pair' && !mayContainRows(selection, run)) return onSteps(run.lastStep - run.firstStep + 1);
    const source = { reader, marks, picked: run, costs: () => costs(reader, run.runId) };
    let lastStep = 0;
    for (const found of samplesIn(source, { ...settings, costsOf: costs }, () => onSteps(1))) {
      const { step } = found.sample;
      if (!isWanted(found.sample) || (isPerMoment(unit) && step === lastStep)) continue;
      lastStep = step;
      const problem = needsAnswer ? problemOf(found.sample) : null;
      if (problem !== null) {
        onSkipped(problem, 1);
        continue;
      }
      const row = prepare(found);
      const pools = poolsOf === null ? null : poolsOf(row.sample);
      const needsFingerprint = duplicates === 'drop' && pools === null;
      yield { run, ...row, pools, fingerprint: needsFingerprint ? fingerprintOf(unit, row) : null };
    }
  };
}

function isPerMoment(unit: RowUnit): boolean {
  return unit === 'moment' || unit === 'picture' || unit === 'question';
}

type FoundSample = Pick<FoundRow, 'sample' | 'pair'>;

/** Shortens the history of a sample and chooses its target, as requested, and redacts it. */
function preparation({ history, redact, unit, verbatim }: RowSettings): (found: FoundSample) => FoundSample {
  const hide = redactor(redact);
  const trimmed = (sample: ExportSample): ExportSample => {
    if (unit === 'moment' || unit === 'picture') return pictureOf(sample);
    return unit === 'question' ? momentOf(sample) : withHistory(sample, history);
  };
  const targeted = (sample: ExportSample): ExportSample =>
    verbatim ? { ...sample, target: sample.answer } : sample;
  return ({ sample, pair }) => {
    const shown = hide(targeted(trimmed(sample)));
    const hiddenPair =
      pair === null ? null : { ...pair, chosen: shown, rejected: hide(targeted(pair.rejected)) };
    return { sample: shown, pair: hiddenPair };
  };
}

function fingerprintOf(unit: RowUnit, { sample, pair }: FoundSample): Fingerprint {
  if (unit === 'picture') return pictureFingerprint(sample);
  return unit === 'moment' ? momentFingerprint(sample) : sampleFingerprint(sample, pair?.rejected ?? null);
}

/** The rows of a run, before a question is chosen. */
function* samplesIn(
  source: SampleSource,
  { selection, unit, costsOf, rollouts }: RowSettings & { readonly costsOf: CostsOf },
  onStep: () => void,
): Generator<FoundSample> {
  if (unit !== 'pair') {
    for (const sample of samplesOf(source, selection, onStep)) yield { sample, pair: null };
    return;
  }
  for (const pair of pairsOf(source, { costsOf, rolloutsMin: rollouts })) yield { sample: pair.chosen, pair };
  const { firstStep, lastStep } = source.picked;
  for (let step = firstStep; step <= lastStep; step++) onStep();
}

/** A run with its log and the verdicts of people. */
export interface OpenedRun {
  readonly run: PickedRun;
  readonly reader: LogReader;
  readonly marks: AnnotationReader;
}

/** The maximum number of open logs: a batch in worker processes has a log per run at once. */
const OPEN_LOGS_MAX = 16;

/** Opens the logs of runs, and keeps the most recent ones open: consecutive runs are often in other logs. */
export class LogKeeper {
  /** By path; the most recently used last. */
  readonly #logs = new Map<string, Omit<OpenedRun, 'run'>>();

  open(run: PickedRun): OpenedRun {
    const { path } = run;
    const log = this.#logs.get(path) ?? { reader: new LogReader(path), marks: readMarks(path) };
    this.#logs.delete(path);
    this.#logs.set(path, log);
    const [oldest] = this.#logs.keys();
    if (this.#logs.size > OPEN_LOGS_MAX && oldest !== undefined) {
      this.#logs.get(oldest)?.reader.close();
      this.#logs.delete(oldest);
    }
    return { run, ...log };
  }

  close(): void {
    for (const { reader } of this.#logs.values()) reader.close();
    this.#logs.clear();
  }
}

/** Each run with its log, which is open until another run is requested. */
export function* openRuns(runs: readonly PickedRun[]): Generator<OpenedRun> {
  const logs = new LogKeeper();
  try {
    for (const run of runs) yield logs.open(run);
  } finally {
    logs.close();
  }
}
