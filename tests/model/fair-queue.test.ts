/** One in a round of the event loop: answers as they came, the rest when no answer waits, and nobody for ever. */
import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../src/model/fair-queue.js';
import { bench, game, specification } from './harness.js';

/** Counts rounds of the event loop until it is stopped. */
function rounds(): { now: number; stop: () => void } {
  const counted = { now: 0, stop: () => clearImmediate(next) };
  const count = (): void => {
    counted.now += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  return counted;
}

describe('the queue for rounds of the event loop', () => {
  it('lets one through in a round, in the order in which they came', async () => {
    const queue = new FairQueue();
    const seen: [string, number][] = [];
    const round = rounds();
    const names = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(names.map((name) => queue.nextRound().then(() => seen.push([name, round.now]))));
    round.stop();
    expect(seen.map(([name]) => name)).toEqual(names);
    expect(new Set(seen.map(([, at]) => at)).size).toBe(names.length);
  });

  it('lets what can wait through after those who came later with an answer', async () => {
    const queue = new FairQueue();
    const seen: string[] = [];
    const other = queue.quietRound().then(() => seen.push('other'));
    const answers = [1, 2, 3].map((n) => queue.nextRound().then(() => seen.push(`answer ${n}`)));
    await Promise.all([other, ...answers]);
    expect(seen).toEqual(['answer 1', 'answer 2', 'answer 3', 'other']);
  });

  it('lets it through all the same where there is always an answer', async () => {
    const queue = new FairQueue();
    const seen = { answers: 0, isOver: false };
    const answering = async (): Promise<void> => {
      while (!seen.isOver && seen.answers < 1000) {
        await queue.nextRound();
        seen.answers += 1;
      }
    };
    const all = Promise.all([answering(), answering(), answering()]);
    await queue.quietRound();
    const before = seen.answers;
    await queue.quietRound();
    seen.isOver = true;
    await all;
    expect(before).toBeGreaterThan(10);
    expect(seen.answers).toBeLessThan(50);
  });

  it('lets long work be alone, after those who answer, and goes on where one failed', async () => {
    const queue = new FairQueue();
    const seen: string[] = [];
    const work = (name: string, error?: Error) => async () => {
      seen.push(`${name} begins`);
      await queue.quietRound();
      seen.push(`${name} ends`);
      if (error !== undefined) throw error;
      return name;
    };
    const works = [queue.oneAtATime(work('a', new Error('no'))), queue.oneAtATime(work('b'))];
    const answer = queue.nextRound().then(() => seen.push('answer'));
    const ends = await Promise.allSettled([...works, answer]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(seen).toEqual(['answer', 'a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('turns again after it stood still', async () => {
    const queue = new FairQueue();
    await queue.nextRound();
    await new Promise((resolve) => setImmediate(resolve));
    await queue.quietRound();
    await queue.nextRound();
  });
});

it('a client follows answers that came at once one in a round', async () => {
  const choices = [{ message: { role: 'assistant', content: 'ACTION: WAIT' }, finish_reason: 'stop' }];
  const body = Buffer.from(JSON.stringify({ choices }));
  const send = () => Promise.resolve({ status: 200, headers: {}, body });
  const { model } = bench(specification('http://127.0.0.1:1/v1'), {}, { send, close: () => undefined });
  const round = rounds();
  const never = new AbortController().signal;
  const calls = Array.from({ length: 20 }, () => model.complete(game(), never).then(() => round.now));
  const seen = await Promise.all(calls);
  round.stop();
  expect(new Set(seen).size).toBe(seen.length);
});
