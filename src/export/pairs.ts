/**
 * Two answers to one and the same request, of which one turned out better: what a fork gives, wherever it parts from the run that it forked, or
 * from another fork of the same step. In: a run that is a fork; out: pairs. The request must be the same to the last letter and pixel, so all that
 * differs is the answer.
 */
import type { RunSummary } from '../log/run-summary.js';
import { openRun, samplesAt } from './sample.js';
import type { RunOutcome, Sample, SampleSource } from './sample.js';

/** Why one answer is the better one. */
export type PairReason = 'outcome' | 'turns' | 'result';

/** `chosen` came out better than `rejected`. */
export interface Pair {
  readonly chosen: Sample;
  readonly rejected: Sample;
  readonly because: PairReason;
}

/** One pair at the most for each run that it is held against; `passed` is called once for each. */
export function* pairsOf(source: SampleSource): Generator<Pair> {
  const { reader, picked } = source;
  const { parent } = picked.summary;
  if (parent === null) return;
  const others = reader.runs().filter((run) => isAlternative(run, picked.summary));
  for (const [i, other] of others.entries()) {
    const pair = parting(source, { other: other.runId, from: parent.step });
    if (pair === null) continue;
    const key = `${pair.chosen.key}-${i + 1}`;
    yield { ...pair, chosen: { ...pair.chosen, key } };
  }
}

/** The parent, and forks of the same step that came before: so each two meet once. */
function isAlternative(run: RunSummary, fork: RunSummary): boolean {
  if (run.runId === fork.parent?.runId) return true;
  const isSibling = run.parent?.runId === fork.parent?.runId && run.parent?.step === fork.parent?.step;
  return isSibling && run.startedAt <= fork.startedAt && run.runId < fork.runId;
}

/** The first answers that differ, as long as everything before them is the same; null where neither is better. */
function parting(
  source: SampleSource,
  { other, from }: { readonly other: string; readonly from: number },
): Pair | null {
  const { picked } = source;
  const mine = samplesFrom(source, from);
  const theirs = samplesFrom({ ...source, picked: { ...picked, runId: other } }, from);
  for (;;) {
    const [a, b] = [mine.next().value, theirs.next().value];
    if (a === null || b === null || a.agent !== b.agent || requestOf(a) !== requestOf(b)) return null;
    if (answerOf(a) !== answerOf(b)) return better(a, b);
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
    return difference > 0 ? { chosen: a, rejected: b, because } : { chosen: b, rejected: a, because };
  };
  const sooner = rankA === 3 && rankB === 3 ? b.outcome.turns - a.outcome.turns : 0;
  return (
    by('outcome', rankA - rankB) ??
    by('turns', sooner) ??
    by('result', Number(a.result?.ok === true) - Number(b.result?.ok === true))
  );
}

function rankOf({ status }: RunOutcome): number | null {
  return Object.hasOwn(RANKS, status) ? (RANKS[status] ?? null) : null;
}
