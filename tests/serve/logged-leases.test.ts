/** Leases in the log: a row that is missing is found, also the last ones, in a run that has ended and in one that goes on. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { LogWriter } from '../../src/log/writer.js';
import { sampleRun } from '../log/sample.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { servedWorld } from '../support/served-world.js';
import type { Clients } from './served.js';

const ROOM = (turns: number): string => `
title: Two in a room
map: |
  ########
  #a....b#
  ########
legend: { a: { agent: ann }, b: { agent: bob } }
agents: [{ id: ann, sprite: knight }, { id: bob, sprite: wizard }]
turns: { max: ${turns} }
`;

/** Ann waits in so many turns, and lets go before the last. */
async function play({ leases, play: service }: Clients, turns: number): Promise<void> {
  const { lease } = await leases.acquireLease({ entity: 'ann', controller: 'tester' });
  for await (const { isFinal, tick, attempt } of service.streamObservations({ lease })) {
    if (isFinal) return;
    if (tick === 0n) continue;
    if (Number(tick) > turns) break;
    await service.submitIntent({ lease, tick, attempt, intent: { case: 'wait', value: {} } });
  }
  await leases.releaseLease({ lease });
}

/** A copy of the log, changed. */
function changed(log: string, sql: string): string {
  const copy = join(temporaryFolder(), 'copy.sqlite');
  copyFileSync(log, copy);
  const db = new Database(copy);
  expect(db.prepare(sql).run().changes).toBeGreaterThan(0);
  db.close();
  return copy;
}

const LAST = 'DELETE FROM leases WHERE position = (SELECT max(position) FROM leases)';

describe('events of leases', () => {
  it('are counted by the end of a session: its last ones can not go missing', async () => {
    const world = await servedWorld(ROOM(2));
    await play(world, 2);
    await world.run.ended;
    await world.close();
    expect((await orchestrate(['verify', world.log])).code).toBe(0);
    for (const sql of [LAST, 'DELETE FROM leases']) {
      const { code, err } = await orchestrate(['verify', changed(world.log, sql)]);
      expect([code, err]).toEqual([3, expect.stringContaining('the end of session 1 was altered')]);
    }
    const { err } = await orchestrate(['verify', changed(world.log, 'DELETE FROM served')]);
    expect(err).toContain('the beginning of session 1 was altered');
  });

  it('of a run that goes on name every lease that decided something', async () => {
    const world = await servedWorld(ROOM(50));
    await play(world, 3);
    const live = join(temporaryFolder(), 'live.sqlite');
    const db = new Database(world.log, { readonly: true });
    db.prepare('VACUUM INTO ?').run(live);
    db.close();
    expect((await orchestrate(['verify', live])).out).toContain('verified');
    const gone = await orchestrate(['verify', changed(live, 'DELETE FROM leases')]);
    expect([gone.code, gone.err]).toEqual([
      3,
      expect.stringContaining('the grant of lease:tester#1 for ann, which decided turn 1, is missing'),
    ]);
  });

  it.each([
    [
      'an epoch is left out',
      [
        [1, 'granted'],
        [1, 'released'],
        [3, 'granted'],
      ],
      'before epoch 3',
    ],
    [
      'an end is left out',
      [
        [1, 'granted'],
        [2, 'granted'],
      ],
      'before epoch 2',
    ],
    ['a grant is left out', [[1, 'released']], 'before epoch 1'],
  ] as const)('follow each other without a gap: %s', (_what, events, words) => {
    const path = join(temporaryFolder(), 'run.sqlite');
    const writer = new LogWriter(path);
    const { runId } = sampleRun();
    writer.begin(sampleRun(), {});
    for (const [epoch, event] of events)
      writer.lease({ runId, entity: 'nyla', epoch, event, controller: 'c', principal: 'p', tick: 1, at: 1 });
    writer.close();
    const reader = new LogReader(path);
    expect(() => reader.leases(runId, { areWhole: true })).toThrow(words);
    reader.close();
  });
});
