/**
 * Preference pairs: two answers to an identical request, one better than the other. A pair comes from the
 * point at which a fork diverges from its parent run (or from another fork of the same step), or from a
 * person's correction of a reply. The two requests must be equal in every character and pixel, so that only
 * the answers differ. Forks are compared as played, ignoring later corrections (`better.ts`).
 */
import { UsageError } from '../base/errors.js';
import { readMarks } from '../log/annotations.js';
import type { RunSummary } from '../trajectory/run-summary.js';
import { compareAnswers, NO_ROLLOUTS, rolloutsOf } from './better.js';
import type { Rollouts } from './better.js';
import type { CostsOf } from './costs.js';
import type { PickedRun } from './picked-runs.js';
import type { ExportRow, RejectedAnswer } from './row.js';
import { outcomeOf } from './run-outcome.js';
import { openRun, samplesAt } from './sample.js';
import type { ExportSample, SampleSource } from './sample.js';

/** The better answer, and the worse one. */
type PreferencePair = Pick<ExportRow, 'sample'> & { rejected: RejectedAnswer };

/** What decides between two answers. */
export interface PairCriterion {
  costsOf: CostsOf;
  /** The number of runs that must have ended with each answer before their outcomes count. */
  rolloutsMin: number;
}

/**
 * Throws UsageError if no pair can come from these runs: none is a fork, and no reply was corrected. Opens no
 * log, so it is known at once.
 */
export function assertPairs(runs: readonly PickedRun[]): void {
  const hasFork = runs.some(({ summary }) => summary.parent !== null);
  const hasCorrection = runs.some(({ path, runId }) =>
    readMarks(path)
      .ofRun(runId)
      .some(({ verdict }) => verdict === 'corrected'),
  );
  if (hasFork || hasCorrection) return;
  throw new UsageError('the logs contain no pairs: no run is a fork, and no reply was corrected', [
    'pairs come from `orchestrate branch LOG`, which plays other answers at the steps of a run',
  ]);
}

/**
 * At most one pair for each run that it is compared with, and one for each of its own steps with a
 * correction.
 */
export function* pairsOf(source: SampleSource, criteria: PairCriterion): Generator<PreferencePair> {
  yield* correctionsOf(source);
  const { parent } = source.picked.summary;
  if (parent === null) return;
  const runs = familyOf(source);
  const family = { source, from: parent.step, runs, criteria };
  // The parent, and earlier forks of the same step: so each two runs meet once.
  const own = runs.findIndex(({ runId }) => runId === source.picked.runId);
  for (const [i, other] of runs.slice(0, own).entries()) {
    const pair = firstDivergence(family, other.runId);
    if (pair === null) continue;
    yield { ...pair, sample: { ...pair.sample, key: `${pair.sample.key}-${i + 1}` } };
  }
}

/** A person's correction is better than the reply it replaces. */
function* correctionsOf(source: SampleSource): Generator<PreferencePair> {
  const { picked, marks, reader } = source;
  for (const { step, verdict } of marks.ofRun(picked.runId)) {
    if (verdict !== 'corrected' || step < picked.firstStep || step > picked.lastStep) continue;
    const [played] = reader.played(picked.runId, { from: step });
    if (played === undefined) continue;
    const playedSamples = samplesAt(openRun(asPlayed(source)), played);
    for (const chosen of samplesAt(openRun(source), played)) {
      const rejected = playedSamples.find(({ call }) => call === chosen.call);
      if (chosen.originalText === null || rejected === undefined || answerOf(chosen) === answerOf(rejected))
        continue;
      yield {
        sample: { ...chosen, key: `${chosen.key}-corrected` },
        rejected: { sample: rejected, because: 'correction', rollouts: NO_ROLLOUTS },
      };
    }
  }
}

function asPlayed(source: SampleSource): SampleSource {
  return { ...source, isAsPlayed: true };
}

/** The parent and all of its forks of the same step, in the order in which they began. */
function familyOf({ reader, picked }: SampleSource): readonly RunSummary[] {
  const { parent } = picked.summary;
  return reader
    .runs()
    .filter(
      (run) =>
        run.runId === parent?.runId ||
        (run.parent?.runId === parent?.runId && run.parent?.step === parent?.step),
    );
}

/** A fork with its parent and the other forks of the same step. */
interface Family {
  source: SampleSource;
  /** The step from which they play on. */
  from: number;
  runs: readonly RunSummary[];
  criteria: PairCriterion;
}

/** The first answers that differ, if everything before them is the same; null if neither is better. */
function firstDivergence(family: Family, other: string): PreferencePair | null {
  const { source, criteria } = family;
  const [mine, theirs] = [samplesFrom(family, source.picked.runId), samplesFrom(family, other)];
  for (;;) {
    const [a, b] = [mine.next().value, theirs.next().value];
    if (a === null || b === null || !isSameRequest(a, b)) return null;
    if (answerOf(a) === answerOf(b)) continue;
    const [ofA, ofB] = [rolloutsFor(family, a), rolloutsFor(family, b)];
    const because = compareAnswers([a, ofA], [b, ofB], criteria.rolloutsMin);
    if (because === null) return null;
    const { reason, isFirst } = because;
    const [chosen, rejected] = isFirst ? [a, b] : [b, a];
    // A person said that this answer should have been different.
    if (chosen.mark?.verdict === 'corrected') return null;
    const rollouts = isFirst ? { chosen: ofA, rejected: ofB } : { chosen: ofB, rejected: ofA };
    return { sample: chosen, rejected: { sample: rejected, because: reason, rollouts } };
  }
}

/** The outcomes of all runs that are the same up to and including this answer. */
function rolloutsFor(family: Family, sample: ExportSample): Rollouts {
  const { source, runs } = family;
  const matching = runs.filter(({ runId }) => runId === sample.runId || isAlikeUpTo(family, runId, sample));
  return rolloutsOf(matching.map(({ runId }) => outcomeOf(source.reader, runId)));
}

function isAlikeUpTo(family: Family, runId: string, { runId: mine, call }: ExportSample): boolean {
  const theirs = samplesFrom(family, runId);
  for (const a of samplesFrom(family, mine)) {
    const b = theirs.next().value;
    if (b === null || !isSameRequest(a, b) || answerOf(a) !== answerOf(b)) return false;
    if (a.call === call) return true;
  }
  return false;
}

function* samplesFrom({ source, from, criteria }: Family, runId: string): Generator<ExportSample, null> {
  const { reader, picked } = source;
  const costs = () => criteria.costsOf(reader, runId);
  const open = openRun({ ...asPlayed(source), picked: { ...picked, runId }, costs });
  for (const played of reader.played(runId, { from })) yield* samplesAt(open, played);
  return null;
}

function isSameRequest(a: ExportSample, b: ExportSample): boolean {
  return a.agent === b.agent && requestOf(a) === requestOf(b);
}

function requestOf({ prompt }: ExportSample): string {
  return JSON.stringify(
    prompt().messages.map(({ role, text, pictures }) => [role, text, pictures.map(({ hash }) => hash)]),
  );
}

/** Answers that differ only in their decoration are the same: neither is better. */
function answerOf({ target }: ExportSample): string {
  return JSON.stringify([target.text, target.toolCalls]);
}
