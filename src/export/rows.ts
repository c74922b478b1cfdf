/**
 * The one way from logs to rows: runs in order, their samples, the filter, how much of the past is shown, redaction, and what was there already left
 * out. In: runs and what is wanted; out: samples one at a time, so memory stays flat at any size.
 */
import { sha256 } from '../base/canonical.js';
import { NO_COSTS } from './costs.js';
import type { CostsOf } from './costs.js';
import { NO_MARKS, readMarks } from '../log/annotations.js';
import type { AnnotationReader } from '../log/annotations.js';
import { LogReader } from '../log/reader.js';
import { filter, mayHold } from './filter.js';
import type { Selection } from './filter.js';
import { Fingerprints, momentPrint, picturePrint, samplePrint } from './fingerprints.js';
import type { Fingerprint } from './fingerprints.js';
import { momentOf, pictureOf, withHistory } from './history.js';
import type { History } from './history.js';
import type { PickedRun } from './picked-runs.js';
import { pairsOf } from './pairs.js';
import type { PreferencePair } from './pairs.js';
import { questionDraw, questioned } from './questions.js';
import type { NumberedProbe, Words } from './questions.js';
import { redacted } from './redaction.js';
import { samplesOf } from './sample.js';
import type { ExportSample, SampleSource } from './sample.js';

/** What a row contains. */
export interface RowWishes {
  readonly selection: Selection;
  readonly history: History;
  readonly duplicates: 'drop' | 'keep';
  /** Texts to hide, ignoring case. */
  readonly redact: readonly string[];
  /** Maximum number of rows; null if there is no maximum. */
  readonly limit: number | null;
  /** The seed for choosing these rows; null for the first ones. */
  readonly seed: string | null;
  readonly unit: Unit;
  /** Maximum number of questions per moment, if rows are questions. */
  readonly questions: number;
  /** Whether the turn's text is included. */
  readonly words: Words;
  /** Maximum number of steps per search for the cost of a step; null for no search, in which case no costs are known. */
  readonly effort: number | null;
  /**
   * The number of finished runs with each answer of a pair that are needed before their outcomes say which is
   * better.
   */
  readonly rollouts: number;
}

/**
 * The kind of rows: a reply with everything that led to it; two replies to one request (filters apply to the
 * better one); what an agent was shown at a step, once, however many attempts there were; only its picture;
 * or a question about it (filters apply to the first reply that passes them).
 */
export type Unit = 'reply' | 'pair' | 'moment' | 'picture' | 'question';

/** Progress, reported after every step. */
export interface RowsProgress {
  readonly passed: (steps: number) => void;
  readonly duplicate: () => void;
  /** Works out what the steps of a run cost, where that is asked for. */
  readonly costsOf?: CostsOf;
}

/** A sample and the run that it is of. */
export interface PickedSample {
  readonly sample: ExportSample;
  /** The worse answer to the same request, where pairs are asked for. */
  readonly pair: PreferencePair | null;
  /** What the sample's messages ask, where questions are asked for. */
  readonly asked: NumberedProbe | null;
  readonly run: PickedRun;
}

/** In order. With a limit and a seed everything is read twice: first to draw, then to take. */
export function* rowsOf(
  runs: readonly PickedRun[],
  wishes: RowWishes,
  progress: RowsProgress,
): Generator<PickedSample> {
  const { limit, seed } = wishes;
  if (limit === null) return yield* allRows(runs, wishes, progress);
  const highest = seed === null ? null : highestRank(runs, wishes, { limit, seed }, progress);
  let left = limit;
  if (left === 0) return;
  for (const taken of allRows(runs, wishes, progress)) {
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

/** The rank of the last sample that is drawn. */
function highestRank(
  runs: readonly PickedRun[],
  wishes: RowWishes,
  { limit, seed }: { readonly limit: number; readonly seed: string },
  { passed, ...more }: RowsProgress,
): number {
  const ranks: number[] = [];
  for (const taken of allRows(runs, wishes, { ...more, passed, duplicate: () => undefined }))
    ranks.push(rankOf(taken, seed));
  ranks.sort((a, b) => a - b);
  return ranks[Math.min(limit, ranks.length) - 1] ?? 0;
}

/** 52 bits: the same for the same run, step and seed, whatever else is exported. */
function rankOf({ sample: { runId, step, attempt }, asked }: PickedSample, seed: string): number {
  const row = [seed, runId, step, attempt, ...(asked === null ? [] : [asked.number])];
  return parseInt(sha256(`orchestrate-draw-v1\n${row.join('\n')}`).slice(0, 13), 16);
}

function* allRows(
  runs: readonly PickedRun[],
  wishes: RowWishes,
  progress: RowsProgress,
): Generator<PickedSample> {
  const { selection, unit } = wishes;
  const isWanted = filter(selection);
  const shown = shownAs(wishes);
  const costsOf = wishes.effort === null ? NO_COSTS : (progress.costsOf ?? NO_COSTS);
  const seen = wishes.duplicates === 'drop' ? new Fingerprints() : null;
  for (const { run, reader, marks } of openRuns(runs)) {
    if (unit !== 'pair' && !mayHold(selection, run)) {
      progress.passed(run.lastStep - run.firstStep + 1);
      continue;
    }
    let lastStep = 0;
    const costs = costsOf(reader, run.runId);
    for (const one of found({ reader, marks, picked: run, costs }, { ...wishes, costsOf }, () =>
      progress.passed(1),
    )) {
      const { step } = one.sample;
      if (!isWanted(one.sample) || (isOfMoment(unit) && step === lastStep)) continue;
      lastStep = step;
      for (const row of shown(one)) {
        if (seen === null || seen.add(printOf(unit, row)))
          yield { sample: row.sample, pair: row.pair, asked: row.asked, run };
        else progress.duplicate();
      }
    }
  }
}

function isOfMoment(unit: Unit): boolean {
  return unit === 'moment' || unit === 'picture' || unit === 'question';
}

/** The contents of a row, before it is known whether it is exported. */
type ShownSample = Omit<PickedSample, 'run'>;

/** A sample as rows contain it: with the wanted part of the history, and without hidden texts. */
function shownAs({
  history,
  redact,
  unit,
  questions,
  words,
  seed,
}: RowWishes): (found: FoundSample) => readonly ShownSample[] {
  const hide = redacted(redact);
  const ask = unit === 'question' ? questionDraw(seed ?? '0', { each: questions, words }) : null;
  const toldOf = (sample: ExportSample): ExportSample => {
    if (unit === 'moment' || unit === 'picture') return pictureOf(sample);
    return unit === 'question' ? momentOf(sample) : withHistory(sample, history);
  };
  return ({ sample, pair }) => {
    const shown = hide(toldOf(sample));
    if (ask !== null)
      return ask(shown).map((asked) => ({ sample: questioned(shown, asked, words), pair: null, asked }));
    const other = pair === null ? null : { ...pair, chosen: shown, rejected: hide(pair.rejected) };
    return [{ sample: shown, pair: other, asked: null }];
  };
}

/** What distinguishes a row from earlier ones. */
function printOf(unit: Unit, { sample, pair }: ShownSample): Fingerprint {
  if (unit === 'picture') return picturePrint(sample);
  return unit === 'moment' ? momentPrint(sample) : samplePrint(sample, pair?.rejected.answer ?? null);
}

type FoundSample = Pick<PickedSample, 'sample' | 'pair'>;

/** What a run holds, before anything is asked of it. */
function* found(
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

/** A run with its log and what people said of it. */
export interface OpenedRun {
  readonly run: PickedRun;
  readonly reader: LogReader;
  readonly marks: AnnotationReader;
}

/** Each with its log, open until the next one is asked for. */
export function* openRuns(runs: readonly PickedRun[]): Generator<OpenedRun> {
  let reader: LogReader | null = null;
  let marks = NO_MARKS;
  try {
    for (const run of runs) {
      if (reader?.path !== run.path) {
        reader?.close();
        reader = new LogReader(run.path);
        marks = readMarks(run.path);
      }
      yield { run, reader, marks };
    }
  } finally {
    reader?.close();
  }
}
