/** A frame of a stranger's log may say that it is any size: readers refuse before anything unfolds it. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { LogReader } from '../../src/log/reader.js';
import { LogWriter } from '../../src/log/writer.js';
import { play, sampleRun } from './sample.js';
import { temporaryFolder } from '../support/folder.js';

it('that is larger than LIMITS.logFrameSidePixels is refused by its size, and no smaller one is', () => {
  const path = join(temporaryFolder(), 'a.sqlite');
  const writer = new LogWriter(path);
  writer.begin(sampleRun(), {});
  play(writer, sampleRun(), 1, false);
  writer.close();
  const reasons = [0, 1].map((more) => {
    const db = new Database(path);
    const hash = String(db.prepare('SELECT hash FROM frames').pluck().get());
    db.prepare('UPDATE frames SET width = ?').run(LIMITS.logFrameSidePixels + more);
    db.close();
    const reader = new LogReader(path);
    try {
      reader.frame(hash);
      return '';
    } catch (error) {
      return error instanceof Error ? error.message : '';
    } finally {
      reader.close();
    }
  });
  expect(reasons[0]).not.toBe('');
  expect(reasons[0]).not.toContain('is larger than');
  expect(reasons[1]).toContain('is larger than');
});
