/**
 * What runs hold for the rows of an export: samples after the filter, the wanted part of the history, and
 * redaction. In: runs and wishes; out: one row after the other. No row depends on the runs before, so several
 * processes can find rows (`sent-rows.ts`).
 */
import { NO_COSTS, remembered } from './costs.js';
import type { CostsOf } from './costs.js';
import { readMarks } from '../log/annotations.js';
import type { AnnotationReader } from '../log/annotations.js';
import { LogReader } from '../log/reader.js';
import { filter, mayHold } from './filter.js';
import { momentPrint, picturePrint, samplePrint } from './fingerprints.js';
import type { Fingerprint } from './fingerprints.js';
import { momentOf, pictureOf, withHistory } from './history.js';
import type { PickedRun } from './picked-runs.js';
import { pairsOf } from './pairs.js';
import type { PreferencePair } from './pairs.js';
import { questionPools } from './questions.js';
import type { QuestionPools } from './questions.js';
import { redacted } from './redaction.js';
import type { RowWishes, Unit } from './row-wishes.js';
import { samplesOf } from './sample.js';
import type { ExportSample, SampleSource } from './sample.js';

/** A row before it is known whether it is exported. */
export interface FoundRow {
  readonly run: PickedRun;
  readonly sample: ExportSample;
  /** The worse answer to the same request, if pairs are requested. */
  readonly pair: PreferencePair | null;
  /** What may be asked about the moment, if questions are requested. */
  readonly pools: QuestionPools | null;
  /**
   * What distinguishes it from earlier ones; null if duplicates are kept, and before a question is chosen.
   */
  readonly print: Fingerprint | null;
}

export interface RowsProgress {
  readonly passed: (steps: number) => void;
  readonly duplicates: (rows: number) => void;
}

/** Reads everything from the start, in order. */
export type RowSource = (progress: RowsProgress) => Iterable<FoundRow> | AsyncIterable<FoundRow>;

/** Finds the rows in this process. */
export function foundHere(runs: readonly PickedRun[], wishes: RowWishes, costsOf: CostsOf): RowSource {
  return function* ({ passed }) {
    const find = rowFinder(wishes, costsOf);
    for (const opened of openRuns(runs)) yield* find(opened, passed);
  };
}

/** `passed` is called after every step. */
export type RowFinder = (opened: OpenedRun, passed: (steps: number) => void) => Generator<FoundRow>;

export function rowFinder(wishes: RowWishes, costsOf: CostsOf): RowFinder {
  const { selection, unit, duplicates } = wishes;
  const isWanted = filter(selection);
  const shown = shownAs(wishes);
  const poolsOf = unit === 'question' ? questionPools(wishes.words) : null;
  const costs = wishes.effort === null ? NO_COSTS : remembered(costsOf);
  return function* ({ run, reader, marks }, passed) {
    if (unit !== 'pair' && !mayHold(selection, run)) return passed(run.lastStep - run.firstStep + 1);
    const source = { reader, marks, picked: run, costs: costs(reader, run.runId) };
    let lastStep = 0;
    for (const one of samplesIn(source, { ...wishes, costsOf: costs }, () => passed(1))) {
      const { step } = one.sample;
      if (!isWanted(one.sample) || (isOfMoment(unit) && step === lastStep)) continue;
      lastStep = step;
      const row = shown(one);
      const pools = poolsOf === null ? null : poolsOf(row.sample);
      const isPrinted = duplicates === 'drop' && pools === null;
      yield { run, ...row, pools, print: isPrinted ? printOf(unit, row) : null };
    }
  };
}

function isOfMoment(unit: Unit): boolean {
  return unit === 'moment' || unit === 'picture' || unit === 'question';
}

type FoundSample = Pick<FoundRow, 'sample' | 'pair'>;

/** A sample as rows contain it: with the wanted part of the history, and without hidden texts. */
function shownAs({ history, redact, unit }: RowWishes): (found: FoundSample) => FoundSample {
  const hide = redacted(redact);
  const toldOf = (sample: ExportSample): ExportSample => {
    if (unit === 'moment' || unit === 'picture') return pictureOf(sample);
    return unit === 'question' ? momentOf(sample) : withHistory(sample, history);
  };
  return ({ sample, pair }) => {
    const shown = hide(toldOf(sample));
    const other = pair === null ? null : { ...pair, chosen: shown, rejected: hide(pair.rejected) };
    return { sample: shown, pair: other };
  };
}

function printOf(unit: Unit, { sample, pair }: FoundSample): Fingerprint {
  if (unit === 'picture') return picturePrint(sample);
  return unit === 'moment' ? momentPrint(sample) : samplePrint(sample, pair?.rejected.answer ?? null);
}

/** The rows of a run, before a question is chosen. */
function* samplesIn(
  source: SampleSource,
  { selection, unit, costsOf, rollouts }: RowWishes & { readonly costsOf: CostsOf },
  passed: () => void,
): Generator<FoundSample> {
  if (unit !== 'pair') {
    for (const sample of samplesOf(source, selection, passed)) yield { sample, pair: null };
    return;
  }
  for (const pair of pairsOf(source, { costsOf, rolloutsMin: rollouts })) yield { sample: pair.chosen, pair };
  const { firstStep, lastStep } = source.picked;
  for (let step = firstStep; step <= lastStep; step++) passed();
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
