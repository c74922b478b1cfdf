/** What is played next: what was begun comes first, and no log has two writers. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Queue } from '../../src/batch/queue.js';
import type { TakenTask, QueuedRun } from '../../src/batch/queue.js';
import type { PlannedRun } from '../../src/batch/plan.js';

function run(id: string): PlannedRun {
  const cell = { scenario: 'crypt', players: '', switches: {} };
  return {
    id,
    cell,
    path: 'crypt.yaml',
    set: [],
    players: { kind: 'own' },
    maxTurns: null,
    seed: '1',
    byProgram: [],
  };
}

function task(id: string, log: number | null): QueuedRun {
  return { run: run(id), log };
}

describe('the queue', () => {
  it('gives what was begun first, each with its own log, and new ones the lowest that is free', () => {
    const queue = new Queue([task('a', null), task('b', 2), task('c', null), task('d', 2)]);
    const one = queue.take();
    expect(one).toMatchObject({ run: { id: 'b' }, log: 2, isBegun: true });
    // The log of `d` is being written, so a new one comes before it.
    expect(queue.take()).toMatchObject({ run: { id: 'a' }, log: 1, isBegun: false });
    queue.releaseLog(2);
    expect(queue.take()).toMatchObject({ run: { id: 'd' }, log: 2 });
    expect(queue.take()).toMatchObject({ run: { id: 'c' }, log: 3 });
    expect(queue.take()).toBeNull();
  });

  it('plays every run once and never two into one log at a time, in whatever order they end or come back', () => {
    const tasks = fc.uniqueArray(fc.nat(40), { maxLength: 20 });
    const acts = fc.array(fc.tuple(fc.nat(), fc.boolean(), fc.nat(9)), { minLength: 1 });
    fc.assert(
      fc.property(tasks, acts, (ids, steps) => {
        const queue = new Queue(ids.map((id) => task(String(id), id % 3 === 0 ? (id % 4) + 1 : null)));
        const playing: TakenTask[] = [];
        const over: string[] = [];
        const end = (at: number, comesBack: boolean): void => {
          const [ended] = playing.splice(at % playing.length, 1);
          if (ended === undefined) return;
          queue.releaseLog(ended.log);
          if (comesBack) queue.putBack({ run: ended.run, log: ended.log });
          else over.push(ended.run.id);
        };
        for (const [at, isEnd, chance] of steps) {
          const taken = isEnd ? null : queue.take();
          if (taken !== null) playing.push(taken);
          else if (playing.length > 0) end(at, chance < 3);
          expect(new Set(playing.map(({ log }) => log)).size).toBe(playing.length);
        }
        while (playing.length > 0) end(0, false);
        for (let taken = queue.take(); taken !== null; taken = queue.take()) {
          over.push(taken.run.id);
          queue.releaseLog(taken.log);
        }
        expect(queue.isEmpty).toBe(true);
        expect(over.toSorted()).toEqual(ids.map(String).toSorted());
      }),
    );
  });
});
