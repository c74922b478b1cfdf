/** How many more seeds tell a difference, against the exact power worked out otherwise: every outcome of so many pairs, one by one, in whole numbers' ratios. */
import { expect, test } from 'vitest';
import { moreSeeds } from '../../src/report/power.js';

const pairs = (one: number, other: number, of: number): readonly number[] =>
  Array.from({ length: of }, (_, i) => (i < one ? 1 : i < one + other ? -1 : 0));

/** Pascal's triangle. */
function choose(n: number, k: number): number {
  let ways = 1;
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i;
  return ways;
}

/** Two-sided, straight from its definition. */
function signTest(one: number, other: number): number {
  let tail = 0;
  for (let k = 0; k <= Math.min(one, other); k++) tail += choose(one + other, k);
  return Math.min(1, (2 * tail) / 2 ** (one + other));
}

/** Of n pairs, each won by one alone with chance a and by the other alone with chance b. */
function power(n: number, a: number, b: number, level = 0.05): number {
  let sum = 0;
  for (let i = 0; i <= n; i++)
    for (let j = 0; i + j <= n; j++)
      if (signTest(i, j) < level)
        sum += choose(n, i) * choose(n - i, j) * a ** i * b ** j * (1 - a - b) ** (n - i - j);
  return sum;
}

test('the power of 0 against half of 11, 14 and 15 pairs is 50, 79 and 85 %', () => {
  expect([11, 14, 15].map((n) => Math.round(100 * power(n, 0, 0.5)))).toEqual([50, 79, 85]);
});

test('so few pairs that differ give no number: their share, and the rate at which pairs differ, may be any', () => {
  expect(moreSeeds([pairs(2, 7, 40)], 0.05)).toBeNull();
  expect(moreSeeds([pairs(2, 3, 10), pairs(1, 3, 10)], 0.05)).toBeNull();
  expect(moreSeeds([pairs(2, 8, 40)], 0.05)).toBeGreaterThan(0);
  expect(moreSeeds([pairs(2, 8, 40)], 0.05)).toBe(moreSeeds([pairs(8, 2, 40)], 0.05));
});

test.each([
  [12, 4, 40],
  [9, 4, 30],
  [10, 0, 100],
  [7, 3, 12],
  [14, 6, 20],
])('%i against %i of %i need the first number of seeds with a power of 80 %', (one, other, of) => {
  const needed = of + (moreSeeds([pairs(one, other, of)], 0.05) ?? 0);
  expect(power(needed, one / of, other / of)).toBeGreaterThanOrEqual(0.8);
  for (let n = of + 1; n < needed; n++) expect(power(n, one / of, other / of)).toBeLessThan(0.8);
});

test('seeds of several scenarios count together, at the level that a correction leaves', () => {
  // 10 seeds in each of three scenarios, of which 10 differ in all: 10 of 30 pairs.
  const groups = [pairs(5, 2, 10), pairs(2, 0, 10), pairs(1, 0, 10)];
  const needed = 10 + (moreSeeds(groups, 0.05 / 3) ?? 0);
  expect(power(3 * needed, 8 / 30, 2 / 30, 0.05 / 3)).toBeGreaterThanOrEqual(0.8);
  expect(power(3 * (needed - 1), 8 / 30, 2 / 30, 0.05 / 3)).toBeLessThan(0.8);
  expect(needed).toBeGreaterThan(10 + (moreSeeds(groups, 0.05) ?? 0));
});

test('a large number comes near the formula for paired shares (Connor, 1987)', () => {
  // 10 of 100 against 5: (1.96 √0.15 + 0.8416 √(0.15 - 0.0025))² / 0.0025 = 468; an exact test needs a little more.
  const needed = 100 + (moreSeeds([pairs(10, 5, 100)], 0.05) ?? 0);
  expect(needed).toBeGreaterThan(455);
  expect(needed).toBeLessThan(510);
});

test('no difference has no number, and what takes more than 1000 seeds is no longer counted', () => {
  expect(moreSeeds([pairs(6, 6, 20)], 0.05)).toBeNull();
  expect(moreSeeds([], 0.05)).toBeNull();
  expect(moreSeeds([pairs(101, 100, 1000)], 0.05)).toBe(1001);
});
