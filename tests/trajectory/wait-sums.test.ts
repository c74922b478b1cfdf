/** Forced waits by reason: a late intent is found after the step that it came too late for, before it, or never. */
import { expect, it } from 'vitest';
import { MISSED_TICKS } from '../../src/trajectory/records.js';
import type { ActRecord } from '../../src/trajectory/act.js';
import type { UntimelyCount } from '../../src/trajectory/record-values.js';
import { WaitSums } from '../../src/trajectory/wait-sums.js';

interface WaitStep {
  turn: number;
  agent?: string;
  /** The problem code of the wait; absent for none. */
  code?: string;
  untimely?: readonly UntimelyCount[] | null;
}

function figuresOf(steps: readonly WaitStep[]) {
  const sums = new WaitSums();
  for (const { turn, agent = 'ann', code = '', untimely = [] } of steps) {
    const insteadOf = code === '' ? null : { code, message: '' };
    const acts = [{ insteadOf } as ActRecord];
    sums.add({ turn, agent, acts, ...(untimely === null ? {} : { untimely }) });
  }
  return sums.figures();
}

const late = (missed: number, count = 1, entity = 'ann'): readonly UntimelyCount[] => [
  { entity, reason: 'late', missed, count },
];

it('a wait is missing until an intent for its turn is found, and late once, however many come', () => {
  const steps = [
    { turn: 1, code: 'late' },
    { turn: 2, code: 'late' },
    { turn: 3, untimely: late(1, 5) },
  ];
  expect(figuresOf(steps)).toEqual({ waits: { late: 1, missing: 1 }, untimely: { late: 5 } });
  const again = [...steps, { turn: 4, untimely: late(1) }, { turn: 5, untimely: late(2, 1, 'bob') }];
  expect(figuresOf(again)).toEqual({ waits: { late: 1, missing: 1 }, untimely: { late: 7 } });
});

it('an intent may come too late before the step is written', () => {
  const steps = [
    { turn: 1, agent: 'aaa', untimely: late(1) },
    { turn: 1, code: 'late' },
    { turn: 2, code: 'late' },
  ];
  expect(figuresOf(steps).waits).toEqual({ late: 1, missing: 1 });
});

it('other waits have the code of their problem, and nobody waits where nobody is in control', () => {
  const steps = [
    { turn: 1, code: 'unparsable' },
    { turn: 2, code: 'uncontrolled' },
    { turn: 3, code: 'illegal/blocked', untimely: null },
  ];
  expect(figuresOf(steps)).toEqual({ waits: { 'illegal/blocked': 1, unparsable: 1 }, untimely: {} });
});

it('a log that does not count untimely intents does not say which it was', () => {
  const steps = [
    { turn: 1, code: 'late', untimely: null },
    { turn: 2, untimely: late(1) },
  ];
  expect(figuresOf(steps).waits).toEqual({ 'late-or-missing': 1 });
});

it('only the newest turns are remembered', () => {
  const missed = Array.from({ length: MISSED_TICKS + 1 }, (_, i) => ({ turn: i + 1, code: 'late' }));
  const after = (turn: number) => [...missed, { turn: 99, untimely: late(turn) }];
  expect(figuresOf(after(1)).waits).toEqual({ missing: MISSED_TICKS + 1 });
  expect(figuresOf(after(2)).waits).toEqual({ late: 1, missing: MISSED_TICKS });
});
