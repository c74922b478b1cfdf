/** Time of a served world: jumps of the machine's clock change nothing, and one who does not read holds up nobody. */
import { connect } from 'node:http2';
import { afterEach, expect, it, vi } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { Part } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { servedWorld } from '../support/served-world.js';
import { clientsOf } from './served.js';
import type { Clients } from './served.js';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Decides WAIT whenever it is asked; out: how many intents were accepted. */
async function waits({ leases, play }: Clients, entity: string): Promise<number> {
  const { lease } = await leases.acquireLease({ entity, controller: 'tester' });
  let accepted = 0;
  for await (const { tick, attempt, isFinal } of play.streamObservations({ lease, parts: [Part.OFFERS] })) {
    if (isFinal) break;
    if (tick === 0n) continue;
    const ack = await play.submitIntent({ lease, tick, attempt, intent: { case: 'wait', value: {} } });
    if (ack.accepted) accepted += 1;
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
turns: { max: 40 }
`;

it('500 jumps of the clock by hours end no lease and move no tick', async () => {
  const now = Date.now.bind(Date);
  let jumps = 0;
  let jump = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + jump);
  const jumping = setInterval(() => {
    jumps += 1;
    jump = (jumps % 2 === 0 ? -1 : 1) * jumps * 3_600_000;
  }, 4);
  const pace = { kind: 'clock', periodMs: 100, windowMs: 80 } as const;
  const world = await servedWorld(HALL, { pace, ttlMs: 2000 });
  const began = performance.now();
  const accepted = await waits(world, 'ann');
  const took = performance.now() - began;
  await expect.poll(() => jumps, { timeout: 10_000 }).toBeGreaterThanOrEqual(500);
  clearInterval(jumping);
  vi.restoreAllMocks();
  expect(took).toBeGreaterThan(38 * 100);
  // The others came too late on a busy machine.
  expect(accepted).toBeGreaterThan(20);
  const reader = new LogReader(world.log);
  const events = reader.leases(world.run.record.runId).map(({ event }) => event);
  reader.close();
  expect(events).toEqual(['granted']);
}, 30_000);

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

it('63 controllers decide in time beside one that reads nothing', async () => {
  const pace = { kind: 'clock', periodMs: 2000, windowMs: 1800 } as const;
  const world = await servedWorld(MANY, { pace, waitFor: CROWD });
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
  const others = Array.from({ length: CROWD - 1 }, (_, i) => waits(clients[i % 4] ?? world, `a${i + 1}`));
  const accepted = (await Promise.all(others)).reduce((sum, one) => sum + one, 0);
  session.destroy();
  // Of 4 ticks each; a busy machine may take too long for the first.
  expect(accepted).toBeGreaterThanOrEqual((CROWD - 1) * 3);
  const reader = new LogReader(world.log);
  const late = [...reader.steps(world.run.record.runId, { agent: 'a0' })].flatMap(({ acts }) =>
    acts.map(({ insteadOf }) => insteadOf?.code),
  );
  reader.close();
  expect(late).toEqual(['late', 'late', 'late', 'late']);
}, 60_000);
