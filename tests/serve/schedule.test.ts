/** When ticks begin and close: by the period, never hurried, and never by the wall clock. */
import { describe, expect, it } from 'vitest';
import { Schedule } from '../../src/serve/schedule.js';

const CLOCK = { kind: 'clock', periodMs: 1000, windowMs: 500 } as const;

describe('a clock', () => {
  it('begins ticks at its period, and gives the first twice the time', () => {
    const schedule = new Schedule(CLOCK);
    expect(schedule.open(100)).toEqual({ startsAt: 100, closesAt: 1100, overrunMs: 0 });
    expect(schedule.open(1110)).toEqual({ startsAt: 1110, closesAt: 1610, overrunMs: 10 });
    expect(schedule.open(1620)).toEqual({ startsAt: 2110, closesAt: 2610, overrunMs: 0 });
  });

  it('begins late where the last tick took too long, and goes on from there', () => {
    const schedule = new Schedule(CLOCK);
    schedule.open(0);
    expect(schedule.open(4000)).toEqual({ startsAt: 4000, closesAt: 4500, overrunMs: 3000 });
    expect(schedule.open(4510)).toEqual({ startsAt: 5000, closesAt: 5500, overrunMs: 0 });
  });

  it('is not late after a pause', () => {
    const schedule = new Schedule(CLOCK);
    schedule.open(0);
    schedule.pause();
    expect(schedule.open(90_000)).toEqual({ startsAt: 90_000, closesAt: 90_500, overrunMs: 0 });
  });
});

describe('lockstep', () => {
  it('begins when the last tick is settled', () => {
    const schedule = new Schedule({ kind: 'lockstep', periodMs: 0, windowMs: 120_000 });
    expect(schedule.open(5)).toEqual({ startsAt: 5, closesAt: 120_005, overrunMs: 0 });
    expect(schedule.open(6)).toEqual({ startsAt: 6, closesAt: 120_006, overrunMs: 0 });
  });
});
