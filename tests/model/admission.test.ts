/** Who may ask a shared server: so many at once, so many a minute, nobody while it asked for a pause, and retries only as a small share. */
import { describe, expect, it } from 'vitest';
import { sharedAdmission } from '../../src/model/admission.js';
import * as act from '../fake-server/behaviours.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import { openChatModel } from '../../src/model/openai.js';
import { bench, game, NEVER, specification, TestClock } from './harness.js';

const HERE = 'http://here/v1';
const THERE = 'http://there/v1';
const NO_LIMITS = { requestsPerMinute: null, requestsAtOnce: null };

describe('requests at once', () => {
  it('are no more than may be, and the first that waits is the next', async () => {
    const admission = sharedAdmission({ ...NO_LIMITS, requestsAtOnce: 2 }, new TestClock());
    const door = admission.at(HERE);
    const order: number[] = [];
    const enter = async (number: number) => {
      const leave = await door.enter(NEVER);
      order.push(number);
      return leave;
    };
    const inside = [await enter(1), await enter(2)];
    const [third, fourth] = [enter(3), enter(4)];
    await settled();
    expect(order).toEqual([1, 2]);
    inside[0]?.();
    (await third)();
    await fourth;
    expect(order).toEqual([1, 2, 3, 4]);
  });

  it('are counted for each server by itself', async () => {
    const admission = sharedAdmission({ ...NO_LIMITS, requestsAtOnce: 1 }, new TestClock());
    await admission.at(HERE).enter(NEVER);
    await expect(admission.at(THERE).enter(NEVER)).resolves.toBeTypeOf('function');
  });

  it('leave no place to one that gave up waiting', async () => {
    const door = sharedAdmission({ ...NO_LIMITS, requestsAtOnce: 1 }, new TestClock()).at(HERE);
    const leave = await door.enter(NEVER);
    const gone = new AbortController();
    const givenUp = door.enter(gone.signal);
    const waiting = door.enter(NEVER);
    gone.abort();
    (await givenUp)();
    leave();
    await expect(waiting).resolves.toBeTypeOf('function');
  });
});

describe('requests a minute', () => {
  it('go out evenly', async () => {
    const clock = new TestClock();
    const door = sharedAdmission({ ...NO_LIMITS, requestsPerMinute: 60 }, clock).at(HERE);
    const sentMs: number[] = [];
    for (let i = 0; i < 4; i++) {
      (await door.enter(NEVER))();
      sentMs.push(clock.nowMs);
    }
    expect(sentMs).toEqual([0, 1000, 2000, 3000]);
  });
});

describe('a pause that one was asked for', () => {
  it('holds for all of them', async () => {
    const clock = new TestClock();
    const admission = sharedAdmission(NO_LIMITS, clock);
    admission.at(HERE).hold(5000);
    await admission.at(THERE).enter(NEVER);
    expect(clock.nowMs).toBe(0);
    await admission.at(HERE).enter(NEVER);
    expect(clock.nowMs).toBe(5000);
  });

  it('comes from Retry-After, and costs nobody else a try', async () => {
    const server = await startFakeServer();
    server.next(act.rateLimited({ 'retry-after': '7' }));
    const { dependencies, clock } = bench(specification(server.baseUrl));
    const shared = { ...dependencies, admission: sharedAdmission(NO_LIMITS, clock) };
    const [one, other] = [1, 2].map(() => openChatModel(specification(server.baseUrl), shared));
    expect((await one?.complete(game(), NEVER))?.tries).toHaveLength(1);
    expect((await other?.complete(game(), NEVER))?.tries).toEqual([]);
    await server.close();
  });
});

describe('retries', () => {
  it('are given up once they are too large a share of all requests', async () => {
    const door = sharedAdmission(NO_LIMITS, new TestClock()).at(HERE);
    const granted = (): number => Array.from({ length: 1000 }, () => door.mayRetry()).filter(Boolean).length;
    expect(granted()).toBe(10);
    for (let i = 0; i < 100; i++) (await door.enter(NEVER))();
    expect(granted()).toBe(20);
  });

  it('of a client end with the budget, not with its own number of tries', async () => {
    const server = await startFakeServer();
    for (let i = 0; i < 40; i++) server.next(act.rateLimited({}));
    const { dependencies, clock } = bench(specification(server.baseUrl));
    const shared = { ...dependencies, admission: sharedAdmission(NO_LIMITS, clock) };
    const model = openChatModel(specification(server.baseUrl, { retries: 9 }), shared);
    await expect(model.complete(game(), NEVER)).rejects.toThrow(/tried 10 times/);
    await expect(model.complete(game(), NEVER)).rejects.toThrow(/tried [1-5] times/);
    await server.close();
  });
});

/** Whatever could go on has gone on. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
