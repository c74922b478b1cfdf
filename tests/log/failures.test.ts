/** Storage that refuses: full, read-only, foreign, damaged. Words and hints, exit code 3, and the log as it was. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StorageError, UsageError } from '../../src/base/errors.js';
import { LogReader } from '../../src/log/reader.js';
import { LOG_VERSION } from '../../src/log/log-version.js';
import { LogWriter } from '../../src/log/writer.js';
import { reseal } from '../replay/changes.js';
import { play, sampleCall, sampleEnd, sampleRun, sampleStep, turnMessage } from './sample.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
const isRoot = process.getuid?.() === 0;

function failureOf(work: () => unknown): StorageError {
  const error = thrownBy(work);
  expect(error).toBeInstanceOf(StorageError);
  if (error instanceof StorageError) return error;
  throw new Error('it did not fail');
}

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

function finishedLog(name: string, steps = 5): string {
  const path = join(folder, name);
  const writer = new LogWriter(path);
  writer.begin(sampleRun(), { turn: 0 });
  play(writer, sampleRun(), steps, false);
  writer.close();
  return path;
}

/** Runs `work` with a small file system of its own, where this process may mount one. */
function withSmallDisk(name: string, options: string, work: (disk: string) => void): void {
  const disk = join(folder, name);
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk]);
  try {
    work(disk);
  } finally {
    execFileSync('umount', ['-l', disk]);
  }
}

function canMount(): boolean {
  try {
    withSmallDisk('probe', 'size=64k', () => {});
    return true;
  } catch {
    return false;
  }
}
const mounts = isRoot && canMount();

describe('a full disk', () => {
  it.runIf(mounts)(
    'stops the writer with hints and keeps every durable step, also to read there and then',
    () => {
      withSmallDisk('full', 'size=3m', (disk) => {
        const path = join(disk, 'run.sqlite');
        const writer = new LogWriter(path);
        let durable = 0;
        writer.onDurable((step) => (durable = step.step));
        writer.begin(sampleRun(), { turn: 0 });
        const failure = failureOf(() => play(writer, sampleRun(), 5000, true));
        expect(failure.exitCode).toBe(3);
        expect(failure.message).toMatch(/can't write the log .*run\.sqlite: the disk is full/);
        expect(failure.hints[0]).toBe(`the log is complete up to step ${durable} of run run-1`);
        expect(failure.hints[1]).toMatch(/^free space/);
        expect(durable).toBeGreaterThan(20);
        const again = failureOf(() => writer.step(sampleStep('run-1', durable + 1, [])));
        expect(again.message).toMatch(/accepts no more records after a failure: can't write/);

        writeFileSync(join(disk, 'filler'), '');
        const whileOpen = new LogReader(path);
        expect([...whileOpen.steps('run-1')].map((step) => step.step)).toEqual(numbers(durable));
        whileOpen.close();
        writer.close();
        const reader = new LogReader(path);
        expect([...reader.steps('run-1')].map((step) => step.step)).toEqual(numbers(durable));
        reader.close();
      });
    },
  );

  it.runIf(mounts)('refuses in words to begin a log where there is no room for one', () => {
    withSmallDisk('tiny', 'size=16k', (disk) => {
      const failure = failureOf(() => new LogWriter(join(disk, 'run.sqlite')));
      expect(failure.message).toMatch(/can't open the log .*: the disk is full/);
    });
  });
});

describe('a read-only place', () => {
  it.runIf(mounts)('can be read from but not written to', () => {
    withSmallDisk('read-only', 'size=8m', (disk) => {
      const path = join(disk, 'run.sqlite');
      copyFileSync(finishedLog('original.sqlite'), path);
      execFileSync('mount', ['-o', 'remount,ro', disk]);
      expect(failureOf(() => new LogWriter(path)).message).toMatch(/can't open the log .*read-only/);
      expect(failureOf(() => new LogWriter(join(disk, 'new.sqlite'))).message).toMatch(/can't open the log/);
      const reader = new LogReader(path);
      expect([...reader.steps('run-1')]).toHaveLength(5);
      reader.close();
    });
  });

  it.runIf(mounts)('can be read from even where the last writer was killed', () => {
    withSmallDisk('killed', 'size=8m', (disk) => {
      const path = join(disk, 'run.sqlite');
      const writer = new LogWriter(join(folder, 'killed.sqlite'));
      writer.begin(sampleRun(), {});
      play(writer, sampleRun(), 5, true);
      writer.flush();
      copyFileSync(join(folder, 'killed.sqlite'), path);
      copyFileSync(join(folder, 'killed.sqlite-wal'), `${path}-wal`);
      writer.close();
      execFileSync('mount', ['-o', 'remount,ro', disk]);
      const reader = new LogReader(path);
      expect([...reader.steps('run-1')]).toHaveLength(5);
      reader.close();
    });
  });

  it.runIf(!isRoot)('is told by the permissions of the file', () => {
    const path = finishedLog('permissions.sqlite');
    chmodSync(path, 0o444);
    expect(failureOf(() => new LogWriter(path)).message).toMatch(/read-only/);
  });
});

describe('a file that is no log', () => {
  const cases: readonly [name: string, make: (path: string) => void, message: RegExp][] = [
    [
      'text',
      (path) => writeFileSync(path, 'dear diary, '.repeat(100)),
      /is not a log: it is not a SQLite database/,
    ],
    ['short', (path) => writeFileSync(path, 'x'), /is not a log: it is not a SQLite database/],
    ['folder', (path) => mkdirSync(path), /is not a log: it is not a plain file/],
    [
      'database',
      (path) => {
        const db = new Database(path);
        db.exec('CREATE TABLE precious (things TEXT)');
        db.close();
      },
      /is not a log: it is another program's database/,
    ],
    [
      'newer',
      (path) => alter(path, (db) => db.pragma(`user_version = ${LOG_VERSION + 1}`)),
      new RegExp(`its version is ${LOG_VERSION + 1}`),
    ],
    [
      'trigger',
      (path) =>
        alter(path, (db) =>
          db.exec('CREATE TRIGGER t AFTER INSERT ON steps BEGIN UPDATE steps SET turn = 9; END'),
        ),
      /is not a log: its tables are not those of a log/,
    ],
    [
      'view',
      (path) => alter(path, (db) => db.exec('CREATE VIEW v AS SELECT 1')),
      /its tables are not those of a log/,
    ],
    ['truncated', (path) => truncateSync(finishedAt(path), 20_000), /damaged/],
  ];

  it.each(cases)('%s is refused in words and left as it was', (name, make, message) => {
    const path = join(folder, `foreign-${name}`);
    make(path);
    const before = statSync(path).isFile() ? readFileSync(path) : null;
    const readAll = () => {
      const reader = new LogReader(path);
      reader.runs().forEach((run) => [...reader.steps(run.runId)]);
    };
    // What is no log was named by mistake; a damaged one is storage's failure.
    const kind = name === 'truncated' ? StorageError : UsageError;
    for (const work of [readAll, () => new LogWriter(path)]) {
      const error = thrownBy(work);
      expect(error).toBeInstanceOf(kind);
      expect(error).toMatchObject({ message: expect.stringMatching(message) });
    }
    if (before !== null) expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('that does not exist is not made by reading', () => {
    expect(() => new LogReader(join(folder, 'nowhere.sqlite'))).toThrow(/there is no log/);
    expect(() => statSync(join(folder, 'nowhere.sqlite'))).toThrow();
  });

  it('an empty file may become a log', () => {
    const path = join(folder, 'empty.sqlite');
    writeFileSync(path, '');
    expect(() => new LogReader(path)).toThrow(
      'contains no run: the program was stopped before it logged anything',
    );
    new LogWriter(path).close();
    expect(new LogReader(path).runs()).toEqual([]);
  });
});

describe('damage within a log', () => {
  it('is found in texts by their hashes', () => {
    const reader = edited(
      'edit-blob.sqlite',
      "UPDATE blobs SET content = content || ' ' WHERE encoding = 'plain'",
    );
    expect(failureOf(() => reader.calls('run-1', 1)).message).toMatch(
      /is damaged: blob \d+ was altered \(hash mismatch\)/,
    );
  });

  it('is found in pictures by their hashes', () => {
    const reader = edited('edit-frame.sqlite', "UPDATE frames SET png = CAST(png || ' ' AS BLOB)");
    expect(failureOf(() => reader.calls('run-1', 1)).message).toMatch(
      /frame [0-9a-f]{64} was altered \(hash mismatch\)/,
    );
  });

  it.each(['content', 'reasoning', 'raw', 'memory'])('is found in the %s of a reply', (column) => {
    const reader = edited(`edit-${column}.sqlite`, `UPDATE replies SET ${column} = ${column} || ' '`);
    expect(failureOf(() => reader.calls('run-1', 1)).message).toMatch(
      /the reply to call 1 was altered \(hash mismatch\)/,
    );
  });

  it.each([
    ['text', 'appended', `json_replace(appended, '$[0].parts[0].text', 1)`],
    ['message', 'kept', 'kept - 1'],
    ['observation', 'observation', 'observation - 1'],
    ['setting', 'settings', 'NULL'],
  ])('is found where a call would refer to another %s', (_what, column, value) => {
    const reader = edited(
      `edit-other-${column}.sqlite`,
      `UPDATE calls SET ${column} = ${value} WHERE call = 5`,
    );
    expect(failureOf(() => reader.call('run-1', 5)).message).toMatch(/call 5 was altered \(hash mismatch\)/);
  });

  it('is found in messages that name another picture, or one that is not there', () => {
    const another = `replace(appended, '"frame":5', '"frame":2')`;
    const other = edited('edit-other-frame.sqlite', `UPDATE calls SET appended = ${another} WHERE call = 5`);
    expect(failureOf(() => other.call('run-1', 5)).message).toMatch(/call 5 was altered \(hash mismatch\)/);
    const gone = edited(
      'edit-gone-frame.sqlite',
      'PRAGMA foreign_keys = OFF; DELETE FROM frames WHERE frame = 5',
    );
    expect(failureOf(() => gone.call('run-1', 5)).message).toMatch(/frame 5 is missing/);
  });

  it.each([
    ['another picture was shown', 'frame = 2'],
    ['another text', `appended = json_replace(appended, '$[0].parts[0].text', 1)`],
  ])('is found before a picture or an observation is taken alone: %s', (_what, change) => {
    const path = `edit-alone-${change.slice(0, 5)}.sqlite`;
    const reader = edited(path, `UPDATE calls SET ${change} WHERE call = 5`);
    const calls = [...reader.played('run-1')].flatMap((played) => played.calls());
    const request = calls.find((one) => one.request.call === 5)?.request;
    expect(failureOf(() => request?.picture()).message).toMatch(/call 5 was altered \(hash mismatch\)/);
    expect(failureOf(() => request?.observation()).message).toMatch(/call 5 was altered \(hash mismatch\)/);
  });

  it('is found in messages that name no text', () => {
    const reader = edited(
      'edit-parts.sqlite',
      `UPDATE calls SET appended = '[{"role":"user","parts":[null]}]'`,
    );
    expect(failureOf(() => reader.calls('run-1', 1)).message).toMatch(
      /request of call 1 can't be reconstructed/,
    );
  });

  it('is found in what is deflated, without unfolding more than was promised', () => {
    const reader = edited('edit-bytes.sqlite', "UPDATE blobs SET bytes = 8 WHERE encoding = 'deflate'");
    expect(failureOf(() => reader.calls('run-1', 1)).message).toMatch(/can't be unpacked/);
  });

  it('is found in JSON columns', () => {
    const reader = forged('edit-json.sqlite', "UPDATE steps SET parts = '{'");
    expect(failureOf(() => [...reader.steps('run-1')]).message).toMatch(/the parts of step 1 is not JSON/);
  });

  it.each([
    ['steps', 'calls', '{}', /the calls of step 1 is not a list/],
    ['steps', 'acts', '{}', /the acts of step 1 is not a list/],
    ['steps', 'acts', '[{"result":null}]', /the structure of the acts of step 1 is wrong: 0: index/],
    ['steps', 'events', 'null', /the events of step 1 is not a list/],
    [
      'steps',
      'events',
      '[{"data":{},"seenBy":"all"}]',
      /the structure of the events of step 1 is wrong: 0: kind/,
    ],
  ])('is found in JSON of another shape: %s.%s = %s', (table, column, value, message) => {
    const reader = forged(
      `edit-${column}-${value.length}.sqlite`,
      `UPDATE ${table} SET ${column} = '${value}'`,
    );
    expect(failureOf(() => reader.step('run-1', 1)).message).toMatch(message);
  });

  it('does not keep verify from telling what follows, but for JSON that code relies on', () => {
    const act = '[{"result":null}]';
    const log = forged('edit-unchecked.sqlite', `UPDATE steps SET acts = '${act}'`);
    log.close();
    const db = new Database(log.path);
    db.exec(`UPDATE replies SET tool_calls = '[{"name":null}]'`);
    db.close();
    const reader = new LogReader(log.path, 'unchecked');
    expect(reader.step('run-1', 1)?.acts).toEqual(JSON.parse(act));
    expect(failureOf(() => reader.call('run-1', 1)).message).toMatch(
      /the structure of the tool_calls of the reply to call 1 is wrong: 0: name/,
    );
  });

  it('is found in requests that point in circles', () => {
    const reader = edited('edit-request.sqlite', 'UPDATE calls SET previous = 5, kept = 1 WHERE call = 2');
    expect(failureOf(() => reader.call('run-1', 5)).message).toMatch(
      /the request of call 2 can't be reconstructed/,
    );
  });
});

describe('after any failure', () => {
  it('nothing of the open transaction is kept, and the writer takes no more', () => {
    const path = join(folder, 'refused.sqlite');
    const writer = new LogWriter(path);
    const told: number[] = [];
    writer.onDurable((step) => told.push(step.step));
    writer.begin(sampleRun(), {});
    play(writer, sampleRun(), 3, true);
    writer.flush();
    writer.step(sampleStep('run-1', 4, []));
    expect(() => writer.step(sampleStep('run-1', 4, []))).toThrow(/the log refused a record: UNIQUE/);
    for (const work of [
      () => writer.flush(),
      () => writer.begin(sampleRun('other'), {}),
      () => writer.request(sampleCall('run-1', 5, [turnMessage(5)]), true),
      () => writer.reply('run-1', 5, { kind: 'failed', error: '' }, false),
      () => writer.end('run-1', sampleEnd(null)),
    ]) {
      expect(failureOf(work).message).toMatch(/accepts no more records after a failure/);
    }
    writer.close();
    writer.close();
    expect(told).toEqual([1, 2, 3]);
    const reader = new LogReader(path);
    expect([...reader.steps('run-1')]).toHaveLength(3);
    reader.close();
    new LogWriter(path).close();
  });

  it('a text that UTF-8 can’t hold is refused before anything is changed for good', () => {
    const path = join(folder, 'surrogate.sqlite');
    const writer = new LogWriter(path);
    writer.begin(sampleRun(), {});
    const lone = { role: 'user', parts: [{ kind: 'text', text: 'half \uD83D' }] } as const;
    expect(() => writer.request(sampleCall('run-1', 1, [lone]), true)).toThrow(/lone surrogate/);
    writer.close();
    expect(new LogReader(path).calls('run-1', 1)).toEqual([]);
  });
});

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

describe('bytes changed at random', () => {
  it('are refused in words or do no harm: never another kind of error', () => {
    const whole = readFileSync(finishedLog('mutated.sqlite', 12));
    const path = join(folder, 'mutant.sqlite');
    let refused = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 })), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.option(fc.nat(whole.length - 1), { nil: whole.length, freq: 8 }),
        (changes, length) => {
          const bytes = Buffer.from(whole);
          for (const [at, change] of changes) bytes.writeUInt8(bytes.readUInt8(at) ^ change, at);
          writeFileSync(path, bytes.subarray(0, length));
          try {
            readEverything(path);
          } catch (error) {
            expect(error instanceof StorageError || error instanceof UsageError).toBe(true);
            refused++;
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(refused).toBeGreaterThan(30);
  });
});

function finishedAt(path: string): string {
  copyFileSync(finishedLog(`${path.split('/').pop()}.source`), path);
  return path;
}

function alter(path: string, work: (db: Database.Database) => void): void {
  const db = new Database(finishedAt(path));
  work(db);
  db.close();
}

function forged(name: string, sql: string): LogReader {
  return edited(name, sql, reseal);
}

function edited(
  name: string,
  sql: string,
  after: (db: Database.Database) => void = () => undefined,
): LogReader {
  const path = finishedLog(name);
  const db = new Database(path);
  db.pragma('ignore_check_constraints = ON');
  db.exec(sql);
  after(db);
  db.close();
  return new LogReader(path);
}

function readEverything(path: string): void {
  const reader = new LogReader(path);
  try {
    for (const { runId } of reader.runs()) {
      reader.run(runId);
      for (const step of reader.steps(runId)) reader.calls(runId, step.step);
      for (const step of [0, 4, 8]) reader.snapshotBefore(runId, step);
      reader.end(runId);
    }
  } finally {
    reader.close();
  }
}
