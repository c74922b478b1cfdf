/** A step as lines: speech stands apart as it was heard, a refusal is never cut, and nothing is painted where nothing stands. */
import { describe, expect, it } from 'vitest';
import { painter } from '../../src/cli/terminal/style.js';
import { stepLines } from '../../src/cli/text/step-line.js';
import type { ActRecord } from '../../src/trajectory/act.js';
import type { StepRecord } from '../../src/trajectory/records.js';
import { capturedIo } from '../support/captured-io.js';
import { sampleStep } from '../log/sample.js';

const names = { nyla: 'Nyla', odo: 'Odo' };

function lines(
  acts: readonly Partial<ActRecord>[],
  said: readonly string[],
  columns = 100,
): readonly string[] {
  const base = sampleStep('run', 1, []);
  const step: StepRecord = {
    ...base,
    acts: acts.map((act, index) => ({
      index,
      call: null,
      reading: null,
      intent: null,
      result: { ok: true, message: 'Done.', path: [] },
      insteadOf: null,
      ...act,
    })),
    events: said.map((text) => ({
      kind: 'said',
      actor: 'nyla',
      at: null,
      data: { channel: 'speak', text, hearers: ['odo'] },
      seenBy: ['odo'],
    })),
  };
  return stepLines(step, { paint: (_, text) => text, columns, names });
}

const speak = (text: string): Partial<ActRecord> => ({
  intent: { agent: 'nyla', action: 'SPEAK', args: { text } },
});
const go: Partial<ActRecord> = { intent: { agent: 'nyla', action: 'GO', args: { direction: 'north' } } };

describe('speech', () => {
  it.each([
    ['two  spaces', 'two spaces'],
    ['a\ttab', 'a tab'],
    ['zero\u200Bwidth', 'zerowidth'],
  ])('of %j stands apart as it was heard', (given, heard) => {
    for (const acts of [[speak(given)], [speak(given), go], [go, speak(given)]]) {
      const told = lines(acts, [heard]);
      expect(told).toHaveLength(acts.length + 1);
      expect(told.find((line) => line.includes('SPEAK'))).toMatch(/SPEAK +heard by Odo$/);
      expect(told.filter((line) => line.includes('“'))).toEqual([`            “${heard}”`]);
    }
  });

  it('in words of its own world belongs to the only deed of the step', () => {
    expect(lines([{ intent: { agent: 'nyla', action: 'GREET', args: {} } }], ['Good day.'])).toEqual([
      expect.stringMatching(/GREET +heard by Odo$/),
      '            “Good day.”',
    ]);
  });
});

it('tells the reason of a refusal whole, below its code where it does not fit', () => {
  const message = 'You have no line of sight to the iron-bound door, because the shelf stands in between.';
  const refused = {
    ...go,
    result: { ok: false as const, problem: { code: 'illegal/sight' as never, message } },
  };
  const [first, ...below] = lines([refused], [], 80);
  expect(first).toMatch(/GO \{"direction": "north"\} +illegal\/sight$/);
  expect(below.map((line) => line.trim()).join(' ')).toBe(message);
  expect(Math.max(...below.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines([refused], [], 160)).toHaveLength(1);
});

it('paints nothing where nothing stands', () => {
  const { io } = capturedIo({ isTerminal: true });
  const paint = painter(io, io.out);
  expect(paint('red', '')).toBe('');
  expect(paint('red', 'x')).toContain('x');
});
