/** Runs that begin at the same time are opened one after the other, and the loop goes round in between; one that can't be opened holds up nobody. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { MODULES } from '../../src/worlds/registry.js';
import { LocalExecutor } from '../../src/batch/executor.js';
import type { PlannedRun } from '../../src/batch/plan.js';
import { temporaryFolder } from '../support/folder.js';

const RUNS = 6;

it('opens one run at a time', async () => {
  const folder = temporaryFolder();
  const seen: string[] = [];
  let [inside, most] = [0, 0];
  const open = async (): Promise<never> => {
    inside += 1;
    most = Math.max(most, inside);
    // Each has a log that gets its name with the run's beginning.
    seen.push(`opened with ${readdirSync(folder).filter((name) => name.endsWith('.tmp')).length} logs`);
    for (let round = 0; round < 3; round++) await nextRound();
    inside -= 1;
    throw new Error('not to be played');
  };
  const executor = new LocalExecutor({ open, modules: MODULES, play: {}, onRemark: () => undefined });
  const run: PlannedRun = {
    id: 'run',
    cell: { scenario: 's', players: '', switches: {} },
    seed: '1',
    byProgram: [],
    path: 's.yaml',
    set: [],
    players: { kind: 'own' },
    maxTurns: null,
  };
  const never = new AbortController().signal;
  const place = {
    isBegun: false,
    servers: {},
    stop: { soft: never, hard: never },
    onSpent: () => undefined,
  };
  const played = Array.from({ length: RUNS }, (_, i) =>
    executor.play(run, { ...place, log: join(folder, `${i}.sqlite`) }),
  );
  const ends = await Promise.allSettled(played);
  await executor.close();
  expect(ends.map(({ status }) => status)).toEqual(Array.from({ length: RUNS }, () => 'rejected'));
  expect(most).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
  expect(seen).toEqual(Array.from({ length: RUNS }, (_, i) => `opened with ${i + 1} logs`));
});
