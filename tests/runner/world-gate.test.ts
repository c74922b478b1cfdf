/** The runner's wait for a world that is gone: one wait for all, over when the world is back, after a minute, or when the runner is stopped. */
import { expect, it } from 'vitest';
import { WorldGate } from '../../src/runner/world-gate.js';
import { VirtualClock } from '../support/virtual-clock.js';

/** A world that is gone until so many milliseconds have passed; each time it is asked takes `askMs`. */
function goneUntil(backMs: number, { askMs = 0, stopMs = Infinity } = {}) {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const events: string[] = [];
  const gate = new WorldGate({
    ping: async () => {
      await clock.pass(askMs);
      if (clock.monotonicMs() >= stopMs) stop.abort();
      if (clock.monotonicMs() < backMs) throw new Error(`gone at ${clock.monotonicMs()} ms`);
    },
    onEvent: ({ kind }) => events.push(kind),
    signal: stop.signal,
    clock,
  });
  return { clock, gate, events };
}

it('ends after a minute, with what was wrong last', async () => {
  const { clock, gate, events } = goneUntil(Infinity);
  await expect(gate.back()).rejects.toThrow('gone at 60000 ms');
  expect(clock.monotonicMs()).toBe(60_000);
  expect(events).toEqual(['world-gone']);
});

it('is not over as long as the world comes back within a minute', async () => {
  const { clock, gate, events } = goneUntil(60_000);
  await gate.back();
  expect(clock.monotonicMs()).toBe(60_000);
  expect(events).toEqual(['world-gone', 'world-back']);
  expect(await gate.answers()).toBe(true);
});

it('is one for all who wait, and nothing else is asked meanwhile', async () => {
  const { gate, events } = goneUntil(5000);
  const waiting = [gate.back(), gate.back()];
  expect(await gate.answers()).toBe(false);
  await Promise.all(waiting);
  expect(events).toEqual(['world-gone', 'world-back']);
});

it('begins anew when the world is gone again: its minute is its own', async () => {
  const { clock, gate } = goneUntil(Infinity, { askMs: 9500 });
  await expect(gate.back()).rejects.toThrow('gone at 60000 ms');
  await expect(gate.back()).rejects.toThrow('gone at 120000 ms');
  expect(clock.monotonicMs()).toBe(120_000);
});

it('ends at once with the runner', async () => {
  const { clock, gate, events } = goneUntil(Infinity, { stopMs: 3000 });
  await expect(gate.back()).rejects.toThrow('gone at 3000 ms');
  expect(clock.monotonicMs()).toBe(3000);
  expect(events).toEqual(['world-gone']);
});
