/** Statistics over several scenarios, against values worked out otherwise: by hand, by enumeration, by textbooks, and by how often they hold. */
import { describe, expect, test } from 'vitest';
import { nextBelow, stream } from '../../src/base/rng.js';
import {
  cohensH,
  differenceInterval,
  hierarchicalBootstrap,
  holm,
  meanOfMeans,
  newcombe,
  shareInterval,
  signFlipTest,
} from '../../src/report/paired-statistics.js';

test('every group weighs alike, whatever its size', () => {
  expect(meanOfMeans([[1], [0, 0, 0]])).toBe(0.5);
  expect(meanOfMeans([])).toBeNull();
});

describe('the hierarchical bootstrap', () => {
  test('has no interval for few values, and where all are equal', () => {
    expect(
      hierarchicalBootstrap(
        [
          [1, 0],
          [1, 1],
        ],
        's',
      ),
    ).toBeNull();
    expect(
      hierarchicalBootstrap(
        [
          [1, 1, 1],
          [1, 1],
        ],
        's',
      ),
    ).toBeNull();
  });

  test('is wider where scenarios differ than where they are alike', () => {
    const alike = hierarchicalBootstrap(
      [
        [1, 0, 1, 0],
        [1, 0, 0, 1],
        [0, 1, 0, 1],
        [1, 1, 0, 0],
      ],
      's',
    );
    const apart = hierarchicalBootstrap(
      [
        [1, 1, 1, 1],
        [0, 0, 0, 0],
        [1, 1, 1, 1],
        [0, 0, 0, 0],
      ],
      's',
    );
    expect((apart?.high ?? 0) - (apart?.low ?? 0)).toBeGreaterThan((alike?.high ?? 0) - (alike?.low ?? 0));
    expect(apart).toEqual({ low: 0, high: 1 });
  });

  test('of one group is as wide as the normal interval of its mean', () => {
    const values = Array.from({ length: 200 }, (_, i) => (i % 4 === 0 ? 1 : 0));
    const { low, high } = hierarchicalBootstrap([values], 's') ?? { low: 0, high: 0 };
    const half = 1.96 * Math.sqrt((0.25 * 0.75) / 200);
    expect(Math.abs(low - (0.25 - half))).toBeLessThan(0.015);
    expect(Math.abs(high - (0.25 + half))).toBeLessThan(0.015);
  });
});

describe('intervals of shares over scenarios', () => {
  const wins = (hits: number, of: number): readonly number[] =>
    Array.from({ length: of }, (_, i) => (i < hits ? 1 : 0));
  const pairs = (counts: readonly [number, number, number, number]): readonly (readonly [number, number])[] =>
    (
      [
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ] as const
    ).flatMap((pair, i) => Array.from({ length: counts[i] ?? 0 }, () => pair));

  test('are as wide as so many runs leave room for where all of them ended alike', () => {
    // Wilson of 0 of 30: z² / (30 + z²) = 0.1135.
    expect(shareInterval([wins(0, 10), wins(0, 10), wins(0, 10)], 's')?.high).toBeCloseTo(0.1135, 3);
    expect(shareInterval([wins(10, 10), wins(10, 10)], 's')?.low).toBeCloseTo(0.8389, 3);
    expect(shareInterval([wins(0, 2), wins(0, 2)], 's')).toBeNull();
  });

  test('are those of Wilson for one scenario, and of the bootstrap for several', () => {
    // Newcombe (1998a), table 1: 81 of 263 have 0.2553 to 0.3662.
    const one = shareInterval([wins(81, 263)], 's');
    expect([one?.low, one?.high].map((bound) => bound?.toFixed(4))).toEqual(['0.2553', '0.3662']);
    const several = [wins(3, 5), wins(1, 5)];
    expect(shareInterval(several, 's')).toEqual(hierarchicalBootstrap(several, 's'));
  });

  test('of a paired difference are those of Newcombe (1998b), table III, method 10', () => {
    const { low, high } = newcombe(pairs([36, 12, 2, 0]));
    expect([low.toFixed(4), high.toFixed(4)]).toEqual(['0.0569', '0.3404']);
  });
});

describe('the interval of a difference', () => {
  type Pairs = readonly (readonly [number, number])[];
  const of = (groups: readonly Pairs[], seed = 's') => {
    const differences = groups.map((group) => group.map(([one, other]) => one - other));
    const p = signFlipTest(differences, seed);
    return { p, interval: differenceInterval(groups, { seed, p, level: 0.05 }) };
  };
  const draws = (seed: string) => {
    let state = stream(seed, 'test');
    return (bound: number): number => {
      const draw = nextBelow(state, bound);
      state = draw.state;
      return draw.value;
    };
  };

  test('excludes 0 exactly if the test is significant, for shares and amounts, whatever the sizes of groups', () => {
    let [significant, open] = [0, 0];
    for (let round = 0; round < 50; round++) {
      const draw = draws(`round ${round}`);
      const amount = (): number => (round % 2 === 0 ? draw(2) : draw(1000) * 1000);
      const better = draw(3) * 2;
      const groups = Array.from({ length: 1 + draw(3) }, () =>
        Array.from({ length: 4 + draw(8) }, () => {
          const [one, other] = [amount(), amount()];
          return [better > 0 && draw(better + 1) > 0 ? Math.max(one, other) : one, other] as const;
        }),
      );
      const { p, interval } = of(groups);
      if (interval === null) continue;
      expect(interval.low > 0 || interval.high < 0, `round ${round}`).toBe(p < 0.05);
      expect(interval.low).toBeLessThanOrEqual(interval.high);
      if (p < 0.05) significant += 1;
      else open += 1;
    }
    expect(Math.min(significant, open)).toBeGreaterThan(5);
  });

  test('has the values from which the differences do not differ significantly, by the definition', () => {
    const values = [3, 1, 4, 1.5, 9, -2.6, 5];
    const { interval } = of([values.map((value) => [value, 0] as const)]);
    const differsFrom = (value: number) => signFlipTest([values.map((one) => one - value)], 's') < 0.05;
    for (const end of [interval?.low ?? 0, interval?.high ?? 0])
      expect(differsFrom(end - 0.01)).not.toBe(differsFrom(end + 0.01));
    expect(interval?.low).toBeLessThan(interval?.high ?? 0);
  });

  test('of many values is that of Student', () => {
    const draw = draws('many');
    const values = Array.from({ length: 60 }, () => draw(1000) + draw(1000) + draw(1000));
    const middle = values.reduce((sum, value) => sum + value, 0) / 60;
    const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / 59);
    const half = (2.001 * spread) / Math.sqrt(60);
    const { low, high } = of([values.map((value) => [value, 0] as const)]).interval ?? { low: 0, high: 0 };
    expect(Math.abs(low - (middle - half))).toBeLessThan(half / 10);
    expect(Math.abs(high - (middle + half))).toBeLessThan(half / 10);
  });

  test('covers the true difference of two shares in at least 19 of 20 cases', { tags: ['long'] }, () => {
    const draw = draws('cover');
    let covered = 0;
    for (let round = 0; round < 400; round++) {
      const groups = [60, 40, 80].map((share) =>
        Array.from({ length: 8 }, () => [Number(draw(100) < share), Number(draw(100) < share - 30)] as const),
      );
      const { low, high } = of(groups, `${round}`).interval ?? { low: -1, high: 1 };
      if (low <= 0.3 && 0.3 <= high) covered += 1;
    }
    expect(covered).toBeGreaterThan(370);
  });

  test('is not one of few pairs, and no point where every seed differed alike', () => {
    const five = Array.from({ length: 5 }, () => [1, 0] as const);
    expect(of([five]).interval).toBeNull();
    const always = of([five, five]).interval;
    expect(always?.low).toBeCloseTo(0.6075, 3);
    expect(always?.high).toBe(1);
    expect(of([five, five].map((group) => group.map(() => [0.5, 0] as const))).interval).toBeNull();
  });
});

describe('sign flips', () => {
  test('are exact for few differences: six that point one way have 2 of 64 ways', () => {
    expect(signFlipTest([[1, 1, 1, 1, 1, 1, 0, 0]], 's')).toBeCloseTo(2 / 64, 10);
    expect(signFlipTest([[1, -1]], 's')).toBe(1);
    expect(signFlipTest([[0, 0, 0]], 's')).toBe(1);
  });

  test('are the exact binomial test where all differences weigh alike', () => {
    // Of 30 differences 22 point one way: twice the tail of a fair coin is 0.01612 (Siegel, table D).
    const many = [...Array.from({ length: 22 }, () => 1), ...Array.from({ length: 8 }, () => -1)];
    expect(signFlipTest([many], 's')).toBeCloseTo(0.01612, 4);
    expect(signFlipTest([many.slice(0, 15), many.slice(15)], 's')).toBeCloseTo(0.01612, 4);
  });

  test('come near it for many that weigh almost alike', () => {
    const many = Array.from({ length: 30 }, (_, i) => (i < 22 ? 1 : -1) * (1 + i / 10_000));
    expect(signFlipTest([many], 's')).toBeGreaterThan(0.006);
    expect(signFlipTest([many], 's')).toBeLessThan(0.022);
  });

  test('call two equal players different in about one of twenty', () => {
    let state = stream('equal', 'test');
    let told = 0;
    for (let round = 0; round < 400; round++) {
      const groups = [0, 1, 2].map(() =>
        Array.from({ length: 6 }, () => {
          const draw = nextBelow(state, 3);
          state = draw.state;
          return draw.value - 1;
        }),
      );
      if (signFlipTest(groups, `r${round}`) < 0.05) told += 1;
    }
    expect(told).toBeLessThan(36);
    expect(told).toBeGreaterThan(4);
  });
});

test("Holm's correction is that of the textbook", () => {
  // Holm (1979), as R's p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") gives it.
  const corrected = holm([0.01, 0.04, 0.03, 0.005]);
  for (const [i, value] of [0.03, 0.06, 0.06, 0.02].entries()) expect(corrected[i]).toBeCloseTo(value, 10);
  expect(holm([])).toEqual([]);
  expect(holm([0.9, 0.8])).toEqual([1, 1]);
});

test("Cohen's h is that of his table", () => {
  // Cohen (1988), section 6.2: shares of 0.65 and 0.55 differ by 0.20; of 1 and 0 by pi.
  expect(cohensH(0.65, 0.55)).toBeCloseTo(0.2, 2);
  expect(cohensH(1, 0)).toBeCloseTo(Math.PI, 10);
  expect(cohensH(0.3, 0.3)).toBe(0);
});
