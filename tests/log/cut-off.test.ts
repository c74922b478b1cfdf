/**
 * A log that another program cuts off, replaces or removes while it is open: its writer stops and calls nothing whole, whoever reads it meets
 * damage or what it was.
 */
import {
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { StorageError } from '../../src/base/errors.js';
import { LogReader } from '../../src/log/reader.js';
import { LogWriter } from '../../src/log/writer.js';
import { play, sampleRun } from './sample.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();

function thrown(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
}

describe('under its writer', () => {
  it.each([
    ['is cut off', (path: string) => truncateSync(path, 8192)],
    ['is emptied', (path: string) => truncateSync(path, 0)],
    ['is removed', (path: string) => rmSync(path)],
    ['has its WAL cut off', (path: string) => truncateSync(`${path}-wal`, 100)],
    [
      'is replaced',
      (path: string) => {
        copyFileSync(path, `${path}.other`);
        renameSync(`${path}.other`, path);
      },
    ],
  ])('%s: the writer stops, and says of nothing that it is whole', (what, harm) => {
    const path = join(folder, `${what.replaceAll(' ', '-')}.sqlite`);
    const writer = new LogWriter(path);
    writer.begin(sampleRun(), { turn: 0 });
    play(writer, sampleRun(), 20, true);
    writer.flush();
    harm(path);
    const error = thrown(() => {
      play(writer, { ...sampleRun('other') }, 1, true);
      writer.flush();
    });
    expect(error).toBeInstanceOf(StorageError);
    const { message, hints } = error as StorageError;
    expect(message).toContain('was cut off, replaced or removed by another program');
    expect([message, ...hints].join('\n')).not.toMatch(/whole/);
    writer.close();
  });

  it('is cut off after the last step: the run has no good end', () => {
    const path = join(folder, 'late.sqlite');
    const writer = new LogWriter(path);
    writer.begin(sampleRun(), { turn: 0 });
    play(writer, sampleRun(), 20, true);
    writer.flush();
    truncateSync(path, 4096);
    expect(thrown(() => writer.close())).toBeInstanceOf(StorageError);
  });
});

describe('under a reader', () => {
  let whole = Buffer.alloc(0);
  beforeAll(() => {
    const path = join(folder, 'read.sqlite');
    const writer = new LogWriter(path);
    writer.begin(sampleRun(), { turn: 0 });
    play(writer, sampleRun(), 300, true);
    writer.close();
    whole = readFileSync(path);
  });

  it('gives damage or what it was, wherever it is cut off', () => {
    const path = join(folder, 'shortened.sqlite');
    let told = 0;
    for (let part = 0; part < 24; part++) {
      for (const end of ['-wal', '-shm']) if (existsSync(path + end)) rmSync(path + end);
      writeFileSync(path, whole);
      const reader = new LogReader(path);
      const steps: number[] = [];
      const error = thrown(() => {
        for (const { step } of reader.steps('run-1')) {
          reader.calls('run-1', step);
          steps.push(step);
          if (step === 5 + part) truncateSync(path, Math.floor((whole.length * part) / 24));
        }
      });
      reader.close();
      if (error === null) expect(steps).toHaveLength(300);
      else {
        expect(error).toBeInstanceOf(StorageError);
        told += 1;
      }
      expect(steps).toEqual(steps.map((_step, i) => i + 1));
    }
    expect(told).toBeGreaterThan(12);
  });
});
