/** The statistics of a report against values worked out otherwise: by enumeration, by published tables, and by how often they hold. */
import { mean } from '../../src/base/mean.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextBelow, stream } from '../../src/base/rng.js';
import { SCATTER_MIN, atLeastByChance, bootstrapMean, mcnemar, wilson } from '../../src/report/statistics.js';

describe('a share', () => {
  test.each([
    // Newcombe (1998), table I, method 3.
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('%i of %i has the interval of the tables', (hits, of, low, high) => {
    const interval = wilson(hits, of);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  test('lies in its interval, and more of the same make it narrower', () => {
    const shares = fc
      .integer({ min: 1, max: 200 })
      .chain((of) => fc.tuple(fc.integer({ min: 0, max: of }), fc.constant(of)));
    fc.assert(
      fc.property(shares, ([hits, of]) => {
        const { low, high } = wilson(hits, of);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(hits / of);
        expect(high).toBeGreaterThanOrEqual(hits / of);
        expect(high).toBeLessThanOrEqual(1);
        const more = wilson(hits * 10, of * 10);
        expect(more.high - more.low).toBeLessThan(high - low);
      }),
    );
  });
});

describe('a mean', () => {
  test('of nothing is none, and of few values has no interval', () => {
    expect(mean([])).toBeNull();
    expect(bootstrapMean([1, 2, 3, 4], 'x')).toBeNull();
    expect(SCATTER_MIN).toBe(5);
  });

  test('lies within an interval that is the same each time, and none where all are alike', () => {
    const values = [3, 9, 4, 4, 12, 7, 5, 8];
    const interval = bootstrapMean(values, 'a');
    expect(interval).toEqual(bootstrapMean(values, 'a'));
    expect(interval?.low).toBeLessThan(6.5);
    expect(interval?.high).toBeGreaterThan(6.5);
    expect(bootstrapMean([7, 7, 7, 7, 7], 'a')).toBeNull();
  });

  test('has an interval that holds the true mean about as often as it says', { tags: ['long'] }, () => {
    let state = stream('coverage', 'test');
    let held = 0;
    for (let round = 0; round < 200; round++) {
      const values = Array.from({ length: 30 }, () => {
        const draw = nextBelow(state, 101);
        state = draw.state;
        return draw.value;
      });
      const interval = bootstrapMean(values, String(round));
      if (interval !== null && interval.low <= 50 && interval.high >= 50) held += 1;
    }
    expect(held).toBeGreaterThanOrEqual(180);
    expect(held).toBeLessThanOrEqual(199);
  });
});

test('the McNemar test is the chance of coins, found by throwing all of them', () => {
  for (let one = 0; one <= 7; one++)
    for (let other = 0; other <= 7 - one; other++) {
      const trials = one + other;
      let asUneven = 0;
      for (let coins = 0; coins < 2 ** trials; coins++) {
        const heads = coins.toString(2).replaceAll('0', '').length;
        if (Math.abs(2 * heads - trials) >= Math.abs(one - other)) asUneven += 1;
      }
      expect(mcnemar(one, other)).toBeCloseTo(asUneven / 2 ** trials, 12);
    }
  expect(mcnemar(0, 600)).toBeLessThan(1e-100);
  // Of whole numbers of any size: from 1075 throws on one of them is less likely than any number there is.
  expect(mcnemar(537, 538)).toBeCloseTo(1, 12);
  expect(mcnemar(549, 551)).toBeCloseTo(0.9759483422317682, 12);
  expect(mcnemar(500, 640) / 3.7616829498599596e-5).toBeCloseTo(1, 10);
  expect(mcnemar(2000, 2100)).toBeCloseTo(0.12206497999113813, 12);
});

test.each([
  // By hand: 1 - 0.9^3; all of 4; and as Python's fractions sum them up.
  [1, 3, 0.1, 0.271],
  [4, 4, 0.5, 0.0625],
  [8, 20, 0.2, 0.032142663],
  [15, 60, 0.1, 0.000665664],
  [1, 5, 0, 0],
  [5, 5, 1, 1],
])('at least %i of %i with a chance of %f each has the probability %f', (hits, total, chance, expected) => {
  expect(atLeastByChance(hits, total, chance)).toBeCloseTo(expected, 8);
});

test('a chance of thousands of trials does not underflow', () => {
  expect(atLeastByChance(1000, 5000, 0.2)).toBeGreaterThan(0.4);
  expect(atLeastByChance(1000, 5000, 0.2)).toBeLessThan(0.6);
});
