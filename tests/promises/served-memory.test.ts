/**
 * Promise: a served world that goes on and on holds no more memory. Its clock is virtual, so a tick takes no time; its one controller decides each
 * tick, its lease is renewed by that, and a second reader never reads.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';
import { openScenario } from '../../src/assembly/open.js';
import { scenarioFile } from '../../src/scenario/folder.js';
import type { ServeClock } from '../../src/serve/clock.js';
import { openStore } from '../../src/serve/run-store.js';
import { ServedLogs } from '../../src/serve/served-logs.js';
import { ServedRun } from '../../src/serve/served-run.js';
import { temporaryFolder } from '../support/folder.js';
import { MODULES } from '../../src/worlds/registry.js';
import { LONG_SIZED, grouped, reached, sizeOf } from '../support/sizes.js';

const HALL = (ticks: number): string => `
title: A hall
map: |
  #####
  #a.b#
  #####
legend: { a: { agent: ann }, b: { agent: bob } }
agents: [{ id: ann, sprite: knight }, { id: bob, sprite: knight }]
turns: { max: ${ticks}, order: simultaneous }
render: { channel: text }
`;

/** Time passes by being slept. */
function virtualClock(): ServeClock {
  let now = 0;
  return {
    monotonicMs: () => now,
    wallMs: () => now,
    sleep: async (delayMs) => {
      // Whoever else has something to do comes first.
      await new Promise((resolve) => setImmediate(resolve));
      now += delayMs;
    },
  };
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Megabytes in use once all that nothing holds is gone. */
function held(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed / 1e6;
}

it('is flat, however many ticks', LONG_SIZED, async () => {
  const ticks = sizeOf('servedTicks');
  const folder = temporaryFolder();
  const opened = await openScenario(scenarioFile(HALL(ticks)), { modules: MODULES });
  const clock = virtualClock();
  const run = new ServedRun({
    opened,
    pace: { kind: 'clock', periodMs: 1000, windowMs: 500 },
    clock,
    waitFor: 1,
    own: [],
    ttlMs: 10_000,
    staleness: 0,
    secret: () => randomBytes(16).toString('hex'),
    openStore: (record, how) =>
      openStore(record, {
        path: join(folder, 'run.sqlite'),
        logs: new ServedLogs(),
        environment: opened.environment,
        now: () => clock.wallMs(),
        ...how,
      }),
  });
  await run.prepare();
  await run.begin();
  const lease = {
    entity: 'ann',
    controller: 'tester',
    principal: 'tester',
    ttlMs: 10_000,
    supersedeEpoch: 0,
  };
  const { secret } = run.acquire({ ...lease, requestId: '' });
  const never = new AbortController().signal;
  run.news.steps(never);
  run.ticks(never);
  run.gate('ann').observe(never);
  const megabytes: number[] = [];
  for await (const { item } of run.gate('ann').observe(never)) {
    const { turn: tick, attempt } = item.input;
    const reply = embeddedReply('ACTION: WAIT');
    void run.submit(secret, { tick, attempt, reply, requestId: `r${tick}`, content: '', basedOn: tick });
    if (tick % Math.ceil(ticks / 8) === 0) megabytes.push(held());
  }
  const end = await run.ended;
  expect(end.turns).toBe(ticks);
  const [early, late] = [megabytes[1] ?? 0, megabytes.at(-1) ?? 0];
  expect(late - early, megabytes.map((one) => one.toFixed(1)).join(' ')).toBeLessThan(5);
  reached(
    'served memory',
    `${grouped(ticks)} ticks: ${early.toFixed(1)} MB of heap after a quarter of them, ${late.toFixed(1)} MB at the end`,
  );
});
