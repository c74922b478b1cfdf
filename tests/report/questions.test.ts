/** What `report --questions` counts: by kind, beside one answer to all, and `unknown` where it is and is not the answer. */
import { describe, expect, it } from 'vitest';
import { textTable } from '../../src/report/figure-table.js';
import { questionsTable, questionTotals } from '../../src/report/questions.js';
import type { AskedQuestion } from '../../src/report/questions.js';
import { run } from './figures.js';

function asked(kind: AskedQuestion['kind'], expected: string, answer: string): AskedQuestion {
  const options = kind === 'count' ? null : ['floor', 'wall', 'unknown'];
  const verdict = answer === expected ? 'right' : answer === 'mumble' ? 'unreadable' : 'wrong';
  return { kind, options, expected, answer, verdict };
}

const FIRST = [
  asked('tile', 'floor', 'floor'),
  asked('tile', 'floor', 'unknown'),
  asked('tile', 'wall', 'floor'),
  asked('unknowable', 'unknown', 'unknown'),
  asked('unknowable', 'unknown', 'wall'),
];
const SECOND = [asked('tile', 'floor', 'mumble'), asked('count', '2', '2')];

describe('questions by kind', () => {
  const totals = questionTotals([
    { run: run({ seed: '1', trajectory: 'a' }), questions: FIRST },
    { run: run({ seed: '2', trajectory: 'b' }), questions: SECOND },
    { run: run({ seed: '1', players: 'gemma', trajectory: 'c', startedAt: 1 }), questions: SECOND },
    { run: run({ seed: '3', players: 'random', trajectory: 'd' }), questions: [] },
  ]);

  it('are counted for each player over its runs', () => {
    expect(totals.map(({ players }) => players)).toEqual(['qwen', 'gemma']);
    expect(totals[0]?.kinds).toEqual([
      { kind: 'tile', asked: 4, right: 1, unreadable: 1, oneAnswer: 3 },
      { kind: 'unknowable', asked: 2, right: 1, unreadable: 0, oneAnswer: 2 },
      { kind: 'count', asked: 1, right: 1, unreadable: 0, oneAnswer: 1 },
    ]);
  });

  it('come in the order of the batch, whichever of its runs began first', () => {
    const runs = ['gemma', 'qwen'].map((players, i) => run({ run: players, players, startedAt: 9 - i }));
    const planned = runs.map((one) => ({ ...one, switches: {}, models: [] }));
    const read = runs.map((one) => ({ run: one, questions: FIRST }));
    const ordered = questionTotals(read.toReversed(), [{ title: '', plan: '', runs: planned }]);
    expect(ordered.map(({ players }) => players)).toEqual(['gemma', 'qwen']);
  });

  it('tell where a player says that it can’t know: a number has no such option', () => {
    expect(totals[0]?.unknown).toEqual({ unknowable: 2, admitted: 1, knowable: 4, denied: 1 });
  });

  it('have a row for all kinds', () => {
    const { lines, below } = textTable(questionsTable(totals));
    expect(lines.filter(([name]) => name?.startsWith('qwen'))).toEqual([
      ['qwen · tile', '4', '25 % (5–70)', '75 %', '25 %'],
      ['qwen · unknowable', '2', '50 % (9–91)', '100 %', '0 %'],
      ['qwen · count', '1', '100 % (21–100)', '100 %', '0 %'],
      ['qwen · all', '7', '43 % (16–75)', '86 %', '14 %'],
    ]);
    expect(below[0]).toBe(
      'qwen: answered "unknown" to 50 % of the 2 questions whose answer it can\'t know, and to 25 % of the 4 others that have this option.',
    );
  });

  it('count once if a run repeats another, and twice if only its steps are alike', () => {
    const same = { trajectory: 'a', seed: '1' };
    const [only] = questionTotals([
      { run: run({ ...same, run: 'r1' }), questions: FIRST },
      { run: run({ ...same, run: 'r2' }), questions: FIRST },
      { run: run({ ...same, run: 'r3', seed: '2' }), questions: SECOND },
    ]);
    expect(only?.kinds[0]).toMatchObject({ kind: 'tile', asked: 4 });
  });
});
