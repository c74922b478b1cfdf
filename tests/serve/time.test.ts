/** Time of a served world: jumps of the machine's clock change nothing, and one who does not read holds up nobody. */
import { connect } from 'node:http2';
import { afterEach, expect, it, vi } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { Part } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import type { SchedulePace } from '../../src/serve/schedule.js';
import { HeldClock } from '../support/held-clock.js';
import { servedWorld } from '../support/served-world.js';
import { clientsOf } from './served.js';
import type { Clients } from './served.js';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Decides WAIT whenever it is asked, with a leap before and after; out: how many intents were accepted. */
async function waits(
  { leases, play }: Clients,
  entity: string,
  leap: () => void = () => undefined,
): Promise<number> {
  const { lease } = await leases.acquireLease({ entity, controller: 'tester' });
  let accepted = 0;
  for await (const { tick, attempt, isFinal } of play.streamObservations({ lease, parts: [Part.OFFERS] })) {
    if (isFinal) break;
    if (tick === 0n) continue;
    leap();
    const ack = await play.submitIntent({ lease, tick, attempt, intent: { case: 'wait', value: {} } });
    if (ack.accepted) accepted += 1;
    leap();
  }
  return accepted;
}

const HALL = `
title: A hall
map: |
  ####
  #a.#
  ####
legend: { a: { agent: ann } }
agents: [{ id: ann, sprite: knight }]
turns: { max: TURNS }
`;

/** Far less than an hour, far more than a busy machine needs. */
const TTL_MS = 600_000;

it('500 jumps of the clock by hours end no lease and move no tick', { tags: ['long'] }, async () => {
  const now = Date.now.bind(Date);
  let jumps = 0;
  let jump = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + jump);
  const leap = (): void => {
    jumps += 1;
    jump = (jumps % 2 === 0 ? -1 : 1) * jumps * 3_600_000;
  };
  const play = async (turns: number, pace: SchedulePace) => {
    const world = await servedWorld(HALL.replace('TURNS', String(turns)), { pace, ttlMs: TTL_MS });
    const began = performance.now();
    const accepted = await waits(world, 'ann', leap);
    const tookMs = performance.now() - began;
    const reader = new LogReader(world.log);
    const events = reader.leases(world.run.record.runId).map(({ event }) => event);
    reader.close();
    expect(events).toEqual(['granted']);
    return { accepted, tookMs };
  };
  // Within its window each intent counts, and no tick of a period begins before its time.
  expect((await play(210, { kind: 'lockstep', periodMs: 0, windowMs: TTL_MS })).accepted).toBe(210);
  const { tookMs } = await play(40, { kind: 'clock', periodMs: 100, windowMs: 80 });
  expect(tookMs).toBeGreaterThan(38 * 100);
  expect(jumps).toBeGreaterThanOrEqual(500);
});

const CROWD = 64;
const MANY = `
title: A crowd
map: |
  ##########
${'  #........#\n'.repeat(8)}  ##########
agents:
${Array.from({ length: CROWD }, (_, i) => `  - { id: a${i}, sprite: knight, at: [${1 + (i % 8)}, ${1 + Math.floor(i / 8)}] }\n`).join('')}
turns: { max: 4, order: simultaneous }
`;

it('63 controllers decide in time beside one that reads nothing', { tags: ['long'] }, async () => {
  const pace = { kind: 'clock', periodMs: 2000, windowMs: 1800 } as const;
  const clock = new HeldClock();
  const world = await servedWorld(MANY, { pace, clock, waitFor: CROWD });
  const { lease } = await world.leases.acquireLease({ entity: 'a0', controller: 'stalled' });
  const session = connect(world.address, { settings: { initialWindowSize: 1 } });
  const json = Buffer.from(
    JSON.stringify({ lease, parts: ['PART_FRAME', 'PART_PROMPT', 'PART_FACTS_JSON'] }),
  );
  const head = Buffer.alloc(5);
  head.writeUInt32BE(json.length, 1);
  const path = '/orchestrate.world.v1.PlayService/StreamObservations';
  const stalled = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/connect+json',
  });
  stalled.on('error', () => undefined);
  stalled.end(Buffer.concat([head, json]));
  // A connection has 64 streams, and each controller needs two.
  const clients = [0, 1, 2, 3].map(() => clientsOf(world.address));
  // Only once all the others have decided does the time of a tick run out; the first has twice the time.
  const submit = world.run.submit.bind(world.run);
  let submitted = 0;
  vi.spyOn(world.run, 'submit').mockImplementation((...intent) => {
    const outcome = submit(...intent);
    submitted += 1;
    if (submitted % (CROWD - 1) === 0) void clock.pass(submitted < CROWD ? 3600 : 2000);
    return outcome;
  });
  const others = Array.from({ length: CROWD - 1 }, (_, i) => waits(clients[i % 4] ?? world, `a${i + 1}`));
  const accepted = (await Promise.all(others)).reduce((sum, one) => sum + one, 0);
  session.destroy();
  expect(accepted).toBe((CROWD - 1) * 4);
  const reader = new LogReader(world.log);
  const late = [...reader.steps(world.run.record.runId, { agent: 'a0' })].flatMap(({ acts }) =>
    acts.map(({ insteadOf }) => insteadOf?.code),
  );
  reader.close();
  expect(late).toEqual(['late', 'late', 'late', 'late']);
});
