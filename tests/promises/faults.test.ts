/**
 * Promise 12: whatever a model's server does, a run has a defined outcome in time. The table of faults (`tests/model/fault-table.ts`), which
 * `tests/model/fault-table.test.ts` plays whole in virtual time, here in real time that is said to go by 50 times as fast.
 */
import { expect, it } from 'vitest';
import { fastClock } from '../support/virtual-clock.js';
import { expectedOf, FaultPlayer, PLACES } from '../model/fault-play.js';
import { FAULTS } from '../model/fault-table.js';
import { temporaryFolder } from '../support/folder.js';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';

const TIMES = 50;
const player = new FaultPlayer(temporaryFolder());

it('has a defined outcome for every fault, over real sockets in real time', SIZED, async () => {
  const all = PLACES.flatMap((place) => FAULTS.map((row) => ({ place, row })));
  const every = Math.max(1, Math.floor(all.length / sizeOf('faultCells')));
  const cells = all.filter((_, i) => i % every === 0);
  const time = { clock: fastClock(TIMES), runOut: () => undefined, graceMs: 250 * TIMES };
  const broken: string[] = [];
  const counts = new Map<string, number>();
  for (const { place, row } of cells) {
    const name = `${row.group}, ${row.entry}, ${place}`;
    const { outcome, told, broken: found } = await player.play(row, place, time);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (outcome !== expectedOf(row, place)) broken.push(`${name}: ${outcome} (${told})`);
    if (!row.told.test(told)) broken.push(`${name}: told ${told}`);
    broken.push(...found.map((words) => `${name}: ${words}`));
  }
  expect(broken).toEqual([]);
  const figures = [...counts].map(([outcome, count]) => `${grouped(count)} ${outcome}`).join(', ');
  reached('12 faults', `${grouped(cells.length)} cells of ${grouped(all.length)}: ${figures}, 0 others`);
});
