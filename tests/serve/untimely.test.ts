/** An intent that came too late, too early or for an old observation, one that could not be used, and none at all: ack, log and report tell them apart. */
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';
import { LogReader } from '../../src/log/reader.js';
import { readFigures } from '../../src/log/read-figures.js';
import { expectedObjects, schemaObjects } from '../../src/log/schema.js';
import { NEWEST_ADDITION } from '../../src/log/tables.js';
import { LogWriter } from '../../src/log/writer.js';
import type { RunReport } from '../../src/report/report.js';
import { Reason } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import type { IntentAck, Observation } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { reseal } from '../replay/changes.js';
import { orchestrate } from '../support/captured-io.js';
import { withTablesOf } from '../support/first-version.js';
import { temporaryFolder } from '../support/folder.js';
import { served, clientsOf } from './served.js';
import type { Clients } from './served.js';

const ENTITIES = ['ann', 'bob', 'cat', 'dan', 'eve', 'fay'] as const;
type Entity = (typeof ENTITIES)[number];

const ROOM = `
title: Six in a room
map: |
  ##########
  #a.b.c...#
  #d.e.f...#
  ##########
legend: { ${ENTITIES.map((id) => `${id[0]}: { agent: ${id} }`).join(', ')} }
agents: [${ENTITIES.map((id) => `{ id: ${id}, sprite: knight }`).join(', ')}]
rules: { movement: tile }
turns: { max: 3, order: simultaneous, attempts: 1 }
render: { channel: text }
`;

const WAIT = { case: 'wait', value: {} } as const;
const SOUTH = {
  case: 'call',
  value: { action: 'GO', args: { direction: { value: { case: 'text', value: 'south' } } } },
} as const;
const UNREADABLE = { case: 'words', value: { content: 'I would rather not.' } } as const;

type Submit = Parameters<Clients['play']['submitIntent']>[0];

interface Seat {
  /** Waits until the entity is asked in a tick. */
  asked(tick: bigint): Promise<void>;
  submit(intent: Submit): Promise<IntentAck>;
}

async function seatOf({ leases, play }: Clients, entity: Entity): Promise<Seat> {
  const { lease } = await leases.acquireLease({ entity, controller: 'tester' });
  const stream: AsyncIterator<Observation> = play.streamObservations({ lease })[Symbol.asyncIterator]();
  return {
    asked: async (tick) => {
      for (let one = await stream.next(); one.done !== true; one = await stream.next())
        if (one.value.tick === tick) return;
    },
    submit: (intent) => play.submitIntent({ lease, attempt: 1, ...intent }),
  };
}

/** In tick 1, ann and bob don't answer; bob's answer comes in tick 2. */
async function playRun(clients: Clients): Promise<Readonly<Record<string, IntentAck>>> {
  const seats = new Map<string, Seat>();
  for (const entity of ENTITIES) seats.set(entity, await seatOf(clients, entity));
  const submit = async (entity: Entity, intent: Submit): Promise<IntentAck> => {
    const seat = seats.get(entity);
    if (seat === undefined) throw new Error(entity);
    return seat.submit(intent);
  };
  const asked = (tick: bigint) => Promise.all([...seats.values()].map((seat) => seat.asked(tick)));
  await asked(1n);
  const early = await submit('dan', { tick: 2n, intent: WAIT });
  const [illegal, unreadable, onTime] = await Promise.all([
    submit('eve', { tick: 1n, intent: SOUTH }),
    submit('fay', { tick: 1n, intent: UNREADABLE }),
    submit('cat', { tick: 1n, intent: WAIT }),
    submit('dan', { tick: 1n, intent: WAIT }),
  ]);
  await asked(2n);
  const late = await submit('bob', { tick: 1n, intent: WAIT });
  const stale = await submit('cat', { tick: 2n, basedOnTick: 1n, intent: WAIT });
  const allWait = (tick: bigint) => Promise.all(ENTITIES.map((one) => submit(one, { tick, intent: WAIT })));
  await allWait(2n);
  await asked(3n);
  await allWait(3n);
  return { early, illegal, unreadable, onTime, late, stale };
}

const LOCKSTEP = { kind: 'lockstep', periodMs: 0, windowMs: 3000 } as const;
const WAITS = { 'illegal/blocked': 1, late: 1, missing: 1, unparsable: 1 };
const UNTIMELY = { early: 1, late: 1, stale: 1 };

let log = '';
let acks: Readonly<Record<string, IntentAck>> = {};

beforeAll(async () => {
  const world = await served(ROOM, temporaryFolder(), { pace: LOCKSTEP, waitFor: ENTITIES.length });
  try {
    acks = await playRun(clientsOf(world.address));
    await world.run.ended;
  } finally {
    await world.close();
  }
  ({ log } = world);
});

async function reported(path: string): Promise<RunReport> {
  const { code, out, err } = await orchestrate(['report', path, '--json']);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as RunReport;
}

/** A copy of the log, changed and with right hashes. */
function changed(change: (db: Database.Database) => void): string {
  const copy = join(temporaryFolder(), 'copy.sqlite');
  copyFileSync(log, copy);
  const db = new Database(copy);
  change(db);
  db.close();
  return copy;
}

/** What the previous program would have written. */
function asThirdVersion(db: Database.Database): void {
  db.exec('UPDATE steps SET untimely = NULL');
  db.exec(`UPDATE sittings SET versions = json_set(versions, '$.log', 3)`);
  db.exec(`UPDATE figures SET version = 1, figures = json_remove(figures, '$.waits', '$.untimely')`);
  reseal(db);
}

function thirdVersion(): string {
  const path = changed(asThirdVersion);
  withTablesOf(3, path);
  return path;
}

describe('intents at the wrong time', () => {
  it('are acknowledged with their reasons', () => {
    const reasons = Object.entries(acks).map(([what, { reason, accepted }]) => [what, reason, accepted]);
    expect(reasons).toEqual([
      ['early', Reason.EARLY_TICK, false],
      ['illegal', Reason.ILLEGAL_ACTION, false],
      ['unreadable', Reason.UNREADABLE, false],
      ['onTime', Reason.UNSPECIFIED, true],
      ['late', Reason.LATE_TICK, false],
      ['stale', Reason.STALE_OBSERVATION, false],
    ]);
  });

  it('are in the log, by the tick in which they came', () => {
    const db = new Database(log, { readonly: true });
    const rows = db.prepare('SELECT turn, entity, reason, missed, count FROM untimely ORDER BY entity').all();
    const waits = db
      .prepare(
        `SELECT agent, instead_of ->> 'code' AS code FROM acts JOIN steps USING (run, step)
        WHERE instead_of IS NOT NULL ORDER BY agent`,
      )
      .raw()
      .all();
    db.close();
    expect(rows).toEqual([
      { turn: 2, entity: 'bob', reason: 'late', missed: 1, count: 1 },
      { turn: 2, entity: 'cat', reason: 'stale', missed: null, count: 1 },
      { turn: 1, entity: 'dan', reason: 'early', missed: null, count: 1 },
    ]);
    // The chain covers the codes: it does not depend on what came after a tick.
    expect(waits).toEqual([
      ['ann', 'late'],
      ['bob', 'late'],
      ['eve', 'illegal/blocked'],
      ['fay', 'unparsable'],
    ]);
  });

  it('are told apart by report, in every form', async () => {
    const { runs, cells } = await reported(log);
    expect(runs).toMatchObject([{ standIns: 4, waits: WAITS, untimely: UNTIMELY }]);
    expect(cells).toMatchObject([{ standIns: 4, waits: WAITS, untimely: UNTIMELY }]);
    const words =
      '4 forced WAITs (1 after refused actions): illegal/blocked 1, late 1, missing 1, unparsable 1 · untimely intents: early 1, late 1, stale 1';
    const legend = 'no intent came (missing), one came after its time (late)';
    const text = (await orchestrate(['report', log])).out.replaceAll(/\s+/g, ' ');
    expect([text.includes(words), text.includes(legend)]).toEqual([true, true]);
    const cwd = temporaryFolder();
    await orchestrate(['report', log, '--out', 'report.html'], { cwd });
    const page = readFileSync(join(cwd, 'report.html'), 'utf8');
    expect([page.includes(words), page.includes(legend)]).toEqual([true, true]);
    const [heads = '', line = ''] = (await orchestrate(['report', log, '--csv'])).out.split('\r\n');
    const columns = heads.split(',');
    const counted = columns.flatMap((head, i) =>
      /^(wait|untimely):/.test(head) ? [[head, line.split(',').at(i - columns.length)]] : [],
    );
    expect(counted).toEqual([
      ...Object.entries(WAITS).map(([reason, times]) => [`wait:${reason}`, String(times)]),
      ...Object.entries(UNTIMELY).map(([reason, times]) => [`untimely:${reason}`, String(times)]),
    ]);
  });

  it('are in the figures that the log keeps as its steps have them, and the log verifies', async () => {
    const reader = new LogReader(log);
    const [{ runId } = { runId: '' }] = reader.runs();
    const [kept, read] = [reader.keptFigures(runId), readFigures(reader, reader.run(runId))];
    reader.close();
    expect(kept).not.toBeNull();
    expect(JSON.stringify(kept)).toBe(JSON.stringify(read));
    expect((await orchestrate(['verify', log])).code).toBe(0);
  });

  it('can not be changed: neither with their hashes nor into something strange', async () => {
    const rows = `UPDATE steps SET untimely = %s WHERE untimely LIKE '%stale%'`;
    const lie = rows.replace('%s', `json_set(untimely, '$[#-1].count', 9)`);
    const altered = await orchestrate(['show', changed((db) => db.exec(lie))]);
    expect([altered.code, altered.err]).toMatchObject([3, expect.stringContaining('was altered')]);
    const forged = (sql: string) =>
      changed((db) => {
        expect(db.prepare(sql).run().changes).toBe(1);
        reseal(db);
      });
    const verified = await orchestrate(['verify', forged(lie)]);
    expect([verified.code, verified.out]).toMatchObject([1, expect.stringContaining('/untimely/stale')]);
    for (const one of [
      '{"entity":"../x","reason":"stale","count":1}',
      '{"entity":"cat","reason":"toString","count":1}',
      '{"entity":"cat","reason":"late","missed":0,"count":1}',
      '{"entity":"cat","reason":"stale","count":1.5}',
      '7',
    ]) {
      const { code, err } = await orchestrate(['show', forged(rows.replace('%s', `'[${one}]'`))]);
      expect([code, err]).toMatchObject([3, expect.stringMatching(/the structure of .* is wrong/)]);
    }
  });
});

describe('a log of version 3', () => {
  it('has no counts, and does not say whether a wait was late or missing', async () => {
    const { runs } = await reported(thirdVersion());
    const { late, missing, ...others } = WAITS;
    expect(runs[0]).toMatchObject({ standIns: 4, untimely: {} });
    expect(runs[0]?.waits).toEqual({ ...others, 'late-or-missing': late + missing });
  });

  it('gets the column from a writer, and says the same', async () => {
    const path = thirdVersion();
    const before = await reported(path);
    new LogWriter(path).close();
    const db = new Database(path, { readonly: true });
    const objects = schemaObjects(db);
    expect(objects).toEqual(expectedObjects(NEWEST_ADDITION, objects));
    db.close();
    expect(JSON.stringify(await reported(path))).toBe(JSON.stringify(before));
  });
});

it('a client that floods the server adds one row for each reason', async () => {
  const alone = ROOM.replace('max: 3', 'max: 1');
  const world = await served(alone, temporaryFolder(), { own: ENTITIES.slice(1) });
  try {
    const request = { controller: 'flood', principal: 'p', ttlMs: 30_000, supersedeEpoch: 0, requestId: '' };
    const { secret } = world.run.acquire({ entity: 'ann', ...request });
    const intent = { attempt: 1, requestId: '', content: '', reply: embeddedReply('ACTION: WAIT') };
    await expect.poll(() => world.run.gate('ann').isVacant(), { interval: 5 }).toBe(false);
    const send = (tick: number, basedOn = tick) => world.run.submit(secret, { ...intent, tick, basedOn });
    await expect.poll(async () => (await send(1, 9)).kind, { interval: 5 }).toBe('untimely');
    const whys = new Set<string>();
    for (let i = 0; i < 10_000; i += 1) {
      for (const outcome of [await send(1, 9), await send(2 + i), await send(-i)])
        whys.add(outcome.kind === 'untimely' ? outcome.reason : outcome.kind);
    }
    expect(whys).toEqual(new Set(['stale', 'early', 'late']));
    expect((await send(1)).kind).toBe('judged');
    await world.run.ended;
  } finally {
    await world.close();
  }
  const db = new Database(world.log, { readonly: true });
  const rows = db
    .prepare('SELECT entity, reason, missed, count >= 10000 AS many FROM untimely ORDER BY reason')
    .all();
  db.close();
  expect(rows).toEqual(
    ['early', 'late', 'stale'].map((reason) => ({ entity: 'ann', reason, missed: null, many: 1 })),
  );
});
