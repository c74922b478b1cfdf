/** The real clock, as far as it can be seen without waiting. */
import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { systemClock, systemDependencies } from '../../src/model/dependencies.js';

const LONG_MS = 1_000_000;

it('sleeps no longer than until the signal', async () => {
  await systemClock.sleep(LONG_MS, AbortSignal.abort());
  const cancel = new AbortController();
  const sleeping = systemClock.sleep(LONG_MS, cancel.signal);
  cancel.abort();
  await sleeping;
  expect(getEventListeners(cancel.signal, 'abort')).toEqual([]);
});

it('sleeps, leaving nothing on the signal', async () => {
  const { signal } = new AbortController();
  await systemClock.sleep(0, signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('calls back unless cancelled', async () => {
  const called: string[] = [];
  systemClock.after(0, () => called.push('cancelled'))();
  await new Promise<void>((resolve) => {
    systemClock.after(0, () => {
      called.push('called');
      resolve();
    });
  });
  expect(called).toEqual(['called']);
});

it('is wired as a whole', () => {
  const { keys, random, transport } = systemDependencies((name) => name, { A: ['http://a.example'] });
  expect([keys.find('A', 'http://a.example/v1').key, random() < 1]).toEqual(['A', true]);
  transport.close();
});
