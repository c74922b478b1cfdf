/** All scenarios in one table: weights, what counts once, who is better, and the table as LaTeX and Markdown. */
import { sha256 } from '../../src/base/canonical.js';
import { describe, expect, test } from 'vitest';
import { overviewOf } from '../../src/report/overview.js';
import { overviewText } from '../../src/report/overview-text.js';
import { pageOf } from '../../src/report/page.js';
import { reportOf } from '../../src/report/report.js';
import type { RunMetrics } from '../../src/report/run-metrics.js';
import { rowShortfallWords, shortfallWords } from '../../src/report/words.js';
import { run, seeds } from './figures.js';

const lost: Partial<RunMetrics> = { status: 'failed', reason: 'caught' };

describe('the overview', () => {
  test('weighs every scenario alike, however many runs it has', () => {
    const { rows, shared } = overviewOf([
      ...seeds(1, 9, { scenario: 'a' }),
      run({ scenario: 'b', ...lost }),
      ...seeds(1, 3, { scenario: 'only-qwen' }),
      run({ scenario: 'a', players: 'gemma', ...lost }),
      run({ scenario: 'b', players: 'gemma', ...lost }),
    ]);
    expect(shared).toEqual(['a', 'b']);
    expect(rows.map(({ players, mean }) => [players, mean])).toEqual([
      ['gemma', 0],
      ['qwen', 0.5],
    ]);
    expect(rows[0]?.cells.map(({ success }) => success)).toEqual([0, 0, null]);
  });

  test('compares on the same seeds of every scenario, corrected for how many were compared', () => {
    const { pairs } = overviewOf(
      ['a', 'b'].flatMap((scenario) => [
        ...seeds(1, 8, { scenario }),
        ...seeds(1, 8, { scenario, players: 'gemma', ...lost }),
        ...seeds(1, 8, { scenario, players: 'pixtral' }),
      ]),
    );
    const [first, , last] = pairs;
    expect(pairs.map(({ one, other, verdict }) => [one, other, verdict])).toEqual([
      ['gemma', 'pixtral', 'other'],
      ['gemma', 'qwen', 'other'],
      ['pixtral', 'qwen', 'too few to tell'],
    ]);
    expect(first).toMatchObject({ scenarios: 2, pairs: 16, difference: -1, moreSeeds: 0 });
    expect(first?.corrected).toBeGreaterThan(first?.p ?? 1);
    expect(last).toMatchObject({ difference: 0, p: 1, corrected: 1, moreSeeds: null });
  });

  test('says how many seeds more would settle a tie', () => {
    const some = [...seeds(1, 7, {}), ...seeds(8, 10, lost)];
    const other = [...seeds(1, 5, { players: 'z' }), ...seeds(6, 10, { players: 'z', ...lost })];
    const [pair] = overviewOf([...some, ...other]).pairs;
    expect(pair).toMatchObject({ verdict: 'too few to tell', pairs: 10 });
    // Difference 0.2, variance 0.2 - 0.04: 0.16 × 7.849 / 0.04 = 32 pairs.
    expect(pair?.moreSeeds).toBe(22);
  });
});

describe('runs that are the same', () => {
  const same = seeds(1, 10, { trajectory: 'one way' });

  test('count once, and have no interval where every seed went the same way', () => {
    const { cells, repeated } = reportOf(same);
    expect(cells[0]).toMatchObject({ runs: 1, repeats: 9, ignoresSeed: true });
    expect(cells[0]?.success).toEqual({ share: 1, interval: null });
    expect(repeated).toHaveLength(9);
    expect(pageOf(reportOf(same))).toContain('all seeds gave the same run');
  });

  test('are no further evidence against another player either', () => {
    const others = seeds(1, 10, { players: 'gemma', ...lost, trajectory: 'another way' });
    const { pairings, overview } = reportOf([...same, ...others]);
    expect(pairings[0]).toMatchObject({ seeds: 1, verdict: 'too few to tell' });
    expect(overview.pairs[0]).toMatchObject({ pairs: 1, verdict: 'too few to tell' });
  });

  test('count each where other seeds went otherwise: wins are alike, losses are not', () => {
    const nine = seeds(1, 9, { trajectory: 'the way to win' });
    const lastOne = run({ ...lost, seed: '10', trajectory: 'astray' });
    const other = seeds(1, 10, { players: 'gemma', ...lost, trajectory: 'another way' });
    const { cells, overview, pairings, repeated } = reportOf([...nine, lastOne, ...other]);
    const cell = cells.find(({ players }) => players === 'qwen');
    expect(cell).toMatchObject({ runs: 10, successes: 9, alike: 8, repeats: 0, ignoresSeed: false });
    expect(overview.rows.map(({ players, mean }) => [players, mean])).toEqual([
      ['gemma', 0],
      ['qwen', 0.9],
    ]);
    expect(pairings[0]).toMatchObject({ seeds: 10, onlyOther: 9 });
    expect(overview.pairs[0]).toMatchObject({ pairs: 10 });
    expect(repeated).toHaveLength(9);
    // The same seed once more, gone the same way, is no further evidence here either.
    expect(reportOf([...nine, lastOne, { ...lastOne }]).cells[0]).toMatchObject({ runs: 10, repeats: 1 });
  });

  test('are a copied log too, but not runs that went other ways or have no step yet', () => {
    const copy = run({ trajectory: 'x', log: 'copy.sqlite' });
    expect(reportOf([run({ trajectory: 'x' }), copy]).repeated).toMatchObject([
      { run: { log: 'copy.sqlite' } },
    ]);
    expect(reportOf([run({ trajectory: 'x' }), run({ trajectory: 'y' })]).repeated).toEqual([]);
    expect(reportOf([run({ trajectory: null }), run({ trajectory: null })]).repeated).toEqual([]);
  });
});

describe('why fewer runs count', () => {
  const other = { players: 'gemma', ...lost };
  const runs = [
    ...seeds(1, 10, { trajectory: 'a' }).slice(0, 2),
    run({ seed: '3', trajectory: 'b', status: 'interrupted' }),
    ...seeds(1, 10, other),
  ];
  const { cells } = reportOf(runs);
  const cell = cells.find(({ players }) => players === 'qwen');

  test('is told of a cell: seeds that others played, runs without an end, repeats', () => {
    expect(cell?.missing).toEqual(['4', '5', '6', '7', '8', '9', '10']);
    expect(cell === undefined ? [] : shortfallWords(cell)).toEqual([
      '1 run did not finish and is excluded from success',
      '7 seeds that others played are missing: 4, 5, 6, 7, 8, 9 and 1 more',
      expect.stringMatching(
        /^1 run repeats another one step by step and is not counted; all seeds gave the same run/,
      ),
    ]);
  });

  test('is told of a row of the table, and on the page', () => {
    const words =
      'not counted: 7 not played, 1 unfinished, 1 identical to another one, 1 scenario whose seed changes nothing';
    expect(rowShortfallWords(cells.filter(({ players }) => players === 'qwen'))).toBe(words);
    expect(rowShortfallWords(cells.filter(({ players }) => players === 'gemma'))).toBe('');
    const two = [...runs, run({ scenario: 'other' })];
    expect(pageOf(reportOf(two))).toContain(`<li>qwen: ${words}.</li>`);
    expect(pageOf(reportOf(runs))).toContain('<h3>Not counted</h3>');
  });
});

test('the order in which runs come makes no other interval', () => {
  const runs = ['a', 'b', 'c'].flatMap((scenario, k) =>
    ['qwen', 'gemma', 'pixtral', 'molmo'].flatMap((players) =>
      seeds(1, 23, { scenario, players }).map((one, i) => ({
        ...one,
        run: `${scenario}-${players}-${one.seed}`,
        turns: 5 + ((i * 7 + k) % 4),
        ...(sha256(`${scenario}${players}${i}`) < '6' ? lost : {}),
      })),
    ),
  );
  const mixed = runs.toSorted((one, other) => (sha256(one.run) < sha256(other.run) ? -1 : 1));
  expect(overviewOf(mixed)).toEqual(overviewOf(runs));
  const turns = (list: typeof runs) => reportOf(list).cells.map((cell) => cell.turns?.interval);
  expect(turns(mixed)).toEqual(turns(runs));
});

describe('as text for a paper', () => {
  const strange = overviewOf([
    run({ scenario: 'a_b', players: 'x|y & 50% \\cmd{z}' }),
    run({ scenario: 'c', players: 'x|y & 50% \\cmd{z}', ...lost }),
  ]);

  test('LaTeX is a table whose lines all have the same cells, with what it reads as markup escaped', () => {
    const text = overviewText(strange, 'latex');
    expect(text).toContain('x$|$y \\& 50\\% \\textbackslash{}cmd\\{z\\}');
    expect(text).toContain('a\\_b');
    // In LaTeX's first fonts a bare < in text is printed as another sign.
    const sure = [...seeds(1, 20, {}), ...seeds(1, 20, { players: 'gemma', ...lost })];
    expect(overviewText(overviewOf(sure), 'latex')).toContain(' $<$ 0.001 & $<$ 0.001 & ');
    const cells = text.split('\n').filter((line) => line.endsWith('\\\\'));
    expect(new Set(cells.map((line) => line.split(/(?<!\\)&/).length))).toEqual(new Set([10]));
  });

  test('Markdown is a table whose lines all have the same cells', () => {
    const lines = overviewText(strange, 'markdown').trim().split('\n');
    expect(lines[0]).toMatch(/^\| players \| T \| runs \| a\\_b \| c \| mean/);
    expect(new Set(lines.map((line) => line.split(/(?<!\\)\|/).length))).toEqual(new Set([12]));
  });

  test('has money only where tokens have a price', () => {
    const priced = [run({ cost: 0.5 }), run({ cost: 0.3, seed: '2', ...lost })];
    const [heads, , line] = overviewText(overviewOf(priced), 'markdown').split('\n');
    expect(heads).toMatch(/ tokens\/run \| tokens\/success \| cost\/run \| cost\/success \|$/);
    expect(line).toMatch(/ 1100 \| 2200 \| 0\.4000 \| 0\.8000 \|$/);
    const free = overviewText(overviewOf([run({ cost: 0 })]), 'markdown');
    expect(free).not.toContain('cost');
    expect(free).toContain('tokens/success');
  });
});
