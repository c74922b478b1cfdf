/** How a log comes to be: under a temporary name until its first run is on the disk. Who else makes it, what is left of those that were stopped, and what lies there already. */
import { spawn } from 'node:child_process';
import fs, {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { StorageError } from '../../src/base/errors.js';
import { NoRunError } from '../../src/log/no-run.js';
import { LogReader } from '../../src/log/reader.js';
import { createTables } from '../../src/log/schema.js';
import { LogWriter } from '../../src/log/writer.js';
import { play, sampleRun } from './sample.js';
import { temporaryFolder } from '../support/folder.js';

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));
const root = temporaryFolder();
/** No process has it: it is above what Linux gives. */
const NOBODY = 999_999_999;
const HEX = '0123456789ab';

function newFolder(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  return folder;
}

function temporaryOf(pid: number): string {
  return `orchestrate-new-${pid}-${HEX}.tmp`;
}

function runsOf(path: string): readonly string[] {
  const reader = new LogReader(path);
  const ids = reader.runs().map(({ runId }) => runId);
  reader.close();
  return ids;
}

describe('a new log', () => {
  it('has its name once its first run has begun, and not before', () => {
    const folder = newFolder('born');
    const path = join(folder, 'run.sqlite');
    const writer = new LogWriter(path);
    const [temporary = ''] = readdirSync(folder);
    expect(temporary).toMatch(/^orchestrate-new-\d+-[0-9a-f]{12}\.tmp$/);
    expect(() => new LogReader(path)).toThrow(/there is no log/);
    expect(() => new LogReader(join(folder, temporary))).toThrow(NoRunError);
    writer.begin(sampleRun(), {});
    expect(runsOf(path)).toEqual(['run-1']);
    expect(existsSync(join(folder, temporary))).toBe(false);
    play(writer, sampleRun(), 3, true);
    writer.close();
    expect(readdirSync(folder)).toEqual(['run.sqlite']);
  });

  it('leaves nothing where no run begins', () => {
    const folder = newFolder('never');
    new LogWriter(join(folder, 'run.sqlite')).close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is on the disk before anybody is told: the file, then its name', () => {
    const folder = newFolder('synced');
    const path = join(folder, 'below', 'run.sqlite');
    const done: string[] = [];
    const { linkSync, fsyncSync, openSync } = fs;
    let opened = '';
    fs.linkSync = (from, to) => {
      done.push(`link ${String(to).slice(folder.length)}`);
      linkSync(from, to);
    };
    fs.openSync = (file, ...more) => {
      opened = String(file);
      return openSync(file, ...more);
    };
    fs.fsyncSync = (file) => {
      done.push(`sync ${opened.slice(folder.length)}`);
      fsyncSync(file);
    };
    syncBuiltinESMExports();
    try {
      const writer = new LogWriter(path);
      writer.begin(sampleRun(), {});
      writer.close();
    } finally {
      Object.assign(fs, { linkSync, fsyncSync, openSync });
      syncBuiltinESMExports();
    }
    expect(done).toEqual(['sync ', 'link /below/run.sqlite', 'sync /below']);
  });
});

describe('two that make one log at once', () => {
  it('in one process: the second is refused, and the first loses nothing', () => {
    const folder = newFolder('twice');
    const path = join(folder, 'run.sqlite');
    const [first, second] = [new LogWriter(path), new LogWriter(path)];
    first.begin(sampleRun('first'), {});
    expect(() => second.begin(sampleRun('second'), {})).toThrow(/is being written by another process/);
    expect(() => second.flush()).toThrow(/accepts no more records after a failure/);
    play(first, sampleRun('first'), 3, true);
    second.close();
    first.close();
    expect(runsOf(path)).toEqual(['first']);
    expect(readdirSync(folder)).toEqual(['run.sqlite']);
  });

  it('in processes: one wins, the others are refused in words', { tags: ['long'] }, async () => {
    const folder = newFolder('race');
    const path = join(folder, 'run.sqlite');
    const children = Array.from({ length: 4 }, (_, i) => {
      const child = spawn(process.execPath, [CHILD, path, `run-${i}`, '2', 'embedded']);
      let said = '';
      child.stderr.on('data', (data: Buffer) => (said += data.toString()));
      const ended = new Promise<string>((resolve) => child.on('close', () => resolve(said)));
      const written = new Promise<void>((resolve) => {
        child.stdout.on('data', (data: Buffer) => {
          if (data.includes('written')) resolve();
        });
        child.on('close', () => resolve());
      });
      return { child, ended, written };
    });
    await Promise.all(children.map(({ written }) => written));
    for (const { child } of children) if (child.exitCode === null) child.stdin.write('stop\n');
    const said = await Promise.all(children.map(({ ended }) => ended));
    expect(said.filter((words) => words === '')).toHaveLength(1);
    for (const words of said.filter((one) => one !== '')) expect(words).toContain('is being written by');
    expect(runsOf(path)).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(['run.sqlite']);
  });
});

describe('what lies there already', () => {
  it('of a process that was stopped goes; what a living one or a stranger has stays', () => {
    const folder = newFolder('left');
    const [dead, alive] = [temporaryOf(NOBODY), temporaryOf(process.ppid)];
    const theirs = 'orchestrate-new-1-mine.tmp';
    for (const name of [dead, alive, theirs]) writeFileSync(join(folder, name), 'half a page');
    const writer = new LogWriter(join(folder, 'run.sqlite'));
    writer.begin(sampleRun(), {});
    writer.close();
    expect(readdirSync(folder).toSorted()).toEqual([alive, theirs, 'run.sqlite'].toSorted());
  });

  it('beside a log that is gone is never played into a new one, nor removed', () => {
    const folder = newFolder('remains');
    const path = join(folder, 'run.sqlite');
    for (const remains of [`${path}-wal`, `${path}-journal`]) {
      writeFileSync(remains, 'steps');
      expect(() => new LogWriter(path)).toThrow(`${remains} exists without its log`);
      expect(readFileSync(remains, 'utf8')).toBe('steps');
      fs.rmSync(remains);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it('holding nothing becomes a log', () => {
    const folder = newFolder('nothing');
    for (const [name, make] of Object.entries(NOTHINGS)) {
      const path = join(folder, name);
      make(path);
      expect(() => new LogReader(path), name).toThrow(NoRunError);
      const writer = new LogWriter(path);
      writer.begin(sampleRun(), {});
      writer.close();
      expect(runsOf(path), name).toEqual(['run-1']);
    }
  });

  it('that lost what it held, and not its WAL, is damage: nobody begins anew there', () => {
    const folder = newFolder('lost');
    const [path, copy] = [join(folder, 'run.sqlite'), join(folder, 'copy.sqlite')];
    const writer = new LogWriter(path);
    writer.begin(sampleRun(), {});
    play(writer, sampleRun(), 1, true);
    copyFileSync(path, copy);
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    writer.close();
    truncateSync(copy, 0);
    const before = readFileSync(`${copy}-wal`);
    for (const open of [() => new LogReader(copy), () => new LogWriter(copy)])
      expect(open).toThrow(StorageError);
    expect(readFileSync(`${copy}-wal`).equals(before)).toBe(true);
  });

  it('with pages but no tables is no empty file', () => {
    const path = join(newFolder('no-tables'), 'run.sqlite');
    const writer = new LogWriter(path);
    writer.begin(sampleRun(), {});
    writer.close();
    const bytes = readFileSync(path);
    // How many tables and views the first page lists.
    bytes.writeUInt16BE(0, 103);
    writeFileSync(path, bytes);
    for (const open of [() => new LogReader(path), () => new LogWriter(path)]) {
      expect(open).toThrow();
      expect(open).not.toThrow(NoRunError);
    }
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it('as a link that leads nowhere is followed', () => {
    const folder = newFolder('links');
    symlinkSync(join(folder, 'far.sqlite'), join(folder, 'near.sqlite'));
    const writer = new LogWriter(join(folder, 'near.sqlite'));
    writer.begin(sampleRun(), {});
    writer.close();
    expect(runsOf(join(folder, 'far.sqlite'))).toEqual(['run-1']);
  });
});

/** Files as processes of other versions, or a power cut, left them before anything was logged. */
const NOTHINGS: Readonly<Record<string, (path: string) => void>> = {
  'empty.sqlite': (path) => writeFileSync(path, ''),
  'half-made.sqlite': (path) => halfMade(path, () => undefined),
  'zeroed.sqlite': (path) => halfMade(path, () => writeFileSync(path, Buffer.alloc(4096))),
};

/** Killed while it made tables: some pages are written, and the journal says what they were. */
function halfMade(path: string, spoil: () => void): void {
  const db = new Database(`${path}.going`);
  db.pragma('cache_size = 1');
  db.exec('BEGIN');
  createTables(db);
  copyFileSync(`${path}.going`, path);
  copyFileSync(`${path}.going-journal`, `${path}-journal`);
  db.close();
  expect(statSync(path).size).toBeGreaterThan(4096);
  spoil();
}
