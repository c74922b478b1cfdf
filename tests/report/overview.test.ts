/** All scenarios in one table: weights, what counts once, who is better, and the table as LaTeX and Markdown. */
import { sha256 } from '../../src/base/canonical.js';
import { describe, expect, test } from 'vitest';
import { textTable } from '../../src/report/figure-table.js';
import { overviewMarkdown } from '../../src/report/overview-markdown.js';
import { pairsTable } from '../../src/report/pair-table.js';
import { overviewLatex } from '../../src/report/overview-latex.js';
import { pageOf } from '../../src/report/page.js';
import { pairingText } from '../../src/report/pairing-text.js';
import { reportOf } from '../../src/report/report.js';
import type { RunMetrics } from '../../src/report/run-metrics.js';
import { rowShortfallText, shortfallTexts } from '../../src/report/run-notes.js';
import { moreSeeds } from '../../src/report/power.js';
import { pairVerdictText } from '../../src/report/pair-table.js';
import { run, seeds } from './figures.js';

const overviewOf = (runs: readonly RunMetrics[]) => reportOf(runs).overview;
const lost: Partial<RunMetrics> = { status: 'failed', reason: 'caught' };

describe('the overview', () => {
  test('has players in the order in which they were first played, and settings of one by name', () => {
    const at = (startedAt: number, change: Partial<RunMetrics>) => run({ startedAt, ...change });
    const runs = [
      at(4, { players: 'a' }),
      at(3, { players: 'c', settings: 'k=2' }),
      at(2, { players: 'b' }),
      at(1, { players: 'c', settings: 'k=3', seed: '2' }),
      at(9, { players: 'b', seed: '3' }),
    ];
    const order = ['c · k=2', 'c · k=3', 'b', 'a'];
    expect(overviewOf(runs).rows.map(({ players }) => players)).toEqual(order);
    expect(reportOf(runs).cells.map(({ players }) => players)).toEqual(order);
  });

  test('has players in the order of their batch, whichever of its runs began first', () => {
    const runs = ['sharp', 'dull'].map((players, i) => run({ run: players, players, startedAt: 9 - i }));
    const planned = runs.map((one) => ({ ...one, switches: {}, models: [] }));
    const { cells, overview } = reportOf(runs, [{ title: '', plan: '', runs: planned }]);
    expect(overview.rows.map(({ players }) => players)).toEqual(['sharp', 'dull']);
    expect(cells.map(({ players }) => players)).toEqual(['sharp', 'dull']);
  });

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
    const success = pairs.filter(({ figure }) => figure === 'success');
    const [first, , last] = success;
    expect(success.map(({ one, other, verdict }) => [one, other, verdict])).toEqual([
      ['gemma', 'pixtral', 'other'],
      ['gemma', 'qwen', 'other'],
      ['pixtral', 'qwen', 'no test'],
    ]);
    expect(first).toMatchObject({ scenarios: 2, pairs: 16, difference: -1, moreSeeds: 0 });
    expect(first?.corrected).toBeGreaterThan(first?.p ?? 1);
    expect(last).toMatchObject({ difference: 0, p: null, corrected: null, interval: null, moreSeeds: null });
  });

  test('says how many seeds more would settle a tie, also where several pairs were compared', () => {
    const wins = (players: string, from: number, to: number) => [
      ...seeds(1, from - 1, { players, ...lost }),
      ...seeds(from, to, { players }),
      ...seeds(to + 1, 20, { players, ...lost }),
    ];
    // 8 to 4 of 20 pairs.
    const tie = [...wins('y', 1, 12), ...wins('z', 9, 16)];
    const [pair] = overviewOf(tie).pairs;
    expect(pair).toMatchObject({ verdict: 'not significant', pairs: 20, differing: 12 });
    const alone = pair?.moreSeeds ?? 0;
    expect(alone).toBe(
      moreSeeds(
        [[...Array<number>(8).fill(1), ...Array<number>(4).fill(-1), ...Array<number>(8).fill(0)]],
        0.05,
      ),
    );
    const third = overviewOf([...tie, ...wins('zz', 9, 16)]).pairs.slice(0, 3);
    expect(third.map(({ moreSeeds: more }) => (more === null ? null : more > alone))).toEqual([
      true,
      true,
      null,
    ]);
  });
});

describe('runs that are the same', () => {
  const same = seeds(1, 10, { trajectory: 'one way' });

  test('count once, and have no interval where every seed went the same way', () => {
    const { cells, repeated } = reportOf(same);
    expect(cells[0]).toMatchObject({ runs: 1, repeats: 9, ignoresSeed: true });
    expect(cells[0]?.success).toEqual({ share: 1, interval: null });
    expect(repeated).toHaveLength(9);
    expect(pageOf(reportOf(same))).toContain('only one distinct run');
  });

  test('are no further evidence against another player either', () => {
    const others = seeds(1, 10, { players: 'gemma', ...lost, trajectory: 'another way' });
    const { pairings, overview } = reportOf([...same, ...others]);
    expect(pairings[0]).toMatchObject({
      seeds: 1,
      fixed: 'both',
      p: null,
      verdict: 'no test',
      moreSeeds: null,
    });
    expect(overview.pairs[0]).toMatchObject({ pairs: 1, p: null, corrected: null, verdict: 'no test' });
    expect(pairings.map(pairingText)).toEqual([
      'gemma, qwen: neither depends on the seed, so there is nothing to test: qwen succeeds, gemma fails',
    ]);
    const alike = seeds(1, 10, { players: 'gemma', trajectory: 'another way' });
    const [twin] = reportOf([...same, ...alike]).overview.pairs;
    expect(twin && pairVerdictText(twin)).toBe(
      'neither depends on the seed, so there is nothing to test: both succeed',
    );
  });

  test('of several scenarios whose seeds change nothing are tested over scenarios, and ask for no seeds', () => {
    const played = (scenarios: string) =>
      scenarios
        .split('')
        .flatMap((scenario) => [
          ...seeds(1, 4, { scenario, trajectory: `${scenario} won` }),
          ...seeds(1, 4, { scenario, players: 'gemma', ...lost, trajectory: `${scenario} lost` }),
        ]);
    const [few] = overviewOf(played('abc')).pairs;
    expect(few).toMatchObject({
      pairs: 3,
      fixed: 'both',
      p: 0.25,
      verdict: 'not significant',
      moreSeeds: null,
    });
    expect(few && pairVerdictText(few)).toBe(
      'neither depends on the seed: of 3 scenarios, gemma succeeds in 0 and qwen in 3',
    );
    // Six of six: 2 of 64 ways.
    expect(overviewOf(played('abcdef')).pairs[0]).toMatchObject({ p: 0.03125, verdict: 'other' });
  });

  test('are compared with each run of a player whose seeds change something, which the table says', () => {
    const varied = ['a', 'b', 'c'].flatMap((scenario, k) => [
      ...seeds(1, 10, { scenario, trajectory: scenario }).map((one) => ({
        ...one,
        ...(k === 2 ? lost : {}),
      })),
      ...seeds(1, 10, { scenario, players: 'gemma', ...lost }).map((one) => ({
        ...one,
        trajectory: one.seed,
      })),
    ]);
    const { overview, pairings } = reportOf(varied);
    // Of 10 seeds each gemma won none: 20 to 0, p = 2 / 2^20.
    expect(overview.pairs[0]).toMatchObject({ pairs: 30, fixed: 'one', verdict: 'other' });
    expect(overview.pairs[0]?.p).toBeCloseTo(2 ** -19, 12);
    expect(pairings[0]).toMatchObject({ seeds: 10, fixed: 'one', onlyOther: 10 });
    const { lines, below } = textTable(pairsTable(overview));
    expect(lines[0]?.slice(2, 4)).toEqual(['30†', '−67 pp (−85 to −50)']);
    expect(below.slice(0, -1).map((note) => note[0])).toEqual(['†', '¶']);
    expect(pageOf(reportOf(varied))).toContain('† one of the two plays identically');
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
  const { cells, overview } = reportOf(runs);
  const cell = cells.find(({ players }) => players === 'qwen');

  test('is told of a cell: seeds that others played, runs without an end, repeats', () => {
    expect(cell?.missing).toEqual(['4', '5', '6', '7', '8', '9', '10']);
    expect(cell === undefined ? [] : shortfallTexts(cell)).toEqual([
      '1 run did not finish and is excluded from success',
      '7 runs were not played: seeds 4, 5, 6, 7, 8, 9 and 1 more',
      '2 runs, identical step by step: only one distinct run, so no interval',
    ]);
  });

  test('is told of a row of the table, and on the page', () => {
    const words =
      'not counted: 7 not played, 1 unfinished, 1 identical to another run (in 1 scenario the seed changes nothing, so one run of each counts); if none of the runs without a result had succeeded, the mean would be 20 %';
    expect(overview.rows.map((row) => [row.players, rowShortfallText(row)])).toEqual([
      ['gemma', ''],
      ['qwen', words],
    ]);
    const two = [...runs, run({ scenario: 'other' })];
    expect(pageOf(reportOf(two))).toContain(`<p class="lead">qwen: ${words}.</p>`);
    expect(pageOf(reportOf(runs))).toContain('<h3>Not counted</h3>');
  });
});

test('the order in which runs come makes no other interval', { tags: ['long'] }, () => {
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

describe('as Markdown', () => {
  const strange = reportOf([
    run({ scenario: 'a_b', players: 'x|y <b>*z*</b> _i_' }),
    run({ scenario: 'c', players: 'x|y <b>*z*</b> _i_', ...lost }),
  ]);

  test('is a table whose lines all have the same cells, with a legend below, and escapes what would be markup alone', () => {
    const text = overviewMarkdown(strange);
    const lines = text.split('\n').filter((line) => line.startsWith('|'));
    expect(lines[0]).toMatch(/^\| players \| T \| runs \| a_b \| c \| mean/);
    expect(lines[2]).toContain('| x\\|y \\<b>\\*z\\*\\</b> \\_i\\_ |');
    expect(text).toContain('\n\nplayers: names in the batch');
    const sure = [...seeds(1, 20, {}), ...seeds(1, 20, { players: 'gemma', ...lost })];
    expect(overviewMarkdown(reportOf(sure))).toContain(' | < 0.001 | −3.14 | < 0.001 | ');
    expect(new Set(lines.map((line) => line.split(/(?<!\\)\|/).length))).toEqual(new Set([12]));
  });

  test('compares regret where it was searched, in every form, and has it in the table of all scenarios', () => {
    const slow = (seed: number) => ({ regret: 0.5 + seed / 100, trajectory: `slow${seed}` });
    const runs = ['a', 'b'].flatMap((scenario) =>
      [1, 2, 3, 4, 5, 6, 7].flatMap((seed) => [
        run({ scenario, seed: String(seed), players: 'quick', regret: 0.1, trajectory: `quick${seed}` }),
        run({ scenario, seed: String(seed), players: 'slow', ...slow(seed) }),
      ]),
    );
    const report = reportOf(runs);
    const pair = report.overview.pairs.find(({ figure }) => figure === 'regret');
    expect(pair?.difference).toBeCloseTo(-0.44, 9);
    expect([
      pair?.verdict,
      pair?.pairs,
      report.overview.rows.map(({ regret }) => regret?.toFixed(2)),
    ]).toEqual(['one', 14, ['0.10', '0.54']]);
    expect(pair?.interval?.high).toBeLessThan(-0.4);
    const [cells, pairs] = ['0.54 |', '| regret: quick − slow | 2 | 14 | −0.44 ('];
    for (const words of [cells, pairs]) expect(overviewMarkdown(report)).toContain(words);
    expect(overviewLatex(report)).toContain('regret: quick $-$ slow & 14 & $-$0.44');
    expect(overviewLatex(report)).toMatch(/\\textbf\{0\.10\}/);
    expect(pageOf(report, null)).toContain('regret: quick − slow');
    // Not searched, it is no figure at all.
    expect(overviewMarkdown(reportOf(seeds(1, 3, {})))).not.toContain('regret');
  });

  test('has money only where tokens have a price', () => {
    const priced = [run({ cost: 0.5 }), run({ cost: 0.3, seed: '2', ...lost })];
    const [heads, , line] = overviewMarkdown(reportOf(priced)).split('\n');
    expect(heads).toMatch(/ tokens\/run \| tokens\/success \| cost\/run \| cost\/success \|$/);
    expect(line).toMatch(/ 1,100° \| 2,200° \| 0\.40° \| 0\.80° \|$/);
    const free = overviewMarkdown(reportOf([run({ cost: 0 })]));
    expect(free).not.toContain('cost');
    expect(free).toContain('tokens/success');
  });
});
