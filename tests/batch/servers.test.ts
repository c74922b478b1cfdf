/** Which server a run gets, and what happens while one is gone. */
import { describe, expect, it } from 'vitest';
import { Servers } from '../../src/batch/servers.js';
import type { ServerOptions } from '../../src/batch/servers.js';
import { specification, TestClock } from '../model/harness.js';

const ONE = { baseUrl: 'http://one/v1', weight: 1 };
const TWO = { baseUrl: 'http://two/v1', weight: 2 };

function servers(changes: Partial<ServerOptions> = {}): {
  servers: Servers;
  news: string[];
} {
  const news: string[] = [];
  const options: ServerOptions = {
    answers: () => Promise.resolve(true),
    clock: fairClock(),
    patienceMs: 60_000,
    onGone: (baseUrl) => news.push(`gone ${baseUrl}`),
    onBack: (baseUrl) => news.push(`back ${baseUrl}`),
    ...changes,
  };
  return { servers: new Servers(options), news };
}

describe('servers', () => {
  it('get runs by their weights, and again when one leaves', () => {
    const { servers: all } = servers();
    const taken = Array.from({ length: 9 }, () => all.acquire([ONE, TWO]));
    expect(taken.filter((url) => url === TWO.baseUrl)).toHaveLength(6);
    for (let i = 0; i < 3; i++) all.release(ONE.baseUrl);
    expect(all.acquire([ONE, TWO])).toBe(ONE.baseUrl);
  });

  it('that are gone get none, until they are back', async () => {
    let isBack = false;
    const { servers: all, news } = servers({ answers: () => Promise.resolve(isBack) });
    const changed = () => new Promise<void>((resolve) => all.onChange(resolve));
    all.markGone(specification(ONE.baseUrl), 'connection refused');
    expect([all.acquire([ONE]), all.acquire([ONE, TWO]), all.isReachable([ONE])]).toEqual([
      null,
      TWO.baseUrl,
      false,
    ]);
    await changed();
    expect(all.isReachable([ONE])).toBe(false);
    isBack = true;
    await changed();
    expect(all.acquire([ONE])).toBe(ONE.baseUrl);
    expect(news).toEqual([`gone ${ONE.baseUrl}`, `back ${ONE.baseUrl}`]);
  });

  it('that stay gone are given up with their own words, after the patience that was asked for', async () => {
    const clock = fairClock();
    const { servers: all } = servers({ clock, answers: () => Promise.resolve(false) });
    all.markGone(specification(ONE.baseUrl), 'connection refused');
    while (all.goneError([ONE]) === null) await new Promise<void>((resolve) => all.onChange(resolve));
    expect(clock.nowMs).toBe(60_000);
    expect(all.goneError([ONE])?.message).toBe('connection refused');
    // There is another one.
    expect(all.goneError([ONE, TWO])).toBeNull();
    all.close();
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
