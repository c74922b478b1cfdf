/** Each two players compared on the same seeds, as a table: a line for each figure and each two of them. */
import { amount, whole } from '../base/counted.js';
import { COMPARED } from './compared.js';
import type { Compared } from './compared.js';
import type { OverviewPair } from './comparisons.js';
import type { FigureColumn, FigureTable } from './figure-table.js';
import { pointsOf, pValueText, TOO_FEW_MARK } from './figure-text.js';
import type { Overview } from './overview.js';
import { MOST_SEEDS } from './power.js';
import { SCATTER_MIN } from './statistics.js';
import { SIGNIFICANT_BELOW } from './verdict.js';

const FIXED = {
  mark: '†',
  meaning:
    'one of the two plays identically on every seed of a scenario: its run is compared with each run of the other',
  isOn: ({ fixed }: OverviewPair) => fixed === 'one',
};
/** The interval and the test seem to contradict each other, as printed. */
const CONTRADICTION = {
  mark: '‡',
  meaning:
    'the interval includes 0 although p < 0.05: p applies only to these scenarios, the interval also to similar ones',
  isOn: ({ figure, interval, corrected, scenarios }: OverviewPair) => {
    if (interval === null || corrected === null || corrected >= SIGNIFICANT_BELOW || scenarios === 1)
      return false;
    const printed = (end: number): number => (COMPARED[figure].isShare ? pointsOf(end) : end);
    return printed(interval.low) <= 0 && printed(interval.high) >= 0;
  },
};
const TOO_FEW = {
  mark: TOO_FEW_MARK,
  meaning: `too few runs: fewer than ${SCATTER_MIN} pairs have no interval`,
  isOn: ({ pairs }: OverviewPair) => pairs < SCATTER_MIN,
};

function marksOn(pair: OverviewPair, marks: readonly (typeof FIXED)[]): string {
  return marks.flatMap(({ mark, isOn }) => (isOn(pair) ? [mark] : [])).join('');
}

const PAIR_FIGURES: readonly FigureColumn<OverviewPair>[] = [
  // In a narrow terminal, further columns have only this one beside them.
  { head: 'compared', format: 'text', of: ({ figure, one, other }) => `${figure}: ${one} − ${other}` },
  { head: 'scenarios', of: ({ scenarios }) => String(scenarios) },
  {
    head: 'pairs',
    of: (pair) =>
      `${whole(pair.pairs)}${marksOn(pair, [FIXED])}${pair.lost === 0 ? '' : ` (${whole(pair.lost)} lost)`}`,
  },
  {
    head: 'difference (95 %)',
    of: (pair) => `${differenceText(pair)}${marksOn(pair, [CONTRADICTION, TOO_FEW])}`,
  },
  { head: 'p', symbol: 'p', of: ({ p }) => pValueText(p) },
  { head: 'p (Holm)', symbol: 'p', of: ({ corrected }) => pValueText(corrected) },
  { head: 'h', symbol: 'h', of: ({ effect }) => effect?.toFixed(2).replace('-', '−') ?? '–' },
  // A sentence, which belongs in the paper's text.
  { head: 'verdict', format: 'text', of: pairVerdictText, paper: null },
];

export function pairsTable({ pairs }: Overview): FigureTable<OverviewPair> {
  const tested = pairs.filter(({ p, isAlike }) => p !== null && !isAlike).length;
  const lostNote = pairs.every(({ lost }) => lost === 0)
    ? ''
    : ' (lost: seeds that one of the two did not play to the end, or not at all)';
  const figures: readonly (readonly [string, Compared])[] = Object.entries(COMPARED);
  const shares = figures.flatMap(([name, { isShare = false }]) => (isShare ? [name] : []));
  const meanings = figures.flatMap(([name, { meaning, isRare = false }]) =>
    meaning === undefined || (isRare && pairs.every(({ figure }) => figure !== name))
      ? []
      : [` ${name}: ${meaning};`],
  );
  return {
    columns: PAIR_FIGURES,
    rows: pairs,
    notes: [FIXED, CONTRADICTION, TOO_FEW].flatMap(({ mark, meaning, isOn }) =>
      pairs.some(isOn) ? [`${mark} ${meaning}.`] : [],
    ),
    legend: `pairs: seeds that both played and that have the figure${lostNote}; ${shares.join(', ')}: shares, difference in percentage points (pp);${meanings.join('')} difference: the first minus the second, the mean with equal weights for scenarios, with 95 % interval; p: paired randomisation test; p (Holm): corrected for all ${amount(tested, 'test')} of this table (where both are equal on every seed, there is nothing to test); h: Cohen's effect size.`,
  };
}

/** With its unit: `+12 pp (+3 to +20)`, `−9.6 (−11.0 to −8.2)`. */
function differenceText({ figure, difference, interval }: OverviewPair): string {
  const { amount: amountOf, isShare = false } = COMPARED[figure];
  const signed = (value: number): string => {
    const digits = amountOf(value).replace('-', '');
    // With a minus sign as wide as a plus; nothing before what is printed as zero.
    return /[1-9]/.test(digits) ? `${value > 0 ? '+' : '−'}${digits}` : '0';
  };
  const range = interval === null ? '' : ` (${signed(interval.low)} to ${signed(interval.high)})`;
  return `${signed(difference)}${isShare ? ' pp' : ''}${range}`;
}

type ComparedPair = Pick<
  OverviewPair,
  'figure' | 'one' | 'other' | 'verdict' | 'moreSeeds' | 'fixed' | 'means' | 'scenarios' | 'difference'
>;

/** Which of the two is better; otherwise how many additional seeds would decide, or that none would. */
export function pairVerdictText(pair: ComparedPair): string {
  const { figure, one, other, verdict, moreSeeds, fixed, scenarios, difference } = pair;
  if (verdict === 'one' || verdict === 'other')
    return `${verdict === 'one' ? one : other} ${COMPARED[figure].words}`;
  if (fixed === 'both')
    return figure === 'success' ? seedIndependentText(pair) : 'neither depends on the seed';
  if (difference === 0) return 'no difference observed';
  if (moreSeeds === null) return 'not significant';
  const neededSeeds =
    moreSeeds > MOST_SEEDS ? `over ${MOST_SEEDS} more seeds` : `about ${amount(moreSeeds, 'more seed')}`;
  return `not significant (${neededSeeds}${scenarios === 1 ? '' : ' per scenario'} needed)`;
}

/** "neither depends on the seed, so there is nothing to test: both succeed" */
function seedIndependentText({ one, other, means, scenarios }: ComparedPair): string {
  const lead = 'neither depends on the seed';
  const [successesOfOne, successesOfOther] = [
    Math.round(means[0] * scenarios),
    Math.round(means[1] * scenarios),
  ];
  if (scenarios > 1)
    return `${lead}: of ${scenarios} scenarios, ${one} succeeds in ${successesOfOne} and ${other} in ${successesOfOther}`;
  if (successesOfOne === successesOfOther)
    return `${lead}, so there is nothing to test: ${successesOfOne === 1 ? 'both succeed' : 'both fail'}`;
  const [winner, loser] = successesOfOne === 1 ? [one, other] : [other, one];
  return `${lead}, so there is nothing to test: ${winner} succeeds, ${loser} fails`;
}
