/** Runs gathered and compared: what counts as a run, what is summed, who is better; and the CSV and the page that show it. */
import { describe, expect, test } from 'vitest';
import { csvOf } from '../../src/report/csv.js';
import { overviewLatex } from '../../src/report/overview-latex.js';
import { overviewMarkdown } from '../../src/report/overview-markdown.js';
import { pageOf } from '../../src/report/page.js';
import { pairingText } from '../../src/report/pairing-text.js';
import { reportOf } from '../../src/report/report.js';
import { costColumn, estimateText, tokenCountText } from '../../src/report/figure-text.js';
import { waitsLegend, waitTexts, problemTexts } from '../../src/report/run-notes.js';
import type { RunMetrics } from '../../src/report/run-metrics.js';
import { RUN, run, seeds } from './figures.js';

describe('a cell', () => {
  test('counts success among the runs that came to an end, and sums over all', () => {
    const { cells } = reportOf([
      RUN,
      run({ status: 'failed', turns: 80 }),
      run({ status: 'ended' }),
      run({ status: 'interrupted', unread: { empty: 1, unparsable: 1 } }),
      run({ status: 'running', seconds: null }),
    ]);
    expect(cells).toHaveLength(1);
    expect(cells[0]).toMatchObject({
      runs: 3,
      open: 2,
      successes: 1,
      turns: { mean: 10, interval: null },
      steps: 150,
      unread: { empty: 1, unparsable: 9 },
      seconds: 240,
      cachedTokens: 2500,
      cacheToldTokens: 4000,
      cost: 2.5,
      costPerSuccess: 2.5,
      isTooSmall: true,
    });
    expect(cells[0]?.success?.share).toBeCloseTo(1 / 2);
  });

  test('that nothing could be won in has no success, and says nothing of how sure it is', () => {
    const { cells } = reportOf([run({ status: 'ended' }), run({ status: 'ended', players: 'gemma' })]);
    expect(cells[0]).toMatchObject({ runs: 1, successes: 0, success: null, isTooSmall: false });
    expect(reportOf([run({ status: 'ended' }), run({ status: 'ended', players: 'gemma' })]).pairings).toEqual(
      [],
    );
  });

  test('parts scenarios and players; without a success it has no price and no turns', () => {
    const { cells } = reportOf([run({ scenario: 'b' }), run({ players: 'gemma', status: 'failed' }), RUN]);
    expect(cells.map(({ scenario, players }) => `${scenario}/${players}`)).toEqual([
      'b/qwen',
      'crypt/gemma',
      'crypt/qwen',
    ]);
    expect(cells[1]).toMatchObject({ costPerSuccess: null, turns: null });
  });

  test('has no interval of turns where all took as many, and says of how many they are', () => {
    const words = (turns: readonly number[]) =>
      estimateText(
        reportOf(turns.map((one, i) => run({ turns: one, seed: String(i) }))).cells[0]?.turns ?? null,
      );
    expect(words([7, 7, 7, 7, 7, 7, 7, 7])).toBe('7 (all 8)');
    expect(words([7, 8, 8])).toBe('7.7 (n = 3)');
    expect(words([7])).toBe('7.0 (n = 1)');
    expect(words([7, 8, 9, 10, 11])).toMatch(/^9\.0 \(7\.\d–10\.\d\)$/);
  });

  test('is large enough once its interval is narrow', () => {
    expect(reportOf(seeds(1, 5, {})).cells[0]?.isTooSmall).toBe(true);
    expect(reportOf(seeds(1, 50, {})).cells[0]?.isTooSmall).toBe(false);
  });
});

describe('two players', () => {
  const gemma = { players: 'gemma' } as const;

  test('are compared on the seeds that both played to an end', () => {
    const [pairing] = reportOf([
      ...seeds(1, 4, { turns: 12 }),
      run({ seed: '5', status: 'failed' }),
      run({ seed: '9' }),
      ...seeds(1, 2, gemma),
      ...seeds(3, 5, { ...gemma, status: 'failed' }),
      run({ ...gemma, seed: '9', status: 'interrupted' }),
    ]).pairings;
    expect(pairing).toMatchObject({
      one: 'gemma',
      other: 'qwen',
      seeds: 5,
      both: 2,
      onlyOne: 0,
      onlyOther: 2,
      neither: 1,
      p: 0.5,
      turns: { mean: -2 },
      verdict: 'not significant',
    });
  });

  test('are told apart only where chance would hardly do it', () => {
    const against = (lost: number) =>
      reportOf([
        ...seeds(1, 20, {}),
        ...seeds(1, lost, { ...gemma, status: 'failed' }),
        ...seeds(lost + 1, 20, gemma),
      ]).pairings[0];
    expect(against(5)).toMatchObject({ verdict: 'not significant', p: 0.0625 });
    expect(against(6)).toMatchObject({ verdict: 'other', p: 0.03125 });
    expect([against(5), against(6)].map((pairing) => pairing && pairingText(pairing))).toEqual([
      'of 20 shared seeds, 0 won only by gemma, 5 only by qwen; p = 0.063, not significant',
      'of 20 shared seeds, 0 won only by gemma, 6 only by qwen; p = 0.031, qwen is better',
    ]);
  });

  test('are told how many seeds would decide only where enough pairs differ, and on how many this rests', () => {
    const [pairing] = reportOf([
      ...seeds(1, 20, {}).map((one, i) => (i < 4 ? { ...one, status: 'failed' as const } : one)),
      ...seeds(1, 12, gemma),
      ...seeds(13, 20, { ...gemma, status: 'failed' }),
    ]).pairings;
    expect(pairing && pairingText(pairing)).toMatch(
      /^of 20 shared seeds, 4 won only by gemma, 8 only by qwen; p = 0\.388, not significant \(about \d+ more seeds needed, if the 12 pairs that differ are typical\)$/,
    );
  });

  test('are not compared where nobody ever won, or everybody always did, and no test is counted for it', () => {
    const all = (scenario: string, status: 'failed' | 'succeeded') => [
      ...seeds(1, 9, { scenario, status }),
      ...seeds(1, 9, { ...gemma, scenario, status }),
    ];
    const told = [...seeds(1, 9, {}), ...seeds(1, 9, { ...gemma, status: 'failed' })];
    const report = reportOf([...all('hard', 'failed'), ...all('easy', 'succeeded'), ...told]);
    expect(report.pairings.map(({ scenario, p, corrected }) => [scenario, p, corrected])).toEqual([
      ['crypt', 2 ** -8, 2 ** -8],
      ['easy', null, null],
      ['hard', null, null],
    ]);
    expect(report.pairings.slice(1).map(pairingText)).toEqual([
      'gemma, qwen: nothing was compared: both always won',
      'gemma, qwen: nothing was compared: nobody ever won',
    ]);
    const floor = reportOf(all('hard', 'failed'));
    for (const table of [overviewMarkdown(floor), pageOf(floor)]) {
      expect(table).toContain('–§');
      expect(table).toContain('§ nothing was compared: nobody ever won');
      expect(table).not.toContain('1.000');
    }
    expect(overviewLatex(floor)).toContain('--$^\\S$');
  });

  test('of different scenarios, or without a common seed, are not compared', () => {
    expect(reportOf([RUN, run({ ...gemma, scenario: 'other' })]).pairings).toEqual([]);
    expect(reportOf([RUN, run({ ...gemma, seed: '2' })]).pairings).toEqual([]);
  });

  test('count the first of several runs of a seed', () => {
    const [pairing] = reportOf([RUN, run({ status: 'failed' }), run(gemma)]).pairings;
    expect(pairing).toMatchObject({ seeds: 1, both: 1 });
  });
});

test('a CSV has a line a run and a column a code; nothing in it acts on a terminal or is taken for a formula', () => {
  const [heads = '', first = '', second = ''] = csvOf(
    [
      run({ players: '\u001b[2J\t=cmd()', log: 'a,"b"\r\nc' }),
      run({ refused: { 'illegal/far': 2 }, seconds: null, waits: {}, untimely: { stale: 3 } }),
    ],
    [],
  ).split('\r\n');
  expect(heads).toMatch(
    /^log,run,scenario,.*,first_tries,.*,seconds,settings,reason,temperature,trajectory,return,ticks,ticks_late,overrun_ms,settle_ms,uncontrolled,regret,unknown_usage,unread:unparsable,refused:illegal\/far,refused:illegal\/locked,wait:unparsable,untimely:stale$/,
  );
  expect(first).toContain('"a,""b"" c",r,crypt,1,[2J =cmd(),succeeded');
  expect(csvOf([run({ players: '\u0007=cmd()' })], [])).toContain(",1,'=cmd(),succeeded");
  expect(first).toMatch(/,60,,the crown is safe,0,,,0,0,0,0,0,,0,2,0,1,1,0$/);
  expect(second).toMatch(/,,,the crown is safe,0,,,0,0,0,0,0,,0,2,2,0,0,3$/);
});

describe('the page', () => {
  test('draws success in its own colour, before every other way to end', () => {
    const ways = ['caught', 'out of turns', 'lost', 'a', 'b', 'c'].map((reason, i) =>
      run({ status: 'failed', reason, seed: String(i + 2) }),
    );
    const page = pageOf(reportOf([RUN, ...ways, ...seeds(9, 17, { status: 'failed', reason: 'caught' })]));
    const [, figure = ''] = page.split('How runs ended');
    const [legend = ''] = /<p class="legend">.*?<\/p>/.exec(figure) ?? [];
    expect([...legend.matchAll(/<i class="(\w+)"/g)].map(([, name]) => name)).toEqual([
      'won',
      'kind0',
      'kind1',
      'kind2',
      'kind3',
      'kind4',
      'kind5',
    ]);
    expect(legend).toContain('succeeded: the crown is safe');
    expect(legend).toContain('failed: caught');
    expect(/<rect class="won" x="0.00%"[^>]* width="6.25%"/.test(figure)).toBe(true);
    expect(legend.indexOf('crown')).toBeLessThan(legend.indexOf('caught'));
  });

  const evil = '</text></svg><script>alert(1)</script>&"\'';

  /** Of two scenarios there is a table of both: a head and two players. */
  const OVERVIEW_LINES = 3;

  test('holds every figure as text, and nothing of a name acts in it', () => {
    const page = pageOf(
      reportOf([...seeds(1, 20, { players: evil, scenario: evil, log: evil }), ...seeds(1, 20, {})]),
    );
    expect(page).not.toContain('<script');
    expect(page).toContain('&lt;/text&gt;&lt;/svg&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#39;');
    expect(page).toContain("default-src 'none'");
    expect(page).toContain('100 % (84–100) · 20p');
    expect(page).toContain(
      '<li>qwen: not understood: unparsable 40 · refused: illegal/locked 20 · 20 forced WAITs: unparsable 20</li>',
    );
    expect(page).toContain('<th scope="col">time</th>');
    expect(page).toContain('<td>20 min 0 s</td>');
    expect(page.match(/<figure>/g)).toHaveLength(6);
    expect(page.match(/<tr>/g)?.length).toBe(2 + 2 + 41 + OVERVIEW_LINES);
  });

  test('says so where nothing ended, and draws no plot of nothing', () => {
    const page = pageOf(
      reportOf([run({ status: 'running', unread: {}, refused: {}, standIns: 0, repeated: 0 })]),
    );
    expect(page).toContain('0 finished runs, 1 unfinished');
    expect(page).not.toContain('<svg');
  });

  test('tells each name whole, as text and as title, however long it is', () => {
    const long = `${'checkpoints/'.repeat(12)}merged`;
    const page = pageOf(reportOf([run({ players: long }), RUN]));
    expect(page.split(`<span class="name" title="${long}">${long}</span>`)).toHaveLength(4);
    expect(page).not.toMatch(/<text|…/);
  });

  test('hides bars alone from who has the page read to them: names and figures are text', () => {
    const page = pageOf(reportOf(seeds(1, 20, {})));
    expect(page).not.toMatch(/<svg(?! aria-hidden="true">)/);
    expect(page).toContain('<span class="words">100 % (84–100) · 20p</span>');
  });

  test('counts players, not their settings, and says how many of those there are', () => {
    const set = (settings: string) => [run({ settings }), run({ settings, players: 'gemma' })];
    const lead = (runs: readonly RunMetrics[]) => /by \d[^.]*\./.exec(pageOf(reportOf(runs)))?.[0];
    expect(lead([...set('turns.max=30'), ...set('turns.max=40'), ...set('turns.max=50')])).toBe(
      'by 2 players in 3 settings.',
    );
    const [apart, elsewhere] = [set('a=1').concat(set('a=2')), run({ scenario: 'other' })];
    expect(lead([...apart, elsewhere])).toBe('by 2 players in 2 settings.');
    expect(lead(set(''))).toBe('by 2 players.');
  });

  test('breaks words in a table and no figures, so that it keeps to its page', () => {
    const page = pageOf(reportOf([RUN]));
    expect(page).toContain('<th scope="row" class="text">qwen</th><td>0</td><td>1p</td>');
    expect(page).toContain('<td class="text">qwen</td><td class="text">succeeded</td><td>1</td><td>10</td>');
    expect(page).toContain('<th scope="col">steps of agents</th>');
  });

  test('is the same each time', () => {
    const runs = [...seeds(1, 9, {}), ...seeds(1, 9, { players: 'gemma', turns: 7 })];
    expect(pageOf(reportOf(runs))).toBe(pageOf(reportOf(runs)));
  });
});

test('a problem that is called as something that every object has is counted like others', () => {
  const [, first = '', second = ''] = csvOf(
    [
      run({ unread: { constructor: 2 }, refused: {}, waits: {} }),
      run({ unread: {}, refused: {}, waits: {} }),
    ],
    [],
  ).split('\r\n');
  expect([first.split(',').at(-1), second.split(',').at(-1)]).toEqual(['2', '0']);
});

test('a column of money has as many decimals as its least amount needs, in all lines alike', () => {
  expect(costColumn([0.02, 0.01, 0.006292, null, 0])).toEqual(['0.0200', '0.0100', '0.0063', '–', '–']);
  expect(costColumn([12.5, 3])).toEqual(['12.50', '3.00']);
  expect(costColumn([1, 0.000_012_3])).toEqual(['1.000000', '0.000012']);
  expect(costColumn([null, 0])).toEqual(['–', '–']);
});

test('thousands are set apart wherever something is counted', () => {
  expect([999, 1000, 12_345, 9_999_999].map(tokenCountText)).toEqual(['999', '1,000', '12k', '10,000k']);
  const counts = { unanswered: { 'server-error': 2 }, unread: { unparsable: 12_345 }, refused: {} };
  expect(problemTexts(counts)).toEqual(['no answer: server-error 2', 'not understood: unparsable 12,345']);
});

test('forced WAITs and untimely intents are told by reason, the most frequent first, and explained if a run was served', () => {
  const served = {
    ticks: 9,
    standIns: 8,
    waits: { late: 2, missing: 5, unparsable: 1 },
    untimely: { late: 2 },
    agents: [{ standInsRefused: 0 }, { standInsRefused: 0 }],
  };
  expect(waitTexts(served)).toEqual([
    '8 forced WAITs: missing 5, late 2, unparsable 1',
    'untimely intents: late 2',
  ]);
  expect(waitTexts({ standIns: 0, waits: {}, untimely: {}, agents: [] })).toEqual([]);
  expect(waitsLegend([{ ...served, ticks: 0 }, served])).toContain('one came after its time (late)');
  expect(waitsLegend([{ ...served, ticks: 0 }])).toBe('');
  expect(waitsLegend([{ ticks: 9, standIns: 0, waits: {}, untimely: {}, agents: [] }])).toBe('');
});
