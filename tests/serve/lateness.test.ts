/** How late ticks are: counted by the schedule, kept with the last step of a tick, shown by `show` and `report`, and outside the chain. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { Schedule } from '../../src/serve/schedule.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { clientsOf, served } from './served.js';
import type { Served } from './served.js';

const ROOM = `
title: One in a room
map: |
  ####
  #a.#
  ####
legend: { a: { agent: ann } }
agents: [{ id: ann, sprite: knight }]
turns: { max: 4, order: simultaneous }
render: { channel: text }
`;

const open: Served[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

it('the schedule counts what a tick began late, and how long it took to be settled', () => {
  const schedule = new Schedule({ kind: 'clock', periodMs: 100, windowMs: 40 });
  expect(schedule.open(0).overrunMs).toBe(0);
  schedule.closed(80);
  expect(schedule.timing(95)).toEqual({ overrunMs: 0, settleMs: 15 });
  // Planned for 100.
  expect(schedule.open(130).overrunMs).toBe(30);
  schedule.closed(170);
  // Another agent's window of the same tick, planned for 230.
  expect(schedule.open(240).overrunMs).toBe(10);
  schedule.closed(280);
  expect(schedule.timing(285)).toEqual({ overrunMs: 40, settleMs: 75 });
  expect(schedule.timing(300)).toEqual({ overrunMs: 0, settleMs: 0 });
});

it('a tick that a busy server begins late is late in the log, in StreamTicks, in show and in report', async () => {
  const pace = { kind: 'clock', periodMs: 200, windowMs: 60 } as const;
  const world = await served(ROOM, temporaryFolder(), { pace });
  open.push(world);
  const { leases, worlds } = clientsOf(world.address);
  const { signal } = new AbortController();
  const told: number[] = [];
  const ticks = (async () => {
    for await (const { overrun, tick } of worlds.streamTicks({}, { signal }))
      told[Number(tick)] = Number(overrun?.seconds ?? 0n) * 1000 + (overrun?.nanos ?? 0) / 1e6;
  })();
  await leases.acquireLease({ entity: 'ann', controller: 'nobody' });
  await expect.poll(() => world.run.tick, { interval: 5 }).toBe(2);
  // The server's only thread is busy over the beginning of the next tick.
  const busy = performance.now() + 500;
  while (performance.now() < busy);
  await world.run.ended;
  await ticks;
  await wait(10);
  const reader = new LogReader(world.log);
  const steps = [...reader.steps(world.run.record.runId)];
  reader.close();
  const timings = steps.flatMap(({ timing }) => timing ?? []);
  expect(steps.filter(({ agent }) => agent === 'world')).toHaveLength(timings.length);
  const late = Math.max(...timings.map(({ overrunMs }) => overrunMs));
  expect(late).toBeGreaterThan(50);
  expect(Math.round(Math.max(...told.filter(Number.isFinite)))).toBe(late);
  const shown = await orchestrate(['show', world.log]);
  expect(shown.out).toMatch(
    new RegExp(`4 served ticks, \\d began late, by at most ${late} ms; settled within \\d+ ms`),
  );
  const report = await orchestrate(['report', world.log]);
  expect(report.out).toContain('late ticks');
  const [run] = (JSON.parse((await orchestrate(['report', world.log, '--json'])).out) as { runs: object[] })
    .runs;
  expect(run).toMatchObject({ ticks: 4, overrunMs: late });
  expect((await orchestrate(['verify', world.log])).code).toBe(0);
}, 60_000);
