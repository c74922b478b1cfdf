/**
 * Each two rows of the table over all scenarios, compared in several figures on the seeds that both played:
 * two players that both win may still differ in how fast they win. The p-values are corrected for everything
 * that is compared.
 */
import { compareText } from '../base/ids.js';
import { COMPARED } from './compared.js';
import type { ComparedFigure } from './compared.js';
import { grouped } from '../base/grouped.js';
import type { NotPlayedRun } from './not-played.js';
import { isDecided, isHarmed, playersOf } from './run-labels.js';
import type { RunMetrics } from './run-metrics.js';
import { cohensH, differenceInterval, meanOfMeans, signFlipTest } from './paired-statistics.js';
import type { PairedValues, ValueGroups } from './paired-statistics.js';
import { differing, moreSeeds } from './power.js';
import { mean } from '../base/mean.js';
import type { Interval } from './statistics.js';
import { fixedAmong, SIGNIFICANT_BELOW, withVerdicts } from './verdict.js';
import type { FixedPlayers, PairVerdict } from './verdict.js';

export interface OverviewPair {
  figure: ComparedFigure;
  one: string;
  other: string;
  scenarios: number;
  /** Pairs of scenario and seed on which both have the figure. */
  pairs: number;
  /** Seeds of the table's scenarios that one of the two did not play to the end, or not at all. */
  lost: number;
  /** Of the pairs, how many runs of each lost turns to a model's server, which no player can help. */
  harmed: readonly [number, number];
  /** The figure of `one` minus that of `other`, with equal weights for scenarios; shares from -1 to 1. */
  difference: number;
  /** Of the same test as `p`: 0 is outside exactly if `p` is significant. Null for too few pairs, and without `p`. */
  interval: Interval | null;
  /** How many pairs differ, of scenarios whose seeds have an effect. */
  differing: number;
  /** Both are equal on every seed, so that nothing is tested. */
  isAlike: boolean;
  /** The figure of each, over the same pairs. */
  means: readonly [number, number];
  /**
   * `both` if no scenario's seeds have an effect on either, `one` if in some scenario all runs of one of them
   * are identical.
   */
  fixed: FixedPlayers;
  /**
   * From the paired randomisation test; null if there is nothing to test: both are equal on every seed, or the
   * seeds of the only scenario have no effect on either.
   */
  p: number | null;
  /** The same with Holm's correction over everything that is compared, all figures together. */
  corrected: number | null;
  /** Cohen's h of two success rates; null for other figures. */
  effect: number | null;
  /**
   * For success: additional seeds per scenario until such a difference is significant; null if no number of
   * seeds would help, or too few pairs differ to tell one (`power.ts`), 0 if it already is.
   */
  moreSeeds: number | null;
  verdict: PairVerdict;
}

/** `players`: rows in their order; `notPlayed`: of the same scenarios as the runs. */
export function comparisonsOf(
  runs: readonly RunMetrics[],
  players: readonly string[],
  notPlayed: readonly NotPlayedRun[] = [],
): readonly OverviewPair[] {
  const withResult = seedsByRow(runs.filter(isDecided));
  const planned = seedsByRow([...runs, ...notPlayed]);
  const lostBy = (one: string, other: string): number =>
    [...new Set([...(planned.get(one) ?? []), ...(planned.get(other) ?? [])])].filter(
      (seed) => ![one, other].every((row) => withResult.get(row)?.has(seed)),
    ).length;
  const decided = grouped(runs.filter(isDecided), playersOf);
  const runsOf = new Map(decided.map((group) => [playersOf(group[0]), group]));
  const pairs = (Object.keys(COMPARED) as ComparedFigure[]).flatMap((figure) =>
    players.flatMap((one, i) =>
      players
        .slice(i + 1)
        .flatMap(
          (other) => pairOf(figure, { one, other }, runsOf.get(one) ?? [], runsOf.get(other) ?? []) ?? [],
        ),
    ),
  );
  return withCorrection(pairs.map((pair) => ({ ...pair, lost: lostBy(pair.one, pair.other) })));
}

function seedsByRow(
  runs: readonly Pick<RunMetrics, 'scenario' | 'players' | 'settings' | 'seed'>[],
): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    grouped(runs, playersOf).map((group) => [
      playersOf(group[0]),
      new Set(group.map(({ scenario, seed }) => JSON.stringify([scenario, seed]))),
    ]),
  );
}

interface UncorrectedPair extends Omit<OverviewPair, 'corrected' | 'verdict' | 'moreSeeds'> {
  /** For scenarios whose seeds have an effect. */
  varied: ValueGroups;
}

interface SeedPairs {
  pairs: readonly PairedValues[];
  /** For each pair: whether runs of the one, and of the other, lost turns to a server. */
  harmed: readonly (readonly [boolean, boolean])[];
  fixed: FixedPlayers;
}

/** Null if they share no seed. */
function pairOf(
  figure: ComparedFigure,
  { one, other }: Pick<OverviewPair, 'one' | 'other'>,
  runsOfOne: readonly RunMetrics[],
  runsOfOther: readonly RunMetrics[],
): Omit<UncorrectedPair, 'lost'> | null {
  const sharedScenarios = distinct(runsOfOne.map(({ scenario }) => scenario))
    .map((scenario) => seedPairs(figure, ofScenario(runsOfOne, scenario), ofScenario(runsOfOther, scenario)))
    .filter(({ pairs }) => pairs.length > 0);
  const groups = sharedScenarios.map(({ pairs }) => pairs);
  const differences = sharedScenarios.map(differencesOf);
  const difference = meanOfMeans(differences);
  if (difference === null) return null;
  const meanOf = (side: 0 | 1): number =>
    meanOfMeans(groups.map((pairs) => pairs.map((pair) => pair[side]))) ?? 0;
  const means = [meanOf(0), meanOf(1)] as const;
  const harmedOn = (side: 0 | 1): number =>
    sharedScenarios.flatMap(({ harmed }) => harmed).filter((pair) => pair[side]).length;
  const varied = sharedScenarios.filter(({ fixed }) => fixed !== 'both');
  const isConstant = varied.length === 0;
  const seed = figure === 'success' ? `${one}/${other}` : `${one}/${other}/${figure}`;
  const isAlike = differences.flat().every((value) => value === 0);
  const p = isAlike || (isConstant && groups.length === 1) ? null : signFlipTest(differences, seed);
  return {
    figure,
    isAlike,
    one,
    other,
    scenarios: groups.length,
    pairs: groups.reduce((sum, { length }) => sum + length, 0),
    harmed: [harmedOn(0), harmedOn(1)],
    difference,
    interval: p === null ? null : differenceInterval(groups, { seed, p, level: SIGNIFICANT_BELOW }),
    differing: differing(varied.map(differencesOf)),
    means,
    fixed: isConstant ? 'both' : varied.some(({ fixed }) => fixed === 'one') ? 'one' : 'neither',
    p,
    effect: figure === 'success' ? cohensH(...means) : null,
    varied: varied.map(differencesOf),
  };
}

function differencesOf({ pairs }: SeedPairs): readonly number[] {
  return pairs.map(([one, other]) => one - other);
}

function ofScenario(runs: readonly RunMetrics[], scenario: string): readonly RunMetrics[] {
  return runs.filter((run) => run.scenario === scenario);
}

/**
 * The figure of both by seed, the mean if a seed was played several times; one pair if both played identically
 * on all seeds.
 */
function seedPairs(
  figure: ComparedFigure,
  runsOfOne: readonly RunMetrics[],
  runsOfOther: readonly RunMetrics[],
): SeedPairs {
  const { of } = COMPARED[figure];
  const trajectories: (readonly [string, string])[] = [];
  const harmed: (readonly [boolean, boolean])[] = [];
  const pairs = distinct(runsOfOne.map(({ seed }) => seed)).flatMap((seed) => {
    const ofSeed = (runs: readonly RunMetrics[]): readonly RunMetrics[] =>
      runs.filter((run) => run.seed === seed && of(run) !== null);
    const [a, b] = [ofSeed(runsOfOne), ofSeed(runsOfOther)];
    const [one = null, other = null] = [a, b].map((list) => mean(list.flatMap((run) => of(run) ?? [])));
    if (one === null || other === null) return [];
    trajectories.push([trajectoriesOf(a), trajectoriesOf(b)]);
    harmed.push([a.some(isHarmed), b.some(isHarmed)]);
    return [[one, other] as const];
  });
  const fixed = fixedAmong(trajectories);
  const most = fixed === 'both' ? 1 : pairs.length;
  return { pairs: pairs.slice(0, most), harmed: harmed.slice(0, most), fixed };
}

function trajectoriesOf(runs: readonly RunMetrics[]): string {
  return distinct(runs.map(({ trajectory, seed }) => trajectory ?? seed)).join();
}

function distinct(list: readonly string[]): readonly string[] {
  return [...new Set(list)].toSorted(compareText);
}

function withCorrection(pairs: readonly UncorrectedPair[]): readonly OverviewPair[] {
  return withVerdicts(
    pairs,
    ({ figure, difference }) => (difference > 0 === (COMPARED[figure].better === 'more') ? 'one' : 'other'),
    ({ figure, varied }, level) => (figure === 'success' ? moreSeeds(varied, level) : null),
  ).map(({ varied: _varied, ...pair }) => pair);
}
