/**
 * Assigns each run to a split. A group of runs (one scenario and seed, forks with their parents) is never
 * divided. In an order that depends on the seed alone, each group goes to the split that is missing the most
 * steps, so the shares are as exact as whole groups allow. Runs without a selected row count as no steps.
 * The order of the logs makes no difference.
 */
import { sha256 } from '../base/canonical.js';
import { UsageError } from '../base/errors.js';
import { compareText } from '../base/ids.js';
import type { PickedRun } from './picked-runs.js';

export interface DataSplit {
  /** Its name, a word that is valid in a file name. */
  name: string;
  /** Its share, a positive number; only the ratio to the other shares matters. */
  share: number;
}

/** If no split is requested, all rows are in this one, which has the name that readers expect. */
export const ONE_SPLIT: readonly DataSplit[] = [{ name: 'train', share: 1 }];

/** Reads `train=0.9,test=0.1`; throws UsageError. */
export function parseSplits(text: string): readonly DataSplit[] {
  const splits = text.split(',').map((part) => {
    const [, name, share] = /^\s*([a-z][a-z0-9_]{0,31})=(\d+(?:\.\d+)?)\s*$/.exec(part) ?? [];
    if (name === undefined || Number(share) <= 0 || Number(share) > 1e9)
      throw new UsageError(`--split takes names with shares above 0, not "${text}"`, [
        'for example, --split train=0.9,test=0.1',
      ]);
    return { name, share: Number(share) };
  });
  const names = new Set(splits.map(({ name }) => name));
  if (names.size < splits.length) throw new UsageError(`--split names a split twice: "${text}"`);
  const [only] = splits;
  // With train=0.9 alone, the user expects a tenth to be left out, but everything would be in train.
  if (splits.length === 1 && only !== undefined && only.share !== 1)
    throw new UsageError(`--split "${text}" does not say where the remaining rows go`, [
      `for example, --split ${only.name}=${only.share},test=${only.share < 1 ? 0.1 : 1}`,
    ]);
  return splits;
}

/** By the run's ordinal. `isWanted`: whether rows of a run are exported at all. */
export function assignSplits(
  runs: readonly PickedRun[],
  splits: readonly DataSplit[],
  seed: string,
  isWanted: (run: PickedRun) => boolean = () => true,
): ReadonlyMap<string, string> {
  const stepsIn = new Map<string, number>();
  for (const { group, firstStep, lastStep } of runs.filter(isWanted))
    stepsIn.set(group, (stepsIn.get(group) ?? 0) + Math.max(1, lastStep - firstStep + 1));
  const groups = [...stepsIn.keys()]
    .map((group) => ({ group, rank: sha256(`orchestrate-split-v1\n${seed}\n${group}`) }))
    .sort((a, b) => compareText(a.rank, b.rank));
  const total = splits.reduce((sum, { share }) => sum + share, 0);
  const totalSteps = [...stepsIn.values()].reduce((sum, steps) => sum + steps, 0);
  const missingSteps = splits.map(({ name, share }) => ({ name, steps: (share / total) * totalSteps }));
  const splitOf = new Map<string, string>();
  const filled = new Set<string>();
  groups.forEach(({ group }, i) => {
    // The last groups go to the empty splits, so that no split stays empty if there are enough groups.
    const empty = missingSteps.filter(({ name }) => !filled.has(name));
    const candidates = groups.length - i <= empty.length ? empty : missingSteps;
    const neediest = candidates.reduce((best, one) => (one.steps > best.steps ? one : best));
    neediest.steps -= stepsIn.get(group) ?? 0;
    splitOf.set(group, neediest.name);
    filled.add(neediest.name);
  });
  // The other runs are not exported, so any split will do.
  const defaultSplit = splits[0]?.name ?? '';
  return new Map(runs.map(({ ordinal, group }) => [ordinal, splitOf.get(group) ?? defaultSplit]));
}
