/**
 * Two answers to one and the same request, of which one is better: what a fork gives, wherever it parts from the run that it forked, or from another fork of
 * the same step, and what a person wrote in the place of a reply. In: a run; out: pairs. The request must be the same to the last letter and pixel, so all
 * that differs is the answer. Forks are compared by what they played, whatever people said of it since.
 */
import { lookUp } from '../base/look-up.js';
import type { RunSummary } from '../log/run-summary.js';
import { openRun, samplesAt } from './sample.js';
import type { RunOutcome, Sample, SampleSource } from './sample.js';

/** Why one answer is the better one. */
export type PairReason = 'outcome' | 'turns' | 'result' | 'correction';

/** `chosen` came out better than `rejected`. */
export interface Pair {
  readonly chosen: Sample;
  readonly rejected: Sample;
  readonly because: PairReason;
}

/** One pair at the most for each run that it is held against, and one for each of its own steps that a person corrected. */
export function* pairsOf(source: SampleSource): Generator<Pair> {
  yield* correctionsOf(source);
  const { parent } = source.picked.summary;
  if (parent === null) return;
  for (const [i, other] of alternativesOf(source).entries()) {
    const pair = parting(source, { other: other.runId, from: parent.step });
    if (pair === null) continue;
    const key = `${pair.chosen.key}-${i + 1}`;
    yield { ...pair, chosen: { ...pair.chosen, key } };
  }
}

/** What a person wrote is better than what it stands for. */
function* correctionsOf(source: SampleSource): Generator<Pair> {
  const { picked, marks, reader } = source;
  for (const { step, verdict } of marks.ofRun(picked.runId)) {
    if (verdict !== 'corrected' || step < picked.firstStep || step > picked.lastStep) continue;
    const [played] = reader.played(picked.runId, { from: step });
    if (played === undefined) continue;
    const given = samplesAt(openRun(asPlayed(source)), played);
    for (const chosen of samplesAt(openRun(source), played)) {
      const rejected = given.find(({ call }) => call === chosen.call);
      if (chosen.given === null || rejected === undefined || answerOf(chosen) === answerOf(rejected))
        continue;
      yield { chosen: { ...chosen, key: `${chosen.key}-corrected` }, rejected, because: 'correction' };
    }
  }
}

function asPlayed(source: SampleSource): SampleSource {
  return { ...source, isAsPlayed: true };
}

/** The parent, and forks of the same step that came before, in the order in which they began: so each two meet once. */
function alternativesOf({ reader, picked }: SampleSource): readonly RunSummary[] {
  const { parent, runId } = picked.summary;
  const runs = reader.runs();
  const isBefore = runs.slice(
    0,
    runs.findIndex((run) => run.runId === runId),
  );
  return isBefore.filter(
    (run) =>
      run.runId === parent?.runId ||
      (run.parent?.runId === parent?.runId && run.parent?.step === parent?.step),
  );
}

/** The first answers that differ, as long as everything before them is the same; null where neither is better. */
function parting(
  source: SampleSource,
  { other, from }: { readonly other: string; readonly from: number },
): Pair | null {
  const { picked } = source;
  const played = asPlayed(source);
  const mine = samplesFrom(played, from);
  const theirs = samplesFrom({ ...played, picked: { ...picked, runId: other } }, from);
  for (;;) {
    const [a, b] = [mine.next().value, theirs.next().value];
    if (a === null || b === null || a.agent !== b.agent || requestOf(a) !== requestOf(b)) return null;
    if (answerOf(a) === answerOf(b)) continue;
    const pair = better(a, b);
    // Somebody said that it should have been otherwise.
    return pair?.chosen.mark?.verdict === 'corrected' ? null : pair;
  }
}

function* samplesFrom(source: SampleSource, from: number): Generator<Sample, null> {
  const { reader, picked } = source;
  const open = openRun(source);
  for (const played of reader.played(picked.runId, { from })) yield* samplesAt(open, played);
  return null;
}

function requestOf({ prompt }: Sample): string {
  return JSON.stringify(
    prompt().messages.map(({ role, text, pictures }) => [role, text, pictures.map(({ hash }) => hash)]),
  );
}

function answerOf({ answer }: Sample): string {
  return JSON.stringify([answer.text, answer.toolCalls]);
}

/** A run that was broken off shows nothing. */
const RANKS: Readonly<Record<string, number>> = { succeeded: 3, ended: 2, failed: 1 };

/** By how the runs ended, then by how soon they succeeded, then by what the answers themselves came to. */
function better(a: Sample, b: Sample): Pair | null {
  const [rankA, rankB] = [rankOf(a.outcome), rankOf(b.outcome)];
  if (rankA === null || rankB === null) return null;
  const by = (because: PairReason, difference: number): Pair | null => {
    if (difference === 0) return null;
    const [chosen, rejected] = difference > 0 ? [a, b] : [b, a];
    return { chosen, rejected, because };
  };
  const sooner = rankA === 3 && rankB === 3 ? b.outcome.turns - a.outcome.turns : 0;
  return (
    by('outcome', rankA - rankB) ??
    by('turns', sooner) ??
    by('result', Number(a.result?.ok === true) - Number(b.result?.ok === true))
  );
}

function rankOf({ status }: RunOutcome): number | null {
  return lookUp(RANKS, status) ?? null;
}
