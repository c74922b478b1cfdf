/**
 * The figures in which two players are compared on the same seeds, each once: how it follows from a run, how
 * a difference is printed, and what the better player does.
 */
import { pointsOf, tokenCountText } from './figure-text.js';
import { isWon, score } from './run-labels.js';
import type { RunMetrics } from './run-metrics.js';

export const REGRET_MEANING =
  'turns lost per step, over the steps whose cost is known, exactly or as an estimate; a step that made success impossible lost the turns that were left, and steps after it do not count';

export interface Compared {
  better: 'more' | 'less';
  /** What the better one does. */
  words: string;
  /** Null for a run that has no such figure: its seed is not compared. */
  of: (run: RunMetrics) => number | null;
  /** A difference without its sign. Of shares, it is in percentage points. */
  amount: (difference: number) => string;
  isShare?: true;
  meaning?: string;
  /** Explained only in a table that has it. */
  isRare?: true;
}

const points = (difference: number): string => String(Math.abs(pointsOf(difference)));

/** In the order of the table. */
export const COMPARED = byFigure({
  success: {
    better: 'more',
    words: 'is better',
    of: score,
    amount: points,
    isShare: true,
  },
  turns: {
    better: 'less',
    words: 'wins in fewer turns',
    of: (run) => (isWon(run) ? run.turns : null),
    amount: (difference) => difference.toFixed(1),
    meaning: 'of seeds that both won',
  },
  'first try': {
    better: 'more',
    words: 'has more first replies accepted',
    of: ({ firstTries, steps }) => (steps === 0 ? null : firstTries / steps),
    amount: points,
    isShare: true,
    meaning: 'steps whose first reply was accepted',
  },
  tokens: {
    better: 'less',
    words: 'uses fewer tokens',
    of: ({ promptTokens, replyTokens }) => promptTokens + replyTokens || null,
    amount: (difference) => tokenCountText(Math.abs(Math.round(difference))),
    meaning: 'per run, without those of requests without an answer',
  },
  regret: {
    better: 'less',
    words: 'loses fewer turns per step',
    of: ({ regret }) => regret,
    amount: (difference) => difference.toFixed(2),
    meaning: REGRET_MEANING,
    isRare: true,
  },
});

function byFigure<Name extends string>(figures: Readonly<Record<Name, Compared>>) {
  return figures;
}

export type ComparedFigure = keyof typeof COMPARED;
