/**
 * Every fault of the table, at the first turn, in the middle and at the last attempt of a run over real sockets in virtual time: the outcome that
 * the table gives, in time, with nothing left behind, and the run going on as if nothing had been.
 */
import { describe, expect, it } from 'vitest';
import { fastFolder } from '../promises/fast-folder.js';
import { VirtualClock } from '../support/virtual-clock.js';
import { FAULTS } from './fault-table.js';
import { expectedOf, FaultPlayer, PLACES } from './fault-play.js';
import type { Time } from './fault-play.js';

const player = new FaultPlayer(fastFolder());

function virtualTime(): Time & { readonly clock: VirtualClock } {
  const clock = new VirtualClock();
  return { clock, runOut: () => clock.runOut(), graceMs: 250 };
}

describe.each(PLACES)('at the %s', (place) => {
  it.each(FAULTS)('$group, $entry: $outcome', async (row) => {
    const time = virtualTime();
    const { outcome, told, broken } = await player.play(row, place, time);
    expect({ outcome, broken, told }).toEqual({ outcome: expectedOf(row, place), broken: [], told });
    expect(told).toMatch(row.told);
    expect(time.clock.pending).toBe(0);
  });
});
