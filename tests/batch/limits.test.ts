/** The limits of a server over worker processes: what becomes of requests that wait while the way to their worker is down. */
import { expect, it } from 'vitest';
import { RemoteLimiters, WorkerRequests } from '../../src/batch/workers/limits.js';
import type { LimitMessage } from '../../src/batch/workers/limits.js';
import type { RateLimiters } from '../../src/model/rate-limiter.js';

const URL = 'http://127.0.0.1:1/v1';
const request = { signal: new AbortController().signal, isFirst: true, isAhead: () => false };

/** Admits one request whenever it is told to, the oldest first. */
function slowLimiter() {
  const waiting: (() => void)[] = [];
  let open = 0;
  const limiters: RateLimiters = {
    at: () => ({
      answers: { answered: 0 },
      enter: ({ signal }) =>
        new Promise((resolve) => {
          const admit = (): void => {
            open += 1;
            resolve(() => (open -= 1));
          };
          waiting.push(admit);
          signal.addEventListener('abort', () => {
            waiting.splice(waiting.indexOf(admit), 1);
            resolve(() => undefined);
          });
        }),
      mayRetry: () => true,
      pause: () => undefined,
    }),
  };
  return { limiters, admitOne: () => waiting.shift()?.(), counts: () => [waiting.length, open] };
}

it('a request that waits while Redis is down is admitted only after it was asked for again', async () => {
  const { limiters, admitOne, counts } = slowLimiter();
  let isDown = false;
  const lost: LimitMessage[] = [];
  const worker = new RemoteLimiters((message) => (isDown ? lost.push(message) : batch.receive(message)));
  const batch = new WorkerRequests(limiters, (number) => {
    if (isDown) throw new Error('admitted while Redis is down');
    worker.admitted(number);
  });
  const sent: number[] = [];
  for (const number of [1, 2, 3])
    void worker
      .at(URL)
      .enter(request)
      .then(() => sent.push(number));
  admitOne();
  await expect.poll(() => sent).toEqual([1]);

  isDown = true;
  batch.forgetWaiting();
  admitOne();
  admitOne();
  await Promise.resolve();
  expect([sent, counts()]).toEqual([[1], [0, 1]]);

  isDown = false;
  worker.resendWaiting();
  expect(counts()).toEqual([2, 1]);
  admitOne();
  await expect.poll(() => sent).toEqual([1, 2]);
  admitOne();
  await expect.poll(() => sent).toEqual([1, 2, 3]);
});
