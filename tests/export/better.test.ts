/** Which of two answers is better: certain regret before anything else, then outcomes of enough runs, then what the answer itself came to. */
import { describe, expect, it } from 'vitest';
import { compareAnswers, rolloutsOf } from '../../src/export/better.js';
import type { StepCost } from '../../src/export/costs.js';
import type { ExportSample } from '../../src/export/sample.js';

function answer(cost: Partial<StepCost> | null, ok = true): ExportSample {
  return { cost, result: { ok, code: null, message: '' } } as unknown as ExportSample;
}

function ended(...runs: readonly (readonly [string, number])[]) {
  return rolloutsOf(runs.map(([status, turns]) => ({ status, turns, reason: '', steps: 0 })));
}

const exact = (regret: number) => answer({ regret, regretKind: 'exact' });
const WON = ended(['succeeded', 9], ['succeeded', 9], ['succeeded', 9]);
const LOST = ended(['failed', 9], ['failed', 9], ['failed', 9]);
const UNKNOWN = answer(null);

describe('of two answers', () => {
  it('the one that cost less is better, however the runs ended', () => {
    expect(compareAnswers([exact(0), LOST], [exact(2), WON], 1)).toEqual({ reason: 'regret', isFirst: true });
    expect(compareAnswers([exact(2), WON], [exact(0), LOST], 1)).toEqual({
      reason: 'regret',
      isFirst: false,
    });
    expect(compareAnswers([exact(1), WON], [exact(1), LOST], 1)).toBeNull();
  });

  it('one that lost success for good is worse than any other', () => {
    const fatal = answer({ regret: null, regretKind: 'fatal' });
    expect(compareAnswers([fatal, WON], [exact(30), LOST], 1)).toEqual({ reason: 'regret', isFirst: false });
    expect(compareAnswers([fatal, WON], [fatal, LOST], 1)).toBeNull();
  });

  it('an estimate decides nothing, nor does what is known of one alone', () => {
    const guess = (regret: number) => answer({ regret, regretKind: 'estimate' });
    expect(compareAnswers([guess(0), LOST], [guess(2), WON], 3)).toEqual({
      reason: 'outcome',
      isFirst: false,
    });
    expect(compareAnswers([exact(0), LOST], [UNKNOWN, WON], 3)).toEqual({
      reason: 'outcome',
      isFirst: false,
    });
  });

  it('outcomes count where enough runs ended with each', () => {
    const twice = ended(['succeeded', 9], ['succeeded', 9], ['running', 9]);
    expect(compareAnswers([UNKNOWN, WON], [UNKNOWN, LOST], 3)).toEqual({ reason: 'outcome', isFirst: true });
    expect(compareAnswers([UNKNOWN, twice], [UNKNOWN, LOST], 3)).toBeNull();
    expect(compareAnswers([UNKNOWN, twice], [UNKNOWN, LOST], 2)).toEqual({
      reason: 'outcome',
      isFirst: true,
    });
    // Two of three against two of four.
    const more = ended(['succeeded', 1], ['succeeded', 1], ['failed', 1]);
    const fewer = ended(['succeeded', 1], ['succeeded', 1], ['failed', 1], ['failed', 1]);
    expect(compareAnswers([UNKNOWN, fewer], [UNKNOWN, more], 3)).toEqual({
      reason: 'outcome',
      isFirst: false,
    });
  });

  it('of those that always win the sooner one is better, in the mean', () => {
    const sooner = ended(['succeeded', 9], ['succeeded', 9], ['succeeded', 8]);
    expect(compareAnswers([UNKNOWN, WON], [UNKNOWN, sooner], 3)).toEqual({ reason: 'turns', isFirst: false });
    const later = ended(['failed', 20], ['succeeded', 1], ['succeeded', 1]);
    const soonerLost = ended(['failed', 2], ['succeeded', 1], ['succeeded', 1]);
    expect(compareAnswers([UNKNOWN, later], [UNKNOWN, soonerLost], 3)).toBeNull();
  });

  it('one that did what it asked for is better than one that did not, where nothing else is known', () => {
    const refused = answer(null, false);
    const one = ended(['succeeded', 9]);
    expect(compareAnswers([refused, one], [UNKNOWN, one], 3)).toEqual({ reason: 'result', isFirst: false });
    expect(compareAnswers([refused, ended(['error', 9])], [UNKNOWN, one], 3)).toBeNull();
  });
});
