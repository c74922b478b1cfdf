/** What binds a log's rows: hashes of rows, seals of runs, sessions and ends, and what says that a session was left. Each change is refused by whoever reads the run. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { StorageError } from '../../src/base/errors.js';
import { sha256 } from '../../src/base/canonical.js';
import { LogReader } from '../../src/log/reader.js';
import { LogWriter } from '../../src/log/writer.js';
import { reseal } from '../replay/changes.js';
import { play, sampleEnd, samplePng, sampleRun } from './sample.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
const whole = join(folder, 'whole.sqlite');
let copies = 0;

beforeAll(() => {
  const writer = new LogWriter(whole);
  writer.begin(sampleRun(), { turn: 0 });
  const { steps } = play(writer, sampleRun(), 4, true);
  writer.end('run-1', sampleEnd(known(steps.at(-1), 'a step')));
  writer.close();
});

/** A copy with something done to it. */
function copyWith(sql: string, isForged = false): string {
  copies += 1;
  const path = join(folder, `${copies}.sqlite`);
  copyFileSync(whole, path);
  const db = new Database(path);
  db.pragma('foreign_keys = OFF');
  db.pragma('ignore_check_constraints = ON');
  db.exec(sql);
  if (isForged) reseal(db);
  db.close();
  return path;
}

function readAll(path: string): string {
  const reader = new LogReader(path);
  try {
    for (const { runId } of reader.runs()) {
      reader.run(runId);
      reader.end(runId);
      reader.sessions(runId);
      for (const { step } of reader.steps(runId)) reader.calls(runId, step);
    }
    return 'read';
  } catch (error) {
    if (error instanceof StorageError) return error.message;
    throw error;
  } finally {
    reader.close();
  }
}

describe('a changed row', () => {
  it('is read where nothing was changed', () => {
    expect(readAll(whole)).toBe('read');
  });

  it.each([
    ['runs.name', "UPDATE runs SET name = 'other'", 'the beginning of session 1 was altered (hash mismatch)'],
    [
      'runs.run_id',
      "UPDATE runs SET run_id = 'other'",
      'the beginning of session 1 was altered (hash mismatch)',
    ],
    ['runs.kept', 'UPDATE runs SET kept = source', 'the beginning of session 1 was altered (hash mismatch)'],
    ['runs, removed', 'DELETE FROM runs', 'the beginning of run number 1 is missing'],
    [
      'sessions.started_at',
      'UPDATE sittings SET started_at = 7',
      'the beginning of session 1 was altered (hash mismatch)',
    ],
    ['sittings, removed', 'DELETE FROM sittings', 'the beginning of run number 1 is missing'],
    [
      'tileset_images, removed',
      'DELETE FROM tileset_images',
      'the beginning of session 1 was altered (hash mismatch)',
    ],
    ['ends.reason', "UPDATE ends SET reason = 'because'", 'the end of session 1 was altered (hash mismatch)'],
    ['ends, removed', 'DELETE FROM ends', 'the end of session 1 is missing'],
    ['seals, removed', "DELETE FROM seals WHERE kind = 'begin'", 'session 1 has no seal'],
    ['seals of an end, removed', "DELETE FROM seals WHERE kind = 'end'", 'the end of session 1 has no seal'],
    ['seals.kind', "UPDATE seals SET kind = 'other' WHERE kind = 'end'", 'has an unknown kind of seal'],
    [
      'steps.acts',
      "UPDATE steps SET acts = replace(acts, 'You took', 'You lost') WHERE step = 2",
      'step 2 was altered (hash mismatch)',
    ],
    [
      'steps.finished_at',
      'UPDATE steps SET finished_at = 7 WHERE step = 2',
      'step 2 was altered (hash mismatch)',
    ],
    ['steps.sha256', 'UPDATE steps SET sha256 = NULL WHERE step = 2', 'step 2 was altered (hash mismatch)'],
    ['steps, one removed', 'DELETE FROM steps WHERE step = 2', 'found 3 steps'],
    [
      'steps, the last removed',
      'DELETE FROM steps WHERE step = 4',
      'its end record names the wrong last step (4)',
    ],
    [
      'calls.purpose',
      "UPDATE calls SET purpose = 'repair' WHERE call = 2",
      'call 2 was altered (hash mismatch)',
    ],
    ['calls.attempt', 'UPDATE calls SET attempt = 2 WHERE call = 2', 'call 2 was altered (hash mismatch)'],
    [
      'replies.usage',
      `UPDATE replies SET usage = '{"promptTokens":9}' WHERE call = 2`,
      'the reply to call 2 was altered (hash mismatch)',
    ],
    [
      'replies.finish_reason',
      "UPDATE replies SET finish_reason = 'tool_calls' WHERE call = 2",
      'the reply to call 2 was altered (hash mismatch)',
    ],
  ])('%s is told', (_what, sql, message) => {
    expect(readAll(copyWith(sql))).toContain(message);
  });

  it('that is forged with its hashes is no end of another step', () => {
    expect(readAll(copyWith("UPDATE ends SET status = 'failed'", true))).toContain(
      'its end record does not match step 4',
    );
    expect(readAll(copyWith("UPDATE ends SET reason = 'Because.'", true))).toContain(
      'its end record does not match step 4',
    );
  });

  it('an end with its seal is gone: nothing says that the run was left', () => {
    const path = copyWith("DELETE FROM ends; DELETE FROM seals WHERE kind = 'end'");
    expect(readAll(path)).toContain('the end of session 1 is missing');
  });

  it.each([
    [
      'a huge picture',
      `UPDATE frames SET width = 60000, height = 60000, png = X'${png(60_000)}', sha256 = '${sha256(Buffer.from(png(60_000), 'hex'))}'`,
      'is larger than',
    ],
    [
      'a number that is none',
      'UPDATE steps SET turn = 0 WHERE step = 2',
      'turn of step 2 is invalid: expected a positive whole number',
    ],
    [
      'a date that is none',
      'UPDATE steps SET finished_at = 9007199254740991 WHERE step = 2',
      'finished_at of step 2 is invalid: expected a time in milliseconds',
    ],
    [
      'one time of a tick without the other',
      'UPDATE steps SET settle_ms = 5 WHERE step = 2',
      'one of overrun_ms and settle_ms of step 2 is missing',
    ],
    [
      'calls that are lists',
      "UPDATE steps SET calls = '[[]]' WHERE step = 2",
      'the structure of the calls of step 2 is wrong',
    ],
    [
      'a word that is none',
      "UPDATE calls SET purpose = 'constructor' WHERE call = 2",
      'purpose of call 2 is invalid: expected act, repair',
    ],
    [
      'what nests without end',
      `UPDATE replies SET memory = '${'['.repeat(900)}${']'.repeat(900)}' WHERE call = 2`,
      'the memory of the reply to call 2 nests too deeply',
    ],
  ])('%s is refused where its hashes are right', (_what, sql, message) => {
    expect(readAll(copyWith(sql, true))).toContain(message);
  });
});

/** The beginning of a picture of that side. */
function png(side: number): string {
  const bytes = Buffer.from(samplePng(0));
  bytes.writeUInt32BE(side, 16);
  bytes.writeUInt32BE(side, 20);
  return bytes.toString('hex');
}

describe('a run without an end', () => {
  const kinds = (path: string): unknown => {
    const db = new Database(path, { readonly: true });
    const found = db.prepare('SELECT kind FROM seals ORDER BY run, sitting, kind').pluck().all();
    db.close();
    return found;
  };

  it('of a writer that was closed in the midst of a run says that it was left, and where', () => {
    const path = join(folder, 'left.sqlite');
    const writer = new LogWriter(path);
    writer.begin(sampleRun(), { turn: 0 });
    play(writer, sampleRun(), 3, true);
    writer.close();
    expect(kinds(path)).toEqual(['begin', 'left']);
    expect(readAll(path)).toBe('read');
    const db = new Database(path);
    db.exec('DELETE FROM steps WHERE step = 3');
    db.close();
    expect(readAll(path)).toContain('the last step of session 1 was altered (hash mismatch)');
  });

  it('of a process that is gone is said to be left by the next writer', () => {
    const path = join(folder, 'killed.sqlite');
    const writer = new LogWriter(path);
    writer.begin(sampleRun(), { turn: 0 });
    play(writer, sampleRun(), 3, true);
    writer.flush();
    const killed = join(folder, 'killed-copy.sqlite');
    for (const end of ['', '-wal']) copyFileSync(path + end, killed + end);
    writer.close();
    const db = new Database(killed);
    db.exec("UPDATE writer SET process = 'gone'");
    db.close();
    expect(readAll(killed)).toBe('read');
    new LogWriter(killed).close();
    expect(kinds(killed)).toEqual(['begin', 'left']);
    expect(readAll(killed)).toBe('read');
  });
});
