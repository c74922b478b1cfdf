/** Each two players compared on the same seeds, as a table: a line for each figure and each two of them. */
import { amount, counted, whole } from '../base/counted.js';
import { COMPARED } from './compared.js';
import type { Compared } from './compared.js';
import type { OverviewPair } from './comparisons.js';
import type { FigureColumn, FigureTable } from './figure-table.js';
import { withoutEmptyColumns } from './figure-table.js';
import { pValueText, TOO_FEW_MARK } from './figure-text.js';
import type { Overview } from './overview.js';
import { TESTABLE_MIN } from './paired-statistics.js';
import { DIFFERING_MIN, MOST_SEEDS } from './power.js';
import { SIGNIFICANT_BELOW } from './verdict.js';

const FIXED = {
  mark: '†',
  meaning:
    'one of the two plays identically on every seed of a scenario: its run is compared with each run of the other',
  isOn: ({ fixed }: OverviewPair) => fixed === 'one',
};
const WITHOUT_INTERVAL = {
  mark: TOO_FEW_MARK,
  meaning: `no interval: fewer than ${TESTABLE_MIN} pairs, of which no difference could be significant, or all of them differ alike`,
  isOn: ({ interval, p }: OverviewPair) => interval === null && p !== null,
};
const AT_A_LIMIT = {
  mark: '§',
  meaning:
    'nothing was compared: nobody ever won, or everybody always did, so these seeds are too hard or too easy to tell players apart',
  isOn: isAtLimit,
};
const UNTESTED = {
  mark: '¶',
  meaning: 'nothing to test: both are equal on every seed, or neither depends on the seed',
  isOn: (pair: OverviewPair) => pair.p === null && !isAtLimit(pair),
};
const MARKS: readonly (typeof FIXED)[] = [FIXED, WITHOUT_INTERVAL, AT_A_LIMIT, UNTESTED];

function marksOn(pair: OverviewPair, ...marks: readonly (typeof FIXED)[]): string {
  return marks.flatMap(({ mark, isOn }) => (isOn(pair) ? [mark] : [])).join('');
}

function isAtLimit({ figure, isAlike, means }: Pick<OverviewPair, 'figure' | 'isAlike' | 'means'>): boolean {
  return figure === 'success' && isAlike && (means[0] === 0 || means[0] === 1);
}

/** What belongs to one row alone, and what to the whole table, so that nobody takes one for the other. */
const [ROW, TABLE] = ['each row alone', 'all rows'];

function pairFigures(pairs: readonly OverviewPair[]): readonly FigureColumn<OverviewPair>[] {
  const lostNote = pairs.every(({ lost }) => lost === 0)
    ? ''
    : ' (lost: seeds that one of the two did not play to the end, or not at all)';
  const harmedNote = pairs.every(({ harmed: [one, other] }) => one + other === 0)
    ? ''
    : " (s: runs of these that lost turns to a model's server, the first player's and the second's: such turns count against the player)";
  const figures: readonly (readonly [string, Compared])[] = Object.entries(COMPARED);
  const shares = figures.flatMap(([name, { isShare = false }]) => (isShare ? [name] : []));
  const meanings = figures.flatMap(([name, { meaning, isRare = false }]) =>
    meaning === undefined || (isRare && pairs.every(({ figure }) => figure !== name))
      ? []
      : [`; ${name}: ${meaning}`],
  );
  const tests = pairs.filter(({ p }) => p !== null).length;
  const isEstimated = pairs.some(({ moreSeeds }) => (moreSeeds ?? 0) > 0);
  return [
    {
      // In a narrow terminal, further columns have only this one beside them.
      head: 'compared',
      name: shares.join(', '),
      meaning: `shares, difference in percentage points (pp)${meanings.join('')}`,
      format: 'text',
      of: ({ figure, one, other }) => `${figure}: ${one} − ${other}`,
    },
    {
      head: 'scenarios',
      of: ({ scenarios }) => String(scenarios),
      ...(scenariosOfAll(pairs) === null ? {} : { paper: null }),
    },
    {
      head: 'pairs',
      meaning: `seeds that both played and that have the figure${lostNote}${harmedNote}`,
      of: (pair) => `${whole(pair.pairs)}${marksOn(pair, FIXED)}${lossesText(pair)}`,
    },
    {
      head: 'difference (95 %)',
      meaning:
        'the first minus the second, the mean with equal weights for scenarios, with the 95 % interval of the test of p: for these scenarios, each row alone',
      of: (pair) => `${differenceText(pair)}${marksOn(pair, WITHOUT_INTERVAL)}`,
      paper: { group: ROW, head: 'difference (95 %)' },
    },
    {
      head: 'p',
      symbol: 'p',
      meaning: 'paired randomisation test of the row alone, below 0.05 exactly if its interval excludes 0',
      of: (pair) => `${pValueText(pair.p)}${marksOn(pair, AT_A_LIMIT, UNTESTED)}`,
      paper: { group: ROW, head: 'p' },
    },
    {
      head: 'h',
      symbol: 'h',
      meaning: "Cohen's effect size",
      of: ({ effect }) => effect?.toFixed(2).replace('-', '−') ?? '–',
      paper: { group: ROW, head: 'h' },
    },
    {
      head: 'p (Holm)',
      symbol: 'p',
      meaning: `p corrected for all ${amount(tests, 'test')} of this table; it alone decides which difference is significant`,
      of: ({ corrected }) => pValueText(corrected),
      paper: { group: TABLE, head: 'p (Holm)' },
    },
    {
      head: 'verdict',
      ...(isEstimated
        ? {
            name: 'more seeds',
            meaning: `for a power of 80 % if the true difference is the observed one; no estimate from fewer than ${DIFFERING_MIN} pairs that differ`,
          }
        : {}),
      format: 'text',
      of: pairVerdictText,
      // A sentence, which belongs in the paper's text.
      paper: null,
    },
  ];
}

/** The number of scenarios in which each pair is compared, for a caption; null if they differ. */
export function scenariosOfAll(pairs: readonly OverviewPair[]): number | null {
  const [first = null, ...others] = new Set(pairs.map(({ scenarios }) => scenarios));
  return others.length === 0 ? first : null;
}

export function pairsTable({ pairs }: Overview): FigureTable<OverviewPair> {
  return withoutEmptyColumns({
    columns: pairFigures(pairs),
    rows: pairs,
    notes: MARKS.flatMap(({ mark, meaning, isOn }) => (pairs.some(isOn) ? [`${mark} ${meaning}.`] : [])),
  });
}

/** ` (6 lost, 0s − 4s)`; '' for none. */
function lossesText({ lost, harmed: [one, other] }: OverviewPair): string {
  const parts = [
    ...(lost === 0 ? [] : [`${whole(lost)} lost`]),
    ...(one + other === 0 ? [] : [`${whole(one)}s − ${whole(other)}s`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** With its unit: `+12 pp (+3 to +20)`, `−9.6 (−11.0 to −8.2)`. */
function differenceText({ figure, difference, interval, p }: OverviewPair): string {
  const { amount: amountOf, isShare = false } = COMPARED[figure];
  const isSignificant = p !== null && p < SIGNIFICANT_BELOW;
  const signed = (value: number, isLimit: boolean): string => {
    const digits = amountOf(value).replace('-', '');
    if (/[1-9]/.test(digits)) return `${value > 0 ? '+' : '−'}${digits}`;
    // A limit that is printed as zero must tell that it excludes it.
    return isLimit && isSignificant ? `${value > 0 ? '> ' : '< '}0` : '0';
  };
  const range = interval === null ? '' : ` (${signed(interval.low, true)} to ${signed(interval.high, true)})`;
  return `${signed(difference, false)}${isShare ? ' pp' : ''}${range}`;
}

type ComparedPair = Pick<
  OverviewPair,
  | 'figure'
  | 'one'
  | 'other'
  | 'verdict'
  | 'moreSeeds'
  | 'fixed'
  | 'means'
  | 'scenarios'
  | 'isAlike'
  | 'differing'
  | 'harmed'
>;

/** Which of the two is better; otherwise how many additional seeds would decide, or that none would. */
export function pairVerdictText(pair: ComparedPair): string {
  const { figure, one, other, verdict, moreSeeds, fixed, scenarios, differing, harmed } = pair;
  if (verdict === 'one' || verdict === 'other') {
    const [better, worse, losses] =
      verdict === 'one' ? ([one, other, harmed[1]] as const) : ([other, one, harmed[0]] as const);
    const note = losses === 0 ? '' : `, but ${worse} lost turns to its server in ${counted(losses, 'run')}`;
    return `${better} ${COMPARED[figure].words}${note}`;
  }
  if (fixed === 'both')
    return figure === 'success' ? seedIndependentText(pair) : 'neither depends on the seed';
  if (isAtLimit(pair))
    return `nothing was compared: ${pair.means[0] === 0 ? 'nobody ever won' : 'both always won'}`;
  if (pair.isAlike) return 'equal on every seed';
  if (moreSeeds === null) return 'not significant';
  const neededSeeds =
    moreSeeds > MOST_SEEDS ? `over ${MOST_SEEDS} more seeds` : `about ${amount(moreSeeds, 'more seed')}`;
  const scope = scenarios === 1 ? '' : ' per scenario';
  return `not significant (${neededSeeds}${scope} needed, if the ${whole(differing)} pairs that differ are typical)`;
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
