/** When what becomes durable: commits per step, the moment of the news, SQLite's settings, one writer at a time. */
import { copyFileSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openForWriting, useWal } from '../../src/log/file.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { LOG_VERSION } from '../../src/log/log-version.js';
import { LogReader } from '../../src/log/reader.js';
import type { RunSink } from '../../src/trajectory/sink.js';
import { LogWriter } from '../../src/log/writer.js';
import { play, sampleCall, sampleEnd, sampleReply, sampleRun, sampleStep } from './sample.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();

const sinks: readonly [string, (name: string) => RunSink & { close?: () => void }][] = [
  ['LogWriter', (name) => new LogWriter(join(folder, `${name}.sqlite`))],
  ['MemorySink', () => new MemorySink()],
];

it('uses an SQLite without the bug that lets a checkpoint lose committed steps', () => {
  const db = new Database(':memory:');
  const version = String(db.prepare('SELECT sqlite_version()').pluck().get());
  db.close();
  expect(version.localeCompare('3.51.3', 'en', { numeric: true })).toBeGreaterThanOrEqual(0);
});

describe.each(sinks)('%s tells of a step once it is durable', (_name, open) => {
  it.each([
    ['with the next durable request', (sink: RunSink) => sink.request(sampleCall('run-1', 3, []), true)],
    [
      'before the next request that is not',
      (sink: RunSink) => sink.request(sampleCall('run-1', 3, []), false),
    ],
    ['with a flush', (sink: RunSink) => sink.flush()],
    ['with the end', (sink: RunSink) => sink.end('run-1', sampleEnd(null))],
  ])('%s', (when, act) => {
    const sink = open(when.replaceAll(' ', '-'));
    const told: number[] = [];
    sink.onDurable((step) => told.push(step.step));
    sink.begin(sampleRun(), {});
    sink.request(sampleCall('run-1', 1, []), false);
    sink.reply('run-1', 1, { kind: 'replied', reply: sampleReply('ACTION: WAIT'), memory: null }, false);
    sink.step(sampleStep('run-1', 1, [1]));
    sink.step({ ...sampleStep('run-1', 2, []), agent: 'world' });
    expect(told).toEqual([]);
    act(sink);
    expect(told).toEqual([1, 2]);
    sink.flush();
    expect(told).toEqual([1, 2]);
    sink.close?.();
  });
});

describe('commits', () => {
  it.each([
    ['one per step with an embedded controller', false, 50],
    ['two per step with a remote one', true, 100],
  ])('%s', (_what, isRemote, expected) => {
    const writer = new LogWriter(join(folder, `commits-${expected}.sqlite`));
    writer.begin(sampleRun(), {});
    const before = writer.commits;
    play(writer, sampleRun(), 50, isRemote);
    if (!isRemote) writer.flush();
    expect(writer.commits - before).toBe(expected);
    writer.close();
  });

  it('none where nothing is staged', () => {
    const writer = new LogWriter(join(folder, 'idle.sqlite'));
    writer.flush();
    expect(writer.commits).toBe(0);
    writer.close();
  });
});

describe('what is durable', () => {
  it('is seen by another connection, and what is staged is not', () => {
    const path = join(folder, 'seen.sqlite');
    const writer = new LogWriter(path);
    writer.begin(sampleRun(), {});
    const reader = new LogReader(path);
    writer.onDurable((step) => expect(reader.step('run-1', step.step)?.chain).toBe(step.chain));
    writer.request(sampleCall('run-1', 1, []), true);
    expect(reader.calls('run-1', 1)).toHaveLength(1);
    writer.step(sampleStep('run-1', 1, [1]));
    expect(reader.step('run-1', 1)).toBeNull();
    writer.flush();
    expect(reader.step('run-1', 1)).not.toBeNull();
    writer.close();
    expect([...reader.steps('run-1')]).toHaveLength(1);
    reader.close();
  });

  it('lies in a WAL while the run is going and in one plain file after it', () => {
    const path = join(folder, 'settings.sqlite');
    const writer = new LogWriter(path);
    writer.begin(sampleRun(), {});
    const db = new Database(path, { readonly: true });
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    db.close();
    expect(existsSync(`${path}-wal`)).toBe(true);
    writer.close();
    const after = new Database(path, { readonly: true });
    expect(after.pragma('journal_mode', { simple: true })).toBe('delete');
    expect(after.pragma('application_id', { simple: true })).toBe(0x6f726368);
    expect(after.pragma('user_version', { simple: true })).toBe(LOG_VERSION);
    after.close();
    expect(existsSync(`${path}-wal`) || existsSync(`${path}-shm`)).toBe(false);
  });
});

describe('the WAL', () => {
  it('is there from the beginning, and gone at the end', () => {
    const path = join(folder, 'length.sqlite');
    const writer = new LogWriter(path);
    writer.begin(sampleRun(), {});
    expect(existsSync(`${path}-wal`)).toBe(true);
    writer.request(sampleCall('run-1', 1, []), true);
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    writer.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  it('keeps what a killed process left in it, also beside a log that is opened by a link', () => {
    const path = join(folder, 'linked.sqlite');
    const link = join(folder, 'link.sqlite');
    const copy = join(folder, 'copy.sqlite');
    const writer = new LogWriter(path);
    writer.begin(sampleRun(), {});
    writer.request(sampleCall('run-1', 1, []), true);
    copyFileSync(path, copy);
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    writer.close();
    symlinkSync(copy, link);
    const db = openForWriting(link);
    useWal(db, link);
    expect(db.prepare('SELECT run_id, call FROM runs JOIN calls USING (run)').all()).toEqual([
      { run_id: 'run-1', call: 1 },
    ]);
    db.close();
  });
});

describe('one writer', () => {
  it('within one process too', () => {
    const path = join(folder, 'ours.sqlite');
    const writer = new LogWriter(path);
    writer.begin(sampleRun(), {});
    expect(() => new LogWriter(path)).toThrow(/is being written by process/);
    writer.close();
    new LogWriter(path).close();
  });

  it('takes over from a process that is gone, and stops one that was wrongly believed so', () => {
    const path = join(folder, 'stolen.sqlite');
    const writer = new LogWriter(path);
    writer.begin(sampleRun(), {});
    const db = new Database(path);
    // A process number that is in use, but by a process that started at another time.
    db.exec("UPDATE writer SET token = 'other', process = 'boot/1/0'");
    db.close();
    const second = new LogWriter(path);
    expect(() => writer.request(sampleCall('run-1', 1, []), true)).toThrow(
      /being written by another process/,
    );
    writer.close();
    expect(() => new LogWriter(path)).toThrow(/is being written by process/);
    second.begin(sampleRun('run-2'), {});
    second.close();
  });
});

describe('the connection that writes', () => {
  it('syncs every commit, checks foreign keys and trusts no schema', () => {
    const path = join(folder, 'pragmas.sqlite');
    const db = openForWriting(path);
    useWal(db, path);
    const settings = {
      journal_mode: 'wal',
      synchronous: 2,
      foreign_keys: 1,
      trusted_schema: 0,
      cell_size_check: 1,
      mmap_size: 0,
      busy_timeout: 2000,
      journal_size_limit: 16_777_216,
    };
    for (const [name, value] of Object.entries(settings)) {
      // mmap_size gives no row where the build has no memory mapping at all.
      expect([name, db.pragma(name, { simple: true }) ?? 0]).toEqual([name, value]);
    }
    db.close();
  });
});

describe.runIf(existsSync('/proc/locks'))('a reader in the process that writes', () => {
  /** Of the lock that tells other programs that a database is in use. */
  const SHARED_LOCK = '1073741826';

  function isInUse(path: string): boolean {
    const file = `:${statSync(path).ino} ${SHARED_LOCK} `;
    return readFileSync('/proc/locks', 'latin1').includes(file);
  }

  it('gives up none of its locks: no other program takes the WAL away', () => {
    const path = join(folder, 'read-beside.sqlite');
    const writer = new LogWriter(path);
    writer.begin(sampleRun(), {});
    expect(isInUse(path)).toBe(true);
    const reader = new LogReader(path);
    expect(reader.runs()).toHaveLength(1);
    expect(isInUse(path)).toBe(true);
    reader.close();
    expect(isInUse(path)).toBe(true);
    writer.close();
  });
});
