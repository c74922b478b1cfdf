/** Which server a run gets, and what happens while one is gone. */
import { describe, expect, it } from 'vitest';
import { Servers } from '../../src/batch/servers.js';
import type { ServerOptions } from '../../src/batch/servers.js';
import { NEVER, TestClock } from '../model/harness.js';

const ONE = { baseUrl: 'http://one/v1', weight: 1 };
const TWO = { baseUrl: 'http://two/v1', weight: 2 };

function servers(changes: Partial<ServerOptions> = {}): {
  readonly servers: Servers;
  readonly news: string[];
} {
  const news: string[] = [];
  const options: ServerOptions = {
    answers: () => Promise.resolve(true),
    clock: fairClock(),
    patienceMs: 60_000,
    signal: NEVER,
    onGone: (baseUrl) => news.push(`gone ${baseUrl}`),
    onBack: (baseUrl) => news.push(`back ${baseUrl}`),
    ...changes,
  };
  return { servers: new Servers(options), news };
}

describe('servers', () => {
  it('get runs by their weights, and again when one leaves', async () => {
    const { servers: all } = servers();
    const taken: (string | null)[] = [];
    for (let i = 0; i < 9; i++) taken.push(await all.take([ONE, TWO]));
    expect(taken.filter((url) => url === TWO.baseUrl)).toHaveLength(6);
    for (let i = 0; i < 3; i++) all.leave(ONE.baseUrl);
    expect(await all.take([ONE, TWO])).toBe(ONE.baseUrl);
  });

  it('that are gone get none; whoever has no other waits until one is back', async () => {
    let isBack = false;
    const { servers: all, news } = servers({ answers: () => Promise.resolve(isBack) });
    all.failed(ONE.baseUrl, 'connection refused');
    expect(await all.take([ONE, TWO])).toBe(TWO.baseUrl);
    const waiting = all.take([ONE]);
    isBack = true;
    expect(await waiting).toBe(ONE.baseUrl);
    expect(news).toEqual([`gone ${ONE.baseUrl}`, `back ${ONE.baseUrl}`]);
  });

  it('that stay gone end the wait with their own words, after the patience that was asked for', async () => {
    const clock = fairClock();
    const { servers: all } = servers({ clock, answers: () => Promise.resolve(false) });
    all.failed(ONE.baseUrl, 'connection refused');
    await expect(all.take([ONE])).rejects.toThrow('connection refused');
    expect(clock.nowMs).toBe(60_000);
    all.close();
  });

  it('are not waited for once the batch is stopped', async () => {
    const stop = new AbortController();
    const { servers: all } = servers({ signal: stop.signal, clock: stuckClock() });
    all.failed(ONE.baseUrl, 'connection refused');
    const waiting = all.take([ONE]);
    stop.abort();
    expect(await waiting).toBeNull();
  });
});

/** Time passes only in sleeps, between which everybody else has a turn. */
function fairClock(): TestClock {
  const clock = new TestClock();
  clock.sleep = (delayMs) => {
    clock.nowMs += delayMs;
    return new Promise((resolve) => setImmediate(resolve));
  };
  return clock;
}

/** Nothing is ever due. */
function stuckClock(): TestClock {
  const clock = new TestClock();
  clock.sleep = () => new Promise(() => undefined);
  return clock;
}
