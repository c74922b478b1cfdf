/** How long the client waits, and when it no longer does. */
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { fault, FaultError } from '../../src/model/fault.js';
import { backoffMs, withRetry, retryAfterMs } from '../../src/model/retry.js';
import * as act from '../fake-server/behaviours.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { bench, game, NEVER, specification } from './harness.js';

let server: FakeServer | undefined;
afterEach(() => server?.close());

const WAITS: readonly (readonly [string, Readonly<Record<string, string>>, number])[] = [
  ['seconds', { 'retry-after': '7' }, 7000],
  ['a fraction', { 'retry-after': '1.5' }, 1500],
  ['milliseconds first', { 'retry-after-ms': '1200', 'retry-after': '9' }, 1200],
  ['a date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, 5000],
  ['a past date', { 'retry-after': 'Mon, 01 Jan 2001 00:00:00 GMT' }, 250],
  ['a date in 2099', { 'retry-after': 'Thu, 01 Jan 2099 00:00:00 GMT' }, 60_000],
  ['1e9 seconds', { 'retry-after': '1e9' }, 60_000],
  ['for ever', { 'retry-after': 'Infinity' }, 60_000],
  ['zero', { 'retry-after': '0' }, 250],
  ['less than zero', { 'retry-after': '-1' }, 250],
  ['nonsense', { 'retry-after': 'soon' }, 250],
  ['NaN', { 'retry-after': 'NaN' }, 250],
  ['nothing', { 'retry-after': '' }, 250],
];

const BUSY = fault('busy', '', true);

describe('Retry-After', () => {
  it.each(WAITS)('%s', async (_, headers, expectedMs) => {
    server = await startFakeServer();
    server.next(act.rateLimited(headers));
    const { model, clock } = bench(specification(server.baseUrl));
    await model.complete(game(), NEVER);
    expect(clock.waitsMs).toEqual([expectedMs]);
  });

  it('stays within its limits whatever is sent', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.integer({ min: 0, max: 4e12 }), (ms, header, wallMs) => {
        const waitMs = retryAfterMs({ ...BUSY, retryAfter: { ms, header } }, wallMs);
        expect(waitMs === null || (waitMs >= 0 && waitMs <= LIMITS.retryAfterMs)).toBe(true);
      }),
    );
  });

  it('is not begun where it would pass the deadline', async () => {
    server = await startFakeServer();
    server.next(act.rateLimited({ 'retry-after': '50' }));
    const { model, clock } = bench(specification(server.baseUrl, { timeoutMs: 10_000, retries: 1 }));
    await expect(model.complete(game(), NEVER)).rejects.toMatchObject({
      hints: expect.arrayContaining([expect.stringMatching(/longer wait/)]) as unknown,
    });
    expect(clock.waitsMs).toEqual([]);
  });
});

describe('the wait without Retry-After', () => {
  it('doubles up to its limit, half of it by chance', () => {
    expect([0, 1, 2, 3, 9, 900].map((count) => backoffMs(count, 0))).toEqual([
      250, 500, 1000, 2000, 10_000, 10_000,
    ]);
    expect([0, 1, 9].map((count) => backoffMs(count, 1))).toEqual([500, 1000, 20_000]);
  });
});

describe('the number of tries', () => {
  it.each([0, 1, 5])('is one and %i more', async (retries) => {
    server = await startFakeServer();
    server.next(...Array.from({ length: 20 }, () => act.loading));
    const { model } = bench(specification(server.baseUrl, { retries }));
    await expect(model.complete(game(), NEVER)).rejects.toMatchObject({
      isRetryable: true,
      status: 503,
      exitCode: 4,
    });
    // Then the question whether the server answers others, which this one refuses.
    expect(server.chats.length).toBe(retries + 1 + 1);
  });

  it('never passes the limit of the table', async () => {
    server = await startFakeServer();
    server.next(...Array.from({ length: 20 }, () => act.loading));
    const { model } = bench(specification(server.baseUrl, { retries: 1000 }));
    await expect(model.complete(game(), NEVER)).rejects.toThrow(/tried 11 times/);
  });

  it('is told with the reply, each with its time', async () => {
    server = await startFakeServer();
    server.next(act.loading, act.crashed);
    const { model } = bench(specification(server.baseUrl));
    const { tries } = await model.complete(game(), NEVER);
    expect(tries).toEqual([
      { problem: '503 Loading model', afterMs: 0 },
      { problem: '500 Internal server error', afterMs: 250 },
    ]);
  });
});

describe('the time of the tries', () => {
  it('is whole for each of them: our own waits come on top', async () => {
    server = await startFakeServer();
    server.next(act.hang, act.hang, act.hang);
    const { model, clock } = bench(specification(server.baseUrl, { timeoutMs: 1000, retries: 2 }));
    const call = model.complete(game(), NEVER).catch((error: unknown) => error);
    for (let i = 0; i < 3; i++) {
      await server.stalled();
      clock.expire();
    }
    expect(String(await call)).toMatch(/took too long, tried 3 times: no complete answer within 1 s$/);
    expect(clock.waitsMs).toEqual([250, 500]);
    expect(clock.nowMs).toBe(3 * 1000 + 250 + 500);
  });

  it('shrinks by what the server asks to wait, and the words say so', async () => {
    server = await startFakeServer();
    server.next(act.rateLimited({ 'retry-after': '1.6' }), act.hang);
    const { model, clock } = bench(specification(server.baseUrl, { timeoutMs: 1000, retries: 1 }));
    const call = model.complete(game(), NEVER).catch((error: unknown) => error);
    await server.stalled();
    clock.expire();
    expect(String(await call)).toMatch(
      /no complete answer within 0\.7 s \(the waits that the server requested used up the remaining time\)$/,
    );
    expect(clock.nowMs).toBe(2 * 1000 + 250);
  });

  it('is not told as shortened where the server asked for no wait, though the clock never stands', async () => {
    server = await startFakeServer();
    server.next(act.hang);
    const { model, clock } = bench(specification(server.baseUrl, { timeoutMs: 1000, retries: 0 }));
    const standing = clock.monotonicMs.bind(clock);
    let ticks = 0;
    clock.monotonicMs = () => standing() + (ticks += 0.01);
    const call = model.complete(game(), NEVER).catch((error: unknown) => error);
    await server.stalled();
    clock.expire();
    expect(String(await call)).toMatch(/took too long: no complete answer within 1 s$/);
  });

  it('is whole again after a try that did not count', async () => {
    server = await startFakeServer();
    const { clock, dependencies } = bench(specification(server.baseUrl));
    let isNew = true;
    const plan = {
      timeoutMs: 1000,
      retries: 0,
      isWorthAnother: () => true,
      adapt: () => {
        const was = isNew;
        isNew = false;
        return was;
      },
      limiter: null,
      isAhead: () => false,
    };
    const outcome = await withRetry(plan, dependencies, NEVER, async (signal) => {
      clock.nowMs += isNew ? 900 : 0;
      if (isNew) throw new FaultError(fault('setting', 'unknown field', false));
      clock.expire();
      signal.throwIfAborted();
    });
    expect(outcome).toMatchObject({
      ok: false,
      givenUp: { fault: { message: 'no complete answer within 1 s' } },
    });
    expect(clock.nowMs).toBe(1900);
  });
});
