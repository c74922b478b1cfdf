/**
 * A column that a later version adds to each table of records, as if its entry stood in the description (src/trajectory/columns.ts): the version,
 * the tables' SQL, records, checks and hashes follow, and logs of every earlier version stay as good as they were.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../src/base/canonical.js';
import { LOG_VERSION } from '../../src/log/log-version.js';
import { LogReader } from '../../src/log/reader.js';
import { expectedObjects } from '../../src/log/schema.js';
import { LogWriter } from '../../src/log/writer.js';
import { temporaryFolder } from '../support/folder.js';
import { chainsOf } from '../support/chains.js';
import { sampleCall, sampleEnd, sampleReply, sampleRun, sampleStep } from './sample.js';

const { LOGS, PINNED } = await vi.hoisted(async () => {
  // Other files of this process may have loaded the tables without the column.
  vi.resetModules();
  const fs = await import('node:fs');
  const logs = new URL('../fixtures/logs/', import.meta.url);
  const pinned: unknown = JSON.parse(fs.readFileSync(new URL('tables.json', logs), 'utf8'));
  return { LOGS: logs, PINNED: Object(pinned) as Readonly<Record<string, string>> };
});
/** The versions that there are. */
const OLDER = Object.keys(PINNED).map(Number);

vi.mock('../../src/trajectory/columns.js', async (original) => {
  const columns = await original<typeof import('../../src/trajectory/columns.js')>();
  const { later, TEXT } = await import('../../src/trajectory/column-kinds.js');
  const next = Object.keys(PINNED).length + 1;
  const withMood = <C extends object>(one: C) => ({ ...one, trial: later(next, TEXT, 'trial') });
  return {
    ...columns,
    RUN_COLUMNS: withMood(columns.RUN_COLUMNS),
    SESSION_COLUMNS: { ...columns.SESSION_COLUMNS, tryout: later(next, TEXT, 'tryout') },
    CALL_COLUMNS: withMood(columns.CALL_COLUMNS),
    REPLY_COLUMNS: withMood(columns.REPLY_COLUMNS),
    PROBE_COLUMNS: withMood(columns.PROBE_COLUMNS),
    OUTSIDE_COLUMNS: withMood(columns.OUTSIDE_COLUMNS),
    STEP_COLUMNS: withMood(columns.STEP_COLUMNS),
    END_COLUMNS: withMood(columns.END_COLUMNS),
    LEASE_COLUMNS: withMood(columns.LEASE_COLUMNS),
  };
});

// And those to come must not find them with it.
afterAll(() => {
  vi.doUnmock('../../src/trajectory/columns.js');
  vi.resetModules();
});

const folder = temporaryFolder();
const moody = <T extends object>(record: T): T => Object.assign({}, record, { trial: 'calm' });

/** A run with a row in each table, every one with its later column if `isMoody`. */
function write(path: string, runId: string, isMoody = true): void {
  const made = <T extends object>(record: T): T => (isMoody ? moody(record) : record);
  const writer = new LogWriter(path);
  const run = made(sampleRun(runId));
  writer.begin(isMoody ? Object.assign({}, run, { tryout: 'rain' }) : run, {});
  for (const purpose of ['probe', 'act'] as const) {
    const call = purpose === 'probe' ? 1 : 2;
    writer.request(made({ ...sampleCall(runId, call, [], 1), purpose }), false);
    writer.reply(runId, call, { kind: 'replied', reply: made(sampleReply('TAKE key')), memory: null }, false);
  }
  const probe = {
    kind: 'door',
    question: 'Open?',
    options: ['yes'],
    expected: 'yes',
    answer: 'yes',
  } as const;
  writer.probe(made({ ...probe, runId, call: 1, verdict: 'right' }));
  const [agent, startedAt] = ['nyla', 5];
  writer.outside(
    made({ runId, step: 1, agent, action: 'SEARCH', args: {}, output: {}, startedAt, durationMs: 1 }),
  );
  const lease = { entity: 'nyla', epoch: 1, controller: 'c', principal: 'p', at: 5 };
  writer.lease(made({ ...lease, runId, event: 'granted', tick: 1 }));
  const step = made(sampleStep(runId, 1, [2]));
  writer.step(step);
  writer.end(runId, made(sampleEnd(step)));
  writer.close();
}

function read<T>(path: string, look: (reader: LogReader) => T): T {
  const reader = new LogReader(path);
  try {
    return look(reader);
  } finally {
    reader.close();
  }
}

/** Every record of a run, by the table whose row it is. */
const recordsOf = (path: string, runId: string) =>
  read(path, (reader) => ({
    runs: reader.run(runId),
    calls: reader.call(runId, 2)?.request,
    replies: reader.call(runId, 2)?.end,
    probes: reader.probes(runId)[0],
    outside: reader.outside(runId, 1)[0],
    steps: reader.step(runId, 1),
    ends: reader.end(runId),
    leases: reader.leases(runId)[0],
  }));

function olderLog(version: number): string {
  const path = join(folder, `v${version}.sqlite`);
  writeFileSync(path, gunzipSync(readFileSync(new URL(`v${version}.sqlite.gz`, LOGS))));
  return path;
}

describe('a later column', () => {
  const path = join(folder, 'moody.sqlite');
  write(path, 'moody');
  const plain = join(folder, 'plain.sqlite');
  write(plain, 'plain', false);

  it('raises the version of the log, and the tables of earlier versions stay as they were', () => {
    expect(LOG_VERSION).toBe(OLDER.length + 1);
    for (const version of OLDER) expect(sha256(expectedObjects(version).join('\n'))).toBe(PINNED[version]);
    expect(expectedObjects(LOG_VERSION).join('')).toContain('trial TEXT');
  });

  it('comes back in each record as it was written, and is absent where it was not', () => {
    const { runs, replies, ...records } = recordsOf(path, 'moody');
    expect(runs).toMatchObject({ trial: 'calm', tryout: 'rain' });
    expect(replies).toMatchObject({ reply: { trial: 'calm' } });
    for (const record of Object.values(records)) expect(record).toMatchObject({ trial: 'calm' });
    for (const record of Object.values(recordsOf(plain, 'plain'))) {
      expect(record).toBeDefined();
      expect(JSON.stringify(record)).not.toMatch(/trial|tryout/);
    }
  });

  it.each(['runs', 'sittings', 'calls', 'replies', 'probes', 'outside', 'steps', 'ends', 'leases'])(
    'is covered by the hashes of %s',
    (table) => {
      const alter = (from: string, value: string): string => {
        const changed = join(folder, `${table}-changed.sqlite`);
        copyFileSync(from, changed);
        const db = new Database(changed);
        db.exec(`UPDATE ${table} SET ${table === 'sittings' ? 'tryout' : 'trial'} = ${value}`);
        db.close();
        return changed;
      };
      const ofOne = (log: string, runId: string) => () => recordsOf(log, runId);
      expect(ofOne(alter(path, "'sad'"), 'moody')).toThrow(/was altered \(hash mismatch\)/);
      expect(ofOne(alter(path, 'NULL'), 'moody')).toThrow(/was altered \(hash mismatch\)/);
      expect(ofOne(alter(plain, "'sad'"), 'plain')).toThrow(/was altered \(hash mismatch\)/);
    },
  );

  it('is checked', () => {
    const changed = join(folder, 'bytes.sqlite');
    copyFileSync(path, changed);
    const db = new Database(changed);
    db.exec("UPDATE steps SET trial = x'00'");
    db.close();
    expect(() => read(changed, (reader) => reader.step('moody', 1))).toThrow(
      'trial of step 1 is invalid: expected text',
    );
  });

  it.each(OLDER)(
    'is absent in a log of version %i, also once a program with it has written there',
    (version) => {
      const log = olderLog(version);
      const runIds = read(log, (reader) => reader.runs().map(({ runId }) => runId));
      const whole = () =>
        runIds.map((runId) =>
          read(log, (reader) => {
            for (const [stored, made] of version === 1 && reader.run(runId).parent !== undefined
              ? []
              : chainsOf(reader, runId))
              expect(stored).toBe(made);
            return [reader.run(runId), [...reader.steps(runId)], reader.end(runId), reader.sessions(runId)];
          }),
        );
      const before = whole();
      expect(JSON.stringify(before)).not.toMatch(/"(?:trial|tryout)"/);
      write(log, 'moody');
      expect(whole()).toEqual(before);
      expect(recordsOf(log, 'moody').steps).toMatchObject({ trial: 'calm' });
      const db = new Database(log, { readonly: true });
      expect(db.pragma('user_version', { simple: true })).toBe(LOG_VERSION);
      db.close();
    },
  );
});
