/** Steps are read at one look a page: a live writer is not held back by a reader who broke off or failed in the middle of one. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { ReadTransactions } from '../../src/log/read-transactions.js';
import { LogReader } from '../../src/log/reader.js';
import { LogWriter } from '../../src/log/writer.js';
import { play, sampleRun } from './sample.js';
import { temporaryFolder } from '../support/folder.js';

describe('Looks', () => {
  it('is one transaction, however many overlap, and none when all have ended', () => {
    const db = new Database(':memory:');
    const looks = new ReadTransactions(db);
    const [first, second] = [looks.begin(), looks.begin()];
    first();
    expect(db.inTransaction).toBe(true);
    second();
    expect(db.inTransaction).toBe(false);
  });

  it('has ended where the log was closed in the middle of it', () => {
    const db = new Database(':memory:');
    const end = new ReadTransactions(db).begin();
    db.close();
    expect(end).not.toThrow();
  });
});

describe('played', () => {
  it('gives what was written meanwhile, after a reader broke off in the middle of a page', () => {
    const path = join(temporaryFolder(), 'live.sqlite');
    const [run, later] = [sampleRun('first'), sampleRun('later')];
    const writer = new LogWriter(path);
    writer.begin(run, { turn: 0 });
    play(writer, run, 20, false);
    const reader = new LogReader(path);
    for (const { step } of reader.played(run.runId)) if (step.step === 3) break;
    expect(() => {
      for (const _ of reader.played(run.runId)) throw new Error('the reader failed');
    }).toThrow('the reader failed');
    writer.begin(later, { turn: 0 });
    play(writer, later, 5, false);
    expect(reader.runs().map(({ runId }) => runId)).toEqual([run.runId, later.runId]);
    expect([...reader.played(later.runId)].length).toBeGreaterThan(0);
    reader.close();
    writer.close();
  });
});
