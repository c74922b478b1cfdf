/** How late ticks are: counted by the schedule, kept with the last step of a tick, shown by `show` and `report`, and outside the chain. */
import type { Duration } from '@bufbuild/protobuf/wkt';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { Phase } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { Schedule } from '../../src/serve/schedule.js';
import type { TickTiming } from '../../src/trajectory/record-values.js';
import { orchestrate } from '../support/captured-io.js';
import { servedWorld } from '../support/served-world.js';

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

function milliseconds(duration: Duration | undefined): number {
  return Number(duration?.seconds ?? 0n) * 1000 + (duration?.nanos ?? 0) / 1e6;
}

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
  const world = await servedWorld(ROOM, { pace });
  const { leases, worlds } = world;
  const { signal } = new AbortController();
  const told: TickTiming[] = [];
  const ticks = (async () => {
    for await (const { overrun, settle, phase } of worlds.streamTicks({}, { signal }))
      if (phase === Phase.SETTLED)
        told.push({ overrunMs: milliseconds(overrun), settleMs: milliseconds(settle) });
  })();
  await leases.acquireLease({ entity: 'ann', controller: 'nobody' });
  await expect.poll(() => world.run.tick, { interval: 5 }).toBeGreaterThanOrEqual(2);
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
  expect(told).toEqual(timings);
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
});
