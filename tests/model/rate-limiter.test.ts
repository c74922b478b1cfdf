/** Who may ask a shared server: so many at once, so many a minute, nobody while it asked for a pause, real calls first, and retries only as a small share. */
import { describe, expect, it } from 'vitest';
import { sharedAdmission } from '../../src/model/rate-limiter.js';
import type { AdmissionLimits, RateLimitRequest } from '../../src/model/rate-limiter.js';
import * as act from '../fake-server/behaviours.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import { FREE_FORM } from '../../src/model/chat.js';
import type { Reply } from '../../src/model/chat.js';
import { openChatModel } from '../../src/model/openai.js';
import { bench, game, NEVER, specification, TestClock, words } from './harness.js';

const HERE = 'http://here/v1';
const THERE = 'http://there/v1';
const NO_LIMITS = { requestsPerMinute: null, requestsAtOnce: null };

/** A call's first request, that somebody waits for. */
function asking(changes: Partial<RateLimitRequest> = {}): RateLimitRequest {
  return { signal: NEVER, isFirst: true, isAhead: () => false, ...changes };
}

describe('requests at once', () => {
  it('are no more than may be, and the first that waits is the next', async () => {
    const admission = sharedAdmission({ ...NO_LIMITS, requestsAtOnce: 2 }, new TestClock());
    const door = admission.at(HERE);
    const order: number[] = [];
    const enter = async (number: number) => {
      const leave = await door.enter(asking());
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
    await admission.at(HERE).enter(asking());
    await expect(admission.at(THERE).enter(asking())).resolves.toBeTypeOf('function');
  });

  it('leave no place to one that gave up waiting', async () => {
    const door = sharedAdmission({ ...NO_LIMITS, requestsAtOnce: 1 }, new TestClock()).at(HERE);
    const leave = await door.enter(asking());
    const gone = new AbortController();
    const givenUp = door.enter(asking({ signal: gone.signal }));
    const waiting = door.enter(asking());
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
      (await door.enter(asking()))();
      sentMs.push(clock.nowMs);
    }
    expect(sentMs).toEqual([0, 1000, 2000, 3000]);
  });
});

describe('a request that nobody waits for yet', () => {
  /** Who was let in, in that order; each stays until its turn is over. */
  async function letIn(
    limits: Partial<AdmissionLimits>,
    asked: readonly (readonly [string, () => boolean])[],
  ) {
    const door = sharedAdmission({ ...NO_LIMITS, ...limits }, new TestClock()).at(HERE);
    const first = await door.enter(asking());
    const order: string[] = [];
    const all = asked.map(async ([name, isAhead]) => {
      const leave = await door.enter(asking({ isAhead }));
      order.push(name);
      await settled();
      leave();
    });
    await settled();
    first();
    await Promise.all(all);
    return order;
  }
  const ahead = () => true;
  const real = () => false;
  const mixed = [
    ['a', ahead],
    ['1', real],
    ['b', ahead],
    ['2', real],
  ] as const;

  it('is let in after all that somebody waits for, for want of room', async () => {
    expect(await letIn({ requestsAtOnce: 1 }, mixed)).toEqual(['1', '2', 'a', 'b']);
  });

  it('… and for want of its minute', async () => {
    expect(await letIn({ requestsPerMinute: 60 }, mixed)).toEqual(['1', '2', 'a', 'b']);
  });

  it('goes out at once where nothing else waits', async () => {
    const door = sharedAdmission({ ...NO_LIMITS, requestsAtOnce: 2 }, new TestClock()).at(HERE);
    await door.enter(asking());
    await expect(door.enter(asking({ isAhead: ahead }))).resolves.toBeTypeOf('function');
  });

  it('is not passed over any more once somebody waits for it', async () => {
    let isAhead = true;
    const asked = [
      ['a', ahead],
      ['b', () => isAhead],
      ['1', real],
    ] as const;
    const order = letIn({ requestsAtOnce: 1 }, asked);
    isAhead = false;
    expect(await order).toEqual(['b', '1', 'a']);
  });
});

describe('a call of a client', () => {
  it('goes first where somebody waits for it', async () => {
    const server = await startFakeServer({ images: 'any', latencyMs: 20, reply: ({ text }) => text });
    const { dependencies, clock } = bench(specification(server.baseUrl));
    const admission = sharedAdmission({ ...NO_LIMITS, requestsAtOnce: 1 }, clock);
    const [one, other] = [1, 2].map(() =>
      openChatModel(specification(server.baseUrl), { ...dependencies, admission }),
    );
    const asked = (name: string) => [words('system', 'Say it.'), words('user', name)];
    const order: string[] = [];
    const heard = async (reply: Promise<Reply> | undefined) => void order.push((await reply)?.content ?? '');
    await Promise.all([
      heard(one?.complete(asked('first'), NEVER)),
      heard(one?.complete(asked('ahead'), NEVER, FREE_FORM, () => true)),
      heard(other?.complete(asked('real'), NEVER)),
    ]);
    expect(order).toEqual(['first', 'real', 'ahead']);
    await server.close();
  });
});

describe('a pause that one was asked for', () => {
  it('holds for all of them', async () => {
    const clock = new TestClock();
    const admission = sharedAdmission(NO_LIMITS, clock);
    admission.at(HERE).pause(5000);
    await admission.at(THERE).enter(asking());
    expect(clock.nowMs).toBe(0);
    await admission.at(HERE).enter(asking());
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
    const enter = async (count: number, isFirst: boolean): Promise<void> => {
      for (let i = 0; i < count; i++) (await door.enter(asking({ isFirst })))();
    };
    expect(granted()).toBe(10);
    await enter(54, true);
    expect(granted()).toBe(0);
    await enter(1, true);
    expect(granted()).toBe(1);
    await enter(265, true);
    expect(granted()).toBe(64 - 11);
    // Only calls earn any: what was sent again does not.
    await enter(1000, false);
    expect(granted()).toBe(0);
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
