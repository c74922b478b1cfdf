/**
 * Promise 3 for files that may be open: where there are too few, the first moments of a log are told as that, with what to do, and leave a log that is
 * whole or none. In: a limit of this very process, lowered while a log is made; where no program can lower it, nothing is tried.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StorageError } from '../../src/base/errors.js';
import { LogReader } from '../../src/log/reader.js';
import { LogWriter } from '../../src/log/writer.js';
import { sampleRun } from '../log/sample.js';
import { temporaryFolder } from '../support/folder.js';
import { reached } from '../support/sizes.js';

const folder = temporaryFolder();
/** More than a log needs, so that the last ones succeed. */
const LEFT_MAX = 8;

function softLimit(): string | null {
  try {
    return execFileSync('prlimit', ['--pid', String(process.pid), '--nofile', '-o', 'SOFT', '--noheadings'], {
      encoding: 'utf8',
    }).trim();
  } catch {
    return null;
  }
}

function limitTo(files: number | string): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${files}:`]);
}

/** With so many files left that may be opened. */
function withFilesLeft(left: number, work: () => void): void {
  const before = softLimit() ?? '';
  const held: number[] = [];
  const highest = openSync('/dev/null', 'r');
  closeSync(highest);
  limitTo(highest + 64);
  try {
    for (;;) held.push(openSync('/dev/null', 'r'));
  } catch {
    for (const file of held.splice(0, left)) closeSync(file);
  }
  try {
    work();
  } finally {
    for (const file of held) closeSync(file);
    limitTo(before);
  }
}

function failureOf(work: () => void): unknown {
  try {
    work();
    return null;
  } catch (error) {
    return error;
  }
}

describe.runIf(softLimit() !== null)('few files that may be open', () => {
  it('are told as that, and leave a whole log or none', () => {
    // What a process loads and learns once needs files as well.
    new LogWriter(join(folder, 'first.sqlite')).close();
    let refused = 0;
    for (let left = 0; left <= LEFT_MAX; left++) {
      const path = join(folder, `${left}.sqlite`);
      let failure: unknown = null;
      withFilesLeft(left, () => {
        failure = failureOf(() => {
          const writer = new LogWriter(path);
          try {
            writer.begin(sampleRun(), {});
          } finally {
            writer.close();
          }
        });
      });
      if (failure !== null) {
        refused += 1;
        expect(failure).toBeInstanceOf(StorageError);
        expect(failure).toMatchObject({ message: expect.stringContaining('too many files are open') });
      }
      const reader = existsSync(path) ? new LogReader(path) : null;
      if (reader !== null) expect(reader.runs().map(({ runId }) => runId)).toEqual(['run-1']);
      reader?.close();
      const writer = new LogWriter(path);
      writer.begin(sampleRun('next'), {});
      writer.close();
    }
    expect(refused).toBeGreaterThan(2);
    expect(refused).toBeLessThan(LEFT_MAX);
    expect(readdirSync(folder).filter((name) => !/^\d\.sqlite$/.test(name))).toEqual([]);
    reached(
      '3 disk full',
      `a log made with 0 to ${LEFT_MAX} files left to open: ${refused} refused, each told as that`,
    );
  });
});
