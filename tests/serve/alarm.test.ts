/** One sleep for many ticks: an alarm rings at the earliest moment that it was set to, and at no other. */
import { expect, it } from 'vitest';
import { Alarm } from '../../src/serve/clock.js';
import type { ServeClock } from '../../src/serve/clock.js';

/** A clock that moves only when it is told to, and counts the sleeps that were begun. */
class HandClock implements ServeClock {
  now = 0;
  sleeps = 0;
  readonly #due: { at: number; signal: AbortSignal; wake: () => void }[] = [];

  readonly monotonicMs = (): number => this.now;
  readonly wallMs = (): number => this.now;

  sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    this.sleeps += 1;
    return new Promise((wake) => {
      signal.addEventListener('abort', () => wake());
      this.#due.push({ at: this.now + delayMs, signal, wake });
    });
  }

  async moveTo(at: number): Promise<void> {
    this.now = at;
    for (const due of this.#due.splice(0)) {
      if (due.at <= at) due.wake();
      else this.#due.push(due);
    }
    await Promise.resolve();
    await Promise.resolve();
  }
}

it('rings at the earliest moment, once', async () => {
  const clock = new HandClock();
  const rung: number[] = [];
  const alarm = new Alarm(clock, () => rung.push(clock.now));
  alarm.set(500);
  alarm.set(200);
  alarm.set(900);
  for (const at of [199, 200, 500, 900]) await clock.moveTo(at);
  expect(rung).toEqual([200]);
  alarm.set(1000);
  await clock.moveTo(1000);
  expect(rung).toEqual([200, 1000]);
});

it('sleeps on over later moments, so a settled tick costs no timer', async () => {
  const clock = new HandClock();
  const rung: number[] = [];
  const alarm: Alarm = new Alarm(clock, () => {
    rung.push(clock.now);
    if (clock.now < 1000) alarm.set(1000);
  });
  for (let tick = 0; tick < 100; tick++) alarm.set(500 + tick);
  expect(clock.sleeps).toBe(1);
  for (const at of [500, 999, 1000]) await clock.moveTo(at);
  expect(rung).toEqual([500, 1000]);
});

it('rings no more once it is stopped, until it is set again', async () => {
  const clock = new HandClock();
  const rung: number[] = [];
  const alarm = new Alarm(clock, () => rung.push(clock.now));
  alarm.set(300);
  alarm.stop();
  await clock.moveTo(400);
  alarm.set(600);
  await clock.moveTo(600);
  expect(rung).toEqual([600]);
});
