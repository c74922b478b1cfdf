/** What `report --funnel` makes of runs: each figure over its own runs, questions and steps, by hand. */
import { describe, expect, it } from 'vitest';
import { funnelTotals } from '../../src/report/funnel.js';
import type { FunnelTotal } from '../../src/report/funnel.js';
import { funnelCsv, funnelTable } from '../../src/report/funnel-table.js';
import type { DecidedSeat, SeenKind } from '../../src/report/seat-funnel.js';
import { run } from './figures.js';

const seat = (over: Partial<DecidedSeat>): DecidedSeat => ({
  agent: 'ann',
  needed: 1,
  reached: { turn: 3, step: 5 },
  seen: [],
  unpaired: 0,
  answered: { asked: 4, lost: 0, tiers: { label: 4 }, problems: {}, refused: {}, forcedWaits: 0 },
  decisions: [],
  decided: null,
  ...over,
});
const of = (seed: string, over: Partial<DecidedSeat>, change = {}) => ({
  run: run({ seed, trajectory: seed, ...change }),
  seats: [seat(over)],
});
const kind = (name: SeenKind['kind'], asked: number, right: number, greyRight: number): SeenKind => ({
  kind: name,
  asked,
  right,
  greyRight,
});

describe('over runs', () => {
  it('seen gives every kind the same weight and leaves out what a grey picture gets', () => {
    const [one] = funnelTotals([
      of('1', { seen: [kind('side', 6, 6, 3), kind('count', 2, 1, 0)] }),
      of('2', { seen: [kind('side', 4, 2, 1)], unpaired: 2 }),
    ]);
    // (mean(8/10, 1/2) - mean(4/10, 0)) / (1 - mean(4/10, 0))
    expect(one?.seen?.share).toBeCloseTo((0.65 - 0.2) / 0.8, 12);
    expect(one?.seen).toMatchObject({ interval: null, questions: 12 });
    expect(one?.unpaired).toBe(2);
    const guessed = funnelTotals([of('1', { seen: [kind('holds', 3, 3, 3)] })]);
    expect(guessed[0]?.seen).toMatchObject({ share: null, questions: 3 });
  });

  it('reached is a share of runs and a median of those in which it happened', () => {
    const turns = [9, null, 3, 4, 12];
    const [one] = funnelTotals(
      turns.map((turn, i) => of(String(i), { reached: turn === null ? null : { turn, step: 1 } })),
    );
    expect(one?.reached).toMatchObject({ share: 4 / 5, runs: 4, medianTurn: 4 });
    expect(one?.reached?.interval?.low).toBeCloseTo(0.3755, 3);
  });

  it('answered is a share of steps, whose interval resamples runs', () => {
    const answers = (asked: number, read: number) => ({
      answered: {
        ...seat({}).answered,
        asked,
        tiers: { label: read },
        problems: { unparsable: asked - read },
      },
    });
    const [one] = funnelTotals([10, 0, 10, 0, 10, 0].map((read, i) => of(String(i), answers(10, read))));
    expect(one?.answered).toMatchObject({ share: 0.5, asked: 60, problems: { unparsable: 30 } });
    // Of 60 independent steps, it would be 38 to 62 %.
    expect(one?.answered?.interval?.low).toBeLessThan(0.2);
  });

  it('turns lost are means over runs of what is known, and nothing is known of the rest', () => {
    const decided = (lost: number, estimated: number, sightedLost: number, undecided: number) => ({
      decided: {
        informed: { steps: 5, exact: 2, estimated, lost },
        sighted: { steps: 9, played: 4, undecided, lost: sightedLost },
      },
    });
    const [one] = funnelTotals([of('1', decided(2, 2, 3, 1)), of('2', decided(3, 0, 0, 4))]);
    expect(one?.decided?.informed?.mean).toBe((2 / 4 + 3 / 2) / 2);
    expect(one?.decided?.sighted).toMatchObject({ mean: 1, of: 1 });
    expect(one?.decided?.counts).toEqual({
      informed: { steps: 10, exact: 4, estimated: 2, lost: 5 },
      sighted: { steps: 18, played: 8, undecided: 5, lost: 3 },
    });
  });

  it('says once what is true of several rows, and what was left out', () => {
    const rows = funnelTotals([
      of('1', { needed: 0, seen: [kind('side', 2, 2, 0)], unpaired: 1 }),
      of('1', { needed: 0, unpaired: 3 }, { players: 'gemma', startedAt: 1 }),
      of('1', { needed: 0 }, { players: 'smol', startedAt: 2 }),
    ]);
    const read = 'first replies read: label 4; not read: none; refused: none.';
    const { notes = [] } = funnelTable(rows.slice(0, 2));
    expect(notes).toEqual([
      'each: reached is not known: the scenario names no facts that it needs (measures.facts).',
      'qwen: right: side 2 of 2, grey 0.',
      'qwen: seen leaves out 1 question without an answer to a grey picture (probes.grey).',
      `each: ${read}`,
      'gemma: seen is not known: 3 questions without an answer to a grey picture (probes.grey).',
    ]);
    const more = funnelTable([...rows, ...funnelTotals([of('1', {}, { players: 'oak' })])]).notes;
    expect(more).toContain(
      'qwen; gemma; smol (each): reached is not known: the scenario names no facts that it needs (measures.facts).',
    );
    expect(more).toContain('smol; oak (each): seen is not known: no questions were asked (probes).');
  });

  it('shows a mean that all runs share with two decimals, and gives CSV the same columns with and without it', () => {
    const lost = { informed: { steps: 3, exact: 3, estimated: 0, lost: 2 }, sighted: null };
    const seats = ['1', '2'].map((seed) => of(seed, { decided: lost }));
    const searched = funnelTotals(seats);
    const { columns, rows } = funnelTable(searched);
    const text = (head: string) => columns.find((one) => one.head === head)?.of(rows[0] as FunnelTotal);
    expect(text('lost, informed')).toBe('0.67 (all 2)');
    expect(text('lost to sighted')).toBe('–');
    const [heads = '', line = ''] = funnelCsv(searched).split('\r\n');
    expect(funnelCsv(funnelTotals([of('1', {})])).split('\r\n')[0]).toBe(heads);
    const fields = Object.fromEntries(heads.split(',').map((head, i) => [head, line.split(',')[i]]));
    expect(fields).toMatchObject({ informed_steps: '6', informed_lost: '4', sighted_steps: '' });
  });

  it('a copied run counts once, an unfinished one not at all, and each player and scenario has a row', () => {
    const totals = funnelTotals([
      of('1', {}),
      of('1', {}, { log: 'copy.sqlite' }),
      of('2', {}, { status: 'interrupted' }),
      of('1', {}, { players: 'gemma', startedAt: 1 }),
      of('1', {}, { scenario: 'find' }),
    ]);
    expect(totals.map(({ scenario, players, runs }) => [scenario, players, runs])).toEqual([
      ['crypt', 'qwen', 1],
      ['crypt', 'gemma', 1],
      ['find', 'qwen', 1],
    ]);
    const { columns, rows } = funnelTable(totals);
    expect(rows.map(({ players }) => players)).toEqual(['crypt · qwen', 'crypt · gemma', 'find · qwen']);
    expect(columns.map(({ head }) => head)).not.toContain('lost to sighted');
  });
});
