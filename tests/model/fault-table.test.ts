/**
 * Every fault of the table, at the first turn, in the middle and at the last attempt of a run over real sockets in virtual time: the outcome that
 * the table gives, in time, with nothing left behind, and the run going on as if nothing had been.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.js';
import { VirtualClock } from '../support/virtual-clock.js';
import { FAULTS, IMPOSSIBLE } from './fault-table.js';
import { expectedOf, FaultPlayer, PLACES } from './fault-play.js';
import type { Time } from './fault-play.js';
import { SIZED, someOf } from '../support/sizes.js';

const player = new FaultPlayer(temporaryFolder());

function virtualTime(): Time & { clock: VirtualClock } {
  const clock = new VirtualClock();
  return { clock, runOut: () => clock.runOut(), graceMs: 250 };
}

/** After a full collection, by the place that had just been played. */
const heapBytes: number[] = [];
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));

function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

describe.each(PLACES)('at the %s', (place) => {
  afterAll(() => void heapBytes.push(heapInUse()));

  it.each(someOf(FAULTS, 'faultRows'))('$group, $entry: $outcome', SIZED, async (row) => {
    const time = virtualTime();
    const { outcome, told, broken } = await player.play(row, place, time);
    expect({ outcome, broken, told }).toEqual({ outcome: expectedOf(row, place), broken: [], told });
    expect(told).toMatch(row.told);
    expect(time.clock.pending).toBe(0);
  });
});

it('leaves no memory and no unhandled rejection behind', SIZED, () => {
  expect(unhandled).toEqual([]);
  expect(heapBytes.length).toBe(PLACES.length);
  expect((heapBytes.at(-1) ?? 0) - (heapBytes[0] ?? 0)).toBeLessThan(64_000_000);
});

it('says of every entry what becomes of it, once', () => {
  const entries = [...FAULTS, ...IMPOSSIBLE].map(({ group, entry }) => `${group}: ${entry}`);
  expect(new Set(entries).size).toBe(entries.length);
  for (const row of IMPOSSIBLE) expect(row.cannot).toMatch(/\w/);
});
