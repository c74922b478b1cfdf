/** What readers get who are behind: an observation's reader the newest, a viewer the newest of a bounded queue, and each how many it missed. */
import { expect, it } from 'vitest';
import { BoundedReader, LatestItemReader, StreamReaders } from '../../src/serve/streams.js';
import type { ReceivedItem } from '../../src/serve/streams.js';

async function all<T>(reader: AsyncIterable<ReceivedItem<T>>): Promise<readonly (readonly [T, number])[]> {
  const got: (readonly [T, number])[] = [];
  for await (const { item, skipped } of reader) got.push([item, skipped]);
  return got;
}

it('a reader of observations gets the newest, and how many it missed', async () => {
  const reader = new LatestItemReader<number>();
  const got = all(reader);
  reader.push(1);
  await Promise.resolve();
  for (const tick of [2, 3, 4]) reader.push(tick);
  await new Promise((resolve) => setImmediate(resolve));
  reader.push(5);
  reader.end();
  const told = await got;
  expect(told.at(-1)).toEqual([5, 0]);
  expect(told.map(([tick]) => tick)).toContain(4);
  expect(told.reduce((sum, [, skipped]) => sum + skipped + 1, 0)).toBe(5);
});

it('a viewer loses the oldest of its queue, and learns how many', async () => {
  const reader = new BoundedReader<number>(3);
  for (const step of [1, 2, 3, 4, 5]) reader.push(step);
  reader.end();
  expect(await all(reader)).toEqual([
    [3, 2],
    [4, 0],
    [5, 0],
  ]);
});

it('who is gone gets nothing more, and what ended the others is told to them', async () => {
  const readers = new StreamReaders<BoundedReader<number>>();
  const leaving = new AbortController();
  const gone = readers.add(new BoundedReader<number>(3), leaving.signal);
  const stays = readers.add(new BoundedReader<number>(3), new AbortController().signal);
  leaving.abort();
  readers.each((reader) => reader.push(1));
  readers.end(new Error('the server is shutting down'));
  expect(await all(gone)).toEqual([]);
  await expect(all(stays)).rejects.toThrow('shutting down');
});
