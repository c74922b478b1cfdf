/**
 * Promise: fencing. Two processes want each entity, and each is stopped (SIGSTOP) at any instant for longer or shorter than its lease lasts,
 * and continued. Nobody decides with a lease that has ended, and what was acknowledged is in the log. Needs the built package.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { temporaryFolder } from '../support/folder.js';
import type { SchedulePace } from '../../src/serve/schedule.js';
import { LOCKSTEP, served } from '../serve/served.js';
import { draws } from './lives.js';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';

const HALL = `
title: A hall
map: |
  #######
  #a.b.c#
  #.....#
  #######
legend: { a: { agent: ann }, b: { agent: bob }, c: { agent: cid } }
agents: [{ id: ann, sprite: knight }, { id: bob, sprite: knight }, { id: cid, sprite: knight }]
turns: { max: 10000, order: simultaneous }
render: { channel: text }
`;
const ENTITIES = ['ann', 'bob', 'cid'];
const TTL_MS = 300;
const LONG_TTL_MS = 5000;
const PACE = { kind: 'clock', periodMs: 100, windowMs: 70 } as const;
const HOLDER = fileURLToPath(new URL('lease-holder.mjs', import.meta.url));

interface Acknowledged {
  entity: string;
  epoch: number;
  tick: number;
}

const living = new Set<ChildProcess>();
afterAll(() => {
  for (const child of living) child.kill('SIGKILL');
});

/** A process that wants the entity, and what it was told that it decided. */
function holder(address: string, entity: string, name: string) {
  const child = spawn(process.execPath, [HOLDER, address, entity, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  living.add(child);
  let lines = '';
  child.stdout.on('data', (data: Buffer) => (lines += data.toString()));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const acknowledged = (): readonly Acknowledged[] =>
    lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Acknowledged]));
  return { child, ended, acknowledged };
}

/** The pauses of one process, one after another. */
async function pausing(child: ChildProcess, count: number, below: (limit: number) => number): Promise<void> {
  for (let pause = 0; pause < count; pause++) {
    await wait(below(3 * PACE.periodMs));
    child.kill('SIGSTOP');
    await wait(below(2 * TTL_MS));
    child.kill('SIGCONT');
  }
}

/** Both who want one entity stand still, one of them with its lease, until a lease has ended by its time; then one decides again. */
async function standStill(
  both: readonly ReturnType<typeof holder>[],
  hasExpired: () => boolean,
): Promise<void> {
  const intents = () => both.flatMap((one) => one.acknowledged()).length;
  const decidesAgain = async () => {
    for (const before = intents(); intents() === before;) await wait(5);
  };
  await decidesAgain();
  for (const { child } of both) child.kill('SIGSTOP');
  while (!hasExpired()) await wait(5);
  for (const { child } of both) child.kill('SIGCONT');
  await decidesAgain();
}

/** In words, what decided although its lease had ended, or another was in its place. */
function stale(reader: LogReader, runId: string): { decided: Set<string>; faults: readonly string[] } {
  const rows = reader.leases(runId);
  const decided = new Set<string>();
  const faults: string[] = [];
  for (const { agent, turn, step, calls } of reader.steps(runId, {})) {
    if (!ENTITIES.includes(agent) || calls.length === 0) continue;
    const controllers = reader.calls(runId, step).map(({ request }) => request.controller);
    const epoch = Number(/#(\d+)$/.exec(controllers[0] ?? '')?.[1]);
    const own = rows.filter(({ entity }) => entity === agent);
    const isGranted = own.some((row) => row.event === 'granted' && row.epoch === epoch && row.tick <= turn);
    const isOver = own.some((row) => row.event !== 'granted' && row.epoch === epoch && row.tick < turn);
    const isFollowed = own.some((row) => row.event === 'granted' && row.epoch > epoch && row.tick < turn);
    if (!isGranted || isOver || isFollowed) faults.push(`${agent} in turn ${turn} with lease ${epoch}`);
    decided.add(`${agent} ${turn} ${epoch}`);
  }
  return { decided, faults };
}

const world = (options: { pace: SchedulePace; ttlMs: number }) => served(HALL, temporaryFolder(), options);

/** Two who want each entity, while `pauses` stops them; then what they decided is compared with the log. */
async function fenced(
  hall: Awaited<ReturnType<typeof world>>,
  pauses: (holders: readonly ReturnType<typeof holder>[], reader: LogReader) => Promise<unknown>,
): Promise<{ expired: number; acknowledged: number }> {
  const { run, address, log } = hall;
  const holders = ENTITIES.flatMap((entity) =>
    ['first', 'second'].map((name) => holder(address, entity, name)),
  );
  const reader = new LogReader(log);
  await pauses(holders, reader);
  await run.stop();
  await Promise.all(holders.map(({ ended }) => ended));
  await hall.close();
  const { runId } = run.record;
  const { decided, faults } = stale(reader, runId);
  expect(faults).toEqual([]);
  const acknowledged = holders.flatMap((one) => one.acknowledged());
  const unlogged = acknowledged.filter(
    ({ entity, epoch, tick }) => !decided.has(`${entity} ${tick} ${epoch}`),
  );
  expect(unlogged).toEqual([]);
  const expired = reader.leases(runId).filter(({ event }) => event === 'expired').length;
  reader.close();
  return { expired, acknowledged: acknowledged.length };
}

it('takes no intent of a controller that stood still for longer than its lease', async () => {
  // In lockstep and with a lease of seconds, each decides in time on a busy machine, too.
  const hall = await world({ pace: LOCKSTEP, ttlMs: LONG_TTL_MS });
  const { runId } = hall.run.record;
  const { expired, acknowledged } = await fenced(hall, (holders, reader) =>
    standStill(holders.slice(0, 2), () =>
      reader.leases(runId).some(({ entity, event }) => entity === ENTITIES[0] && event === 'expired'),
    ),
  );
  expect(expired).toBeGreaterThan(0);
  expect(acknowledged).toBeGreaterThan(0);
});

it('takes none of controllers that stand still at any instant', SIZED, async () => {
  // How many leases end in a pause, and how many decide in time, is the machine's to say.
  const pauses = sizeOf('leasePauses');
  const hall = await world({ pace: PACE, ttlMs: TTL_MS });
  const each = Math.ceil(pauses / (2 * ENTITIES.length));
  const { expired, acknowledged } = await fenced(hall, (holders) =>
    Promise.all(holders.map(({ child }, i) => pausing(child, each, draws(`pauses ${i}`)))),
  );
  reached(
    'fencing',
    `${grouped(2 * each * ENTITIES.length)} pauses of controllers, ${grouped(expired)} leases expired in them, ${grouped(acknowledged)} intents acknowledged: none with a lease that had ended, all in the log`,
  );
});
