/** Runs that were lost: every output tells how many, and no figure is made of the survivors alone. */
import { describe, expect, test } from 'vitest';
import { csvOf } from '../../src/report/csv.js';
import { overviewLatex } from '../../src/report/overview-latex.js';
import { overviewMarkdown } from '../../src/report/overview-markdown.js';
import { pageOf } from '../../src/report/page.js';
import { plotPdf } from '../../src/report/plot-pdf.js';
import { plotSheets } from '../../src/report/plot-sheet.js';
import { plotSvg } from '../../src/report/plot-svg.js';
import { reportOf } from '../../src/report/report.js';
import type { RunMetrics } from '../../src/report/run-metrics.js';
import { run, seeds } from './figures.js';

const lost: Partial<RunMetrics> = { status: 'failed', reason: 'caught' };

/** Three scenarios and five seeds for each of three players, as the batch planned them. */
const planned = ['a', 'b', 'c'].flatMap((scenario) =>
  ['whole', 'lossy', 'dead'].flatMap((players) =>
    ['1', '2', '3', '4', '5'].map((seed) => ({
      run: `${scenario}-${players}-${seed}`,
      scenario,
      players,
      switches: {},
      models: [],
      seed,
    })),
  ),
);
const batch = { title: 'Who wins?', plan: 'f00d'.repeat(16), runs: planned };
const played = (scenario: string, players: string, seed: string, change: Partial<RunMetrics> = {}) =>
  run({
    run: `${scenario}-${players}-${seed}`,
    scenario,
    players,
    seed,
    trajectory: `${scenario}${seed}`,
    ...change,
  });

const runs = [
  ...planned
    .filter(({ players }) => players === 'whole')
    .map(({ scenario, players, seed }) => played(scenario, players, seed, seed === '1' ? lost : {})),
  played('a', 'lossy', '1', { cost: 0.2 }),
  played('b', 'lossy', '1', { cost: 0.2 }),
  played('c', 'lossy', '1', { status: 'error', reason: 'the server failed', cost: 0.6 }),
];
const report = reportOf(runs, [batch]);

describe('runs that were lost', () => {
  test('are counted by the plan of the batch, also of a player that never began', () => {
    const { rows, shared } = report.overview;
    expect(
      rows.map(({ players, counts, isComplete }) => [players, Object.values(counts), isComplete]),
    ).toEqual([
      ['lossy', [2, 0, 1, 12, 0], false],
      ['whole', [15, 0, 0, 0, 0], true],
      ['dead', [0, 0, 0, 15, 0], false],
    ]);
    // Whoever has no result at all takes no scenario from the others' mean.
    expect(shared).toEqual(['a', 'b']);
    expect(report.notPlayed).toHaveLength(27);
    expect(report.notPlayed.every(({ run: id }) => id !== null)).toBe(true);
  });

  test.each(['server-error', 'no-choice', 'filtered'])('turns that were lost by %s are told, too', (code) => {
    const harmed = reportOf([run({ waits: { [code]: 1 } }), run({ seed: '2', trajectory: 'x' })]);
    const [row] = harmed.overview.rows;
    expect(row).toMatchObject({ counts: { played: 2, harmed: 1 }, isComplete: false });
    expect(overviewMarkdown(harmed)).toContain('2p 1s');
    expect(pageOf(harmed)).toContain('2p 1s');
    const own = reportOf([run({ waits: { 'refused-by-model': 1, unparsable: 2 } })]);
    expect(own.overview.rows[0]?.counts.harmed).toBe(0);
  });

  test('turns lost to a server stand beside every comparison that they may have decided', () => {
    const slow = { players: 'slow', turns: 20, steps: 29, waits: { 'server-error': 1 }, standIns: 2 };
    const all = ['1', '2', '3', '4', '5', '6', '7', '8'].flatMap((seed) => [
      run({ players: 'quick', seed, run: `q${seed}`, trajectory: `q${seed}` }),
      run({ ...slow, seed, run: `s${seed}`, trajectory: `s${seed}` }),
    ]);
    const harmed = reportOf(all);
    const pair = harmed.overview.pairs.find(({ figure }) => figure === 'turns');
    expect(pair).toMatchObject({ pairs: 8, harmed: [0, 8], verdict: 'one' });
    expect(harmed.pairings).toMatchObject([{ harmed: [0, 8] }]);
    const words = 'quick wins in fewer turns, but slow lost turns to its server in 8 runs';
    expect(overviewMarkdown(harmed)).toContain('| 8 (0s − 8s) |');
    expect(overviewMarkdown(harmed)).toContain(words);
    expect(pageOf(harmed)).toContain(words);
    expect(overviewLatex(harmed)).toContain('8 (0s $-$ 8s)');
    // Whoever was slow without such turns was slow itself.
    const own = overviewMarkdown(reportOf(all.map((one) => ({ ...one, waits: {} }))));
    expect(own).toMatch(/quick wins in fewer turns \|/);
    expect(own).not.toContain('8s');
  });

  test('a turn lost to a server is a turn: its seed is not decided before the first one', () => {
    const lostTurn = { ...lost, turns: 1, steps: 0, waits: { 'server-error': 1 } };
    expect(reportOf([run(lostTurn)]).overview.decidedAtStart).toEqual([]);
    const early = reportOf([run({ ...lost, turns: 0, steps: 0 })]);
    expect(early.overview.decidedAtStart).toEqual([{ scenario: 'crypt', seeds: ['1'] }]);
  });

  test('a mean over too few runs is marked in every table and plot, and never the best', () => {
    const few = ['a', 'b', 'c'].map((scenario) => run({ scenario, trajectory: scenario, players: 'few' }));
    const others = ['a', 'b', 'c'].flatMap((scenario) =>
      ['1', '2', '3', '4', '5'].map((seed) =>
        run({
          ...(seed === '1' ? lost : {}),
          scenario,
          seed,
          players: 'many',
          trajectory: seed,
          promptTokens: 9000,
        }),
      ),
    );
    const table = reportOf([...few, ...others]);
    expect(table.overview.rows.map(({ isMeanTooSmall }) => isMeanTooSmall)).toEqual([true, false]);
    const markdown = overviewMarkdown(table);
    expect(markdown).toContain('100 %° (3p');
    expect(markdown).toContain('| 1,100° ');
    expect(markdown).toContain('| 9,100 ');
    expect(markdown).toContain('Of an amount: fewer than 5 runs played to the end.');
    const latex = overviewLatex(table);
    expect(latex).toMatch(/1\.1\$\^\\circ\$/);
    expect(latex).not.toMatch(/textbf\{1\.1/);
    expect(JSON.stringify(plotSheets(table)[0])).toContain('100 % (too few runs)');
  });

  test('are told what they could change: the mean if none of them had been won', () => {
    const lossy = report.overview.rows.find(({ players }) => players === 'lossy');
    // One of five in each of the two scenarios that count.
    expect([lossy?.mean, lossy?.leastMean]).toEqual([1, 0.2]);
  });

  test('count once in the price of a success, in a cell and in a row alike', () => {
    const lossy = report.overview.rows.find(({ players }) => players === 'lossy');
    // 0.2 + 0.2 + 0.6 for two successes; a run that finished costs 0.2.
    expect(lossy).toMatchObject({ costPerSuccess: 0.5, costPerRun: 0.2 });
    const one = reportOf([run({}), run({ seed: '2', status: 'error', cost: 1.5 })]);
    expect(one.cells[0]?.costPerSuccess).toBe(2);
    expect(one.overview.rows[0]?.costPerSuccess).toBe(2);
  });

  const outputs: Readonly<Record<string, string>> = {
    Markdown: overviewMarkdown(report),
    page: pageOf(report),
    SVG: plotSvg(plotSheets(report)[0] ?? { name: '', width: 0, height: 0, marks: [] }),
    PDF: plotPdf(plotSheets(report)[0] ?? { name: '', width: 0, height: 0, marks: [] }).toString('latin1'),
  };
  test.each(Object.entries(outputs))('are in the %s, beside what is left of them', (_, text) => {
    for (const counts of ['1p 4n', '0p 1u 4n', '0p 5n', '2p 1u 12n', '5p']) expect(text).toContain(counts);
    expect(text).toContain('u: unfinished');
    expect(text).toContain('Who wins?');
    expect(text).toContain('f00df00df00d');
    expect(text).toContain('Qwen/Qwen3-VL');
    expect(text).toContain('1.2.3');
  });

  test('are counted beside the pairs that are left for a comparison', () => {
    const pair = report.overview.pairs.find(({ figure }) => figure === 'success');
    // Of 15 seeds, both have a result on one of a and one of b.
    expect(pair).toMatchObject({ one: 'lossy', other: 'whole', pairs: 2, lost: 13 });
    for (const table of [overviewMarkdown(report), overviewLatex(report), pageOf(report)]) {
      expect(table).toMatch(/2[^ ]* \(13 lost\)/);
      expect(table).toContain('lost: seeds that one of the two did not play to the end, or not at all');
    }
    expect(overviewMarkdown(reportOf([run({}), run({ players: 'b' })]))).not.toContain('lost: seeds');
  });

  test('leave every figure of a plot defined below it', () => {
    const [all, first] = plotSheets(report).map((sheet) => plotSvg(sheet).replaceAll(/<[^>]*>|\s/g, ''));
    for (const words of ['success:theshareoftheruns', 'toofewruns:the95%interval', 'mean:ofthescenarios'])
      expect(all).toContain(words);
    expect(first).toContain('turnstowin:themeanofthesuccessfulruns');
  });

  test('have a line each in the CSV', () => {
    const lines = csvOf(report.runs, report.notPlayed).split('\r\n');
    expect(lines.filter((line) => line.includes(',not-played,'))).toHaveLength(27);
    expect(lines).toContainEqual(expect.stringMatching(/^,a-dead-1,a,1,dead,not-played,,/));
    expect(new Set(lines.slice(0, -1).map((line) => line.split(',').length)).size).toBe(1);
  });
});

describe('requests that failed', () => {
  const failed = (scenario: string, times: number) =>
    run({ scenario, unanswered: { 'server-error': times, 'refused-by-model': 5 }, unknownUsage: times });
  const harmless = reportOf([failed('a', 2), failed('b', 1), run({ scenario: 'c' })]);

  test('are counted in every output, by scenario, also where no turn was lost', () => {
    const words = 'qwen: 3 of 99 requests got no answer from the server (a 2, b 1).';
    for (const table of [overviewMarkdown(harmless), overviewLatex(harmless), pageOf(harmless)])
      expect(table).toContain(words);
    expect(harmless.overview.rows[0]?.cells.map(({ failedRequests }) => failedRequests)).toEqual([2, 1, 0]);
    expect(harmless.overview.rows[0]?.counts.harmed).toBe(0);
    expect(overviewMarkdown(reportOf([run({})]))).not.toContain('no answer from the server');
  });

  test('leave tokens and costs that are at least so much, and never the best', () => {
    expect(overviewMarkdown(harmless)).toContain('| ≥ 1,100° | ≥ 1,100° | ≥ 0.50° | ≥ 0.50° |');
    expect(overviewMarkdown(harmless)).toContain('≥ at least: the tokens of requests without an answer');
    expect(pageOf(harmless)).toContain('<td>≥ 1,100°</td>');
    const dear = seeds(1, 5, { players: 'dear', cost: 9, promptTokens: 5000 });
    const latex = overviewLatex(reportOf([...seeds(1, 5, failed('crypt', 1)), ...dear]));
    expect(latex).toMatch(/qwen & .*\$\\geq\$ 1\.10 & \$\\geq\$ 1\.10/);
    expect(latex).not.toMatch(/textbf\{\$/);
    expect(latex).toContain('or are at least so much ($\\geq$).');
  });
});

test('columns in which nobody has anything are in no table for a paper, and no head of them is explained', () => {
  const bare = { temperature: '', promptTokens: 0, replyTokens: 0, cost: 0 };
  const report = reportOf(['x', 'y'].map((players) => run({ ...bare, ...lost, players, seed: '1' })));
  for (const table of [overviewMarkdown(report), overviewLatex(report)]) {
    expect(table).not.toMatch(/\bT\b|tokens\/|cost|Holm\)/);
    expect(table).toContain('difference');
  }
  expect(overviewMarkdown(reportOf([run({}), run({ ...lost, seed: '2' })]))).toContain('| T | runs |');
});

test('a limit that is printed as 0 tells whether it excludes 0', () => {
  const tries = (players: string, accepted: (seed: number) => number) =>
    Array.from({ length: 8 }, (_, i) =>
      run({ players, seed: `${i}`, steps: 10_000, firstTries: accepted(i), trajectory: `${players}${i}` }),
    );
  const line = (base: number): string =>
    overviewMarkdown(reportOf([...tries('a', (i) => base + (i % 4)), ...tries('b', () => 5000)]))
      .split('\n')
      .find((one) => one.startsWith('| first try')) ?? '';
  expect(line(5001)).toContain('| 0 pp (> 0 to > 0) | 0.008 |');
  expect(line(4999)).toContain('| 0 pp (0 to 0) |');
});

describe('winning faster', () => {
  const fast = (seed: number) => 9 + (seed % 3);
  const slow = (seed: number) => 18 + (seed % 4);
  const of = (players: string, turns: (seed: number) => number) =>
    Array.from({ length: 10 }, (_, i) =>
      run({ players, seed: String(i), turns: turns(i), trajectory: `${players}${i}` }),
    );
  const { overview } = reportOf([...of('fast', fast), ...of('slow', slow)]);

  test('is compared on the seeds that both won, and corrected with everything in the table', () => {
    const [success, turns] = ['success', 'turns'].map((name) =>
      overview.pairs.find(({ figure }) => figure === name),
    );
    expect(success).toMatchObject({ difference: 0, isAlike: true, verdict: 'no test' });
    // All ten differ in one direction: 2 of 2^10 ways; nothing else differs, so nothing else is tested.
    expect(turns?.p).toBeCloseTo(2 ** -9, 12);
    expect(turns?.corrected).toBeCloseTo(2 ** -9, 12);
    expect(turns).toMatchObject({ one: 'fast', other: 'slow', verdict: 'one', pairs: 10 });
    // Means of 9.9 and 19.3.
    expect(turns?.difference).toBeCloseTo(-9.4, 9);
    expect(turns?.interval?.high).toBeLessThan(0);
  });

  test('is in every table', () => {
    const report2 = reportOf([...of('fast', fast), ...of('slow', slow)]);
    expect(overviewMarkdown(report2)).toMatch(
      /\| turns: fast − slow \| 1 \| 10 \| −9\.4 \(−\d+\.\d to −\d+\.\d\) \| 0\.002 \| – \| 0\.002 \| fast wins in fewer turns \|/,
    );
    expect(pageOf(report2)).toContain('fast wins in fewer turns');
  });

  test('multiplies what is tested by how much is shown', () => {
    const tokens = (base: number) => (one: RunMetrics, i: number) => ({ ...one, promptTokens: base + i * 7 });
    const two = reportOf([...of('fast', fast).map(tokens(100)), ...of('slow', slow).map(tokens(900))]);
    const tested = two.overview.pairs.filter(({ isAlike }) => !isAlike);
    expect(tested.map(({ figure }) => figure)).toEqual(['turns', 'tokens']);
    expect(tested.map(({ corrected }) => corrected)).toEqual([2 ** -8, 2 ** -8]);
  });
});
