/** Waiting that ends on request leaves nothing behind in the signals that it listened to. */
import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { unlessAborted, withEither } from '../../src/model/abort.js';

const listening = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;
/** What `AbortSignal.any` leaves in a signal, under Node's own name for it. */
function dependants(signal: AbortSignal): number {
  const symbol = Object.getOwnPropertySymbols(signal).find((one) => one.description === 'kDependantSignals');
  const found =
    symbol === undefined ? undefined : (Reflect.get(signal, symbol) as { size: number } | undefined);
  return found?.size ?? 0;
}

it('gives work a signal that is aborted with any of several, for their reason', async () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const working = withEither([one.signal, other.signal], (either) =>
    unlessAborted(new Promise<never>(() => undefined), either),
  );
  other.abort(new Error('enough'));
  await expect(working).rejects.toThrow('enough');
  await expect(
    withEither([one.signal, other.signal], async (either) => either.throwIfAborted()),
  ).rejects.toThrow('enough');
});

it('leaves nothing in signals that last', async () => {
  const lasting = new AbortController().signal;
  for (let i = 0; i < 100; i++) {
    const own = new AbortController();
    const done = await withEither([lasting, own.signal], async (either) => {
      expect(listening(lasting)).toBe(1);
      return unlessAborted(Promise.resolve(i), either);
    });
    expect(done).toBe(i);
  }
  expect(listening(lasting)).toBe(0);
  expect(dependants(lasting)).toBe(0);
  // The check itself sees what it is there for.
  AbortSignal.any([lasting, new AbortController().signal]);
  expect(dependants(lasting)).toBe(1);
});
