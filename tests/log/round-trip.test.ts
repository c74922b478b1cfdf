/** What is written comes back exactly: every record, the exact messages, pictures; many runs in one file. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { sha256 } from '../../src/base/canonical.js';
import { LogReader } from '../../src/log/reader.js';
import type { Message } from '../../src/model/chat.js';
import { LogWriter } from '../../src/log/writer.js';
import type { OutsideRecord, ProbeRecord } from '../../src/trajectory/records.js';
import {
  play,
  sampleCall,
  sampleEnd,
  sampleStep,
  samplePng,
  sampleRun,
  textMessage,
  turnMessage,
} from './sample.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();

describe('a run written and read back', () => {
  const path = join(folder, 'made', 'on', 'the', 'way', 'whole.sqlite');
  const run = sampleRun();
  const probe: ProbeRecord = {
    runId: run.runId,
    call: 3,
    kind: 'beside',
    question: 'What is “there”?',
    options: ['a', 'b'],
    expected: 'a',
    answer: 'b',
    verdict: 'wrong',
  };
  const outside: OutsideRecord = {
    runId: run.runId,
    step: 3,
    agent: 'nyla',
    action: 'SEARCH',
    args: { text: 'keys' },
    output: { hits: ['a key is metal'] },
    startedAt: 1_790_000_000_003,
    durationMs: 4.25,
  };
  const writer = new LogWriter(path);
  writer.begin(run, { turn: 0 });
  writer.outside(outside);
  writer.outside({ ...outside, output: { hits: [] } });
  const played = play(writer, run, 200, true);
  writer.probe(probe);
  const end = sampleEnd(known(played.steps.at(-1), 'a step'));
  writer.end(run.runId, end);
  writer.close();
  const reader = new LogReader(path);

  it('gives the run, its end and its outside values', () => {
    expect(reader.run(run.runId)).toEqual(run);
    expect(reader.end(run.runId)).toEqual(end);
    expect(reader.outside(run.runId, 3)).toEqual([outside, { ...outside, output: { hits: [] } }]);
    expect(reader.outside(run.runId, 4)).toEqual([]);
    const at = { step: 3, turn: reader.call(run.runId, 3)?.request.turn, agent: 'nyla' };
    expect(reader.probes(run.runId)).toEqual([{ ...probe, ...at }]);
    expect(reader.nextCall(run.runId)).toBe(played.calls.length + 1);
    expect(reader.runs()).toEqual([
      {
        runId: run.runId,
        parent: null,
        name: 'sample',
        seed: '7',
        status: 'succeeded',
        steps: 200,
        chain: reader.end(run.runId)?.chain,
        startedAt: run.startedAt,
      },
    ]);
  });

  it('gives every step, one by one and in ranges', () => {
    expect([...reader.steps(run.runId)]).toEqual(played.steps);
    expect([...reader.steps(run.runId, { from: 65, to: 128 })]).toEqual(played.steps.slice(64, 128));
    expect([...reader.steps(run.runId, { agent: 'nyla', from: 199 })]).toEqual(played.steps.slice(198));
    expect([...reader.steps(run.runId, { agent: 'odo' })]).toEqual([]);
    expect(reader.step(run.runId, 77)).toEqual(played.steps[76]);
    expect(reader.step(run.runId, 201)).toBeNull();
  });

  it('gives every call with the exact messages and its reply', () => {
    played.calls.forEach((request, index) => {
      expect(reader.calls(run.runId, request.step)).toEqual([{ request, end: played.ends[index] }]);
    });
    expect(reader.call(run.runId, 12)?.request).toEqual(played.calls[11]);
    expect(reader.call(run.runId, 1000)).toBeNull();
  });

  it('gives the pictures by frame hash', () => {
    const png = Buffer.from(samplePng(9));
    expect(reader.frame(sha256('frame 9'))).toEqual({ png, width: 480, height: 320 });
    expect(reader.frame(sha256('never sent'))).toBeNull();
  });

  it('gives the newest snapshot before a step', () => {
    expect(reader.snapshotBefore(run.runId, 3)).toEqual({ step: 0, state: { turn: 0 } });
    expect(reader.snapshotBefore(run.runId, 199)).toEqual({ step: 196, state: { turn: 196 } });
  });

  it('names the runs that there are when asked for another', () => {
    expect(() => reader.run('run-9')).toThrow(/has no run run-9/);
  });

  it('shows acts and events as rows', () => {
    const db = new Database(path, { readonly: true });
    const rows = (view: string) => db.prepare(`SELECT * FROM ${view} WHERE run = 1 AND step = 7`).all();
    const { acts, events } = known(played.steps[6], 'step 7');
    const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
    expect(rows('acts')).toEqual(
      acts.map(({ index, call, reading, intent, result, insteadOf }) => ({
        run: 1,
        step: 7,
        position: index,
        call,
        reading: json(reading),
        intent: json(intent),
        result: json(result),
        instead_of: json(insteadOf),
      })),
    );
    expect(rows('events')).toEqual(
      events.map(({ kind, actor, at, data, seenBy }, position) => ({
        run: 1,
        step: 7,
        position,
        kind,
        actor,
        x: at?.x ?? null,
        y: at?.y ?? null,
        data: json(data),
        seen_by: json(seenBy),
      })),
    );
    db.close();
  });

  it('is one file once it is closed, sound by SQLite’s own check', () => {
    expect(readdirSync(join(folder, 'made', 'on', 'the', 'way'))).toEqual(['whole.sqlite']);
    const db = new Database(path, { readonly: true });
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.pragma('foreign_key_check')).toEqual([]);
    db.close();
  });
});

describe('a run of several sessions', () => {
  const path = join(folder, 'sessions.sqlite');
  const run = sampleRun();
  const first = sampleEnd(null, 'interrupted');
  const read = <T>(look: (reader: LogReader) => T): T => {
    const reader = new LogReader(path);
    const found = look(reader);
    reader.close();
    return found;
  };

  it('ends as its newest session does, and keeps the ends of the others', () => {
    const writer = new LogWriter(path);
    writer.begin(run, {});
    writer.end(run.runId, first);
    writer.close();
    expect(read((reader) => reader.end(run.runId))).toEqual(first);
    const again = new LogWriter(path);
    again.resume({ ...run, versions: { ...run.versions, program: '0.2.0' }, controllers: {} }, 1);
    expect(read((reader) => reader.end(run.runId))).toBeNull();
    expect(read((reader) => reader.runs()[0]?.status)).toBe('running');
    const last = sampleEnd(null);
    again.end(run.runId, last);
    expect(() => again.end(run.runId, last)).toThrow(/refused a record/);
    again.close();
    expect(read((reader) => reader.end(run.runId))).toEqual(last);
    expect(read((reader) => reader.runs())).toMatchObject([
      { status: 'succeeded', startedAt: run.startedAt },
    ]);
    const db = new Database(path, { readonly: true });
    const statuses = db.prepare('SELECT status FROM ends ORDER BY sitting').pluck().all();
    db.close();
    expect(statuses).toEqual(['interrupted', 'succeeded']);
  });

  it('is told with the versions and controllers of its first one', () => {
    expect(read((reader) => reader.run(run.runId))).toEqual(run);
  });
});

describe('a file of several runs', () => {
  it('appends, shares what is equal, and keeps forks with their parents', () => {
    const path = join(folder, 'several.sqlite');
    const first = sampleRun('first');
    const fork = { ...sampleRun('fork'), parent: { runId: 'first', step: 3 } };
    for (const run of [first, fork]) {
      const writer = new LogWriter(path);
      writer.begin(run, { turn: 0 });
      if (run === first) play(writer, run, 5, false);
      else for (const step of [3, 4, 5]) writer.step(sampleStep('fork', step, []));
      writer.close();
    }
    const reader = new LogReader(path);
    expect(reader.runs().map((run) => [run.runId, run.parent, run.status, run.steps])).toEqual([
      ['first', null, 'running', 5],
      ['fork', { runId: 'first', step: 3 }, 'running', 5],
    ]);
    expect(reader.run('fork')).toEqual(fork);
    expect(reader.end('fork')).toBeNull();
    expect(reader.calls('fork', 2)[0]?.request.messages).toEqual(
      reader.calls('first', 2)[0]?.request.messages,
    );
    reader.close();
    const db = new Database(path, { readonly: true });
    expect(db.prepare('SELECT count(*) FROM frames').pluck().get()).toBe(5);
    expect(db.prepare('SELECT first_step FROM sittings ORDER BY run').pluck().all()).toEqual([1, 3]);
    expect(db.prepare('SELECT count(*) FROM steps').pluck().get()).toBe(8);
    expect(db.prepare('SELECT count(*) - count(DISTINCT sha256) FROM blobs').pluck().get()).toBe(0);
    db.close();
  });

  it('refuses a second run of the same name', () => {
    const writer = new LogWriter(join(folder, 'twice.sqlite'));
    writer.begin(sampleRun('same'), {});
    expect(() => writer.begin(sampleRun('same'), {})).toThrow(/already contains a run same/);
    writer.close();
  });
});

describe('calls without a reply', () => {
  it('come back as open or failed', () => {
    const path = join(folder, 'open.sqlite');
    const run = sampleRun();
    const writer = new LogWriter(path);
    writer.begin(run, {});
    writer.request(sampleCall(run.runId, 1, [], 1), true);
    writer.request(sampleCall(run.runId, 2, [], 1), true);
    writer.reply(run.runId, 2, { kind: 'failed', error: 'connection refused' }, true);
    writer.close();
    const reader = new LogReader(path);
    expect(reader.calls(run.runId, 1).map((call) => call.end)).toEqual([
      null,
      { kind: 'failed', error: 'connection refused' },
    ]);
    reader.close();
  });
});

describe('storage of growing histories', () => {
  it(
    'grows linearly with the turns: each text and picture once, each request by difference',
    { tags: ['long'] },
    () => {
      const size = (turns: number): number => {
        const path = join(folder, `history-${turns}.sqlite`);
        const writer = new LogWriter(path);
        writer.begin(sampleRun(), {});
        play(writer, sampleRun(), turns, false);
        writer.close();
        const db = new Database(path, { readonly: true });
        const bytes = Number(db.prepare('SELECT sum(length(appended)) FROM calls').pluck().get());
        const texts = Number(db.prepare('SELECT sum(bytes) FROM blobs').pluck().get());
        db.close();
        return bytes + texts;
      };
      const [small, large] = [size(200), size(800)];
      expect(large / small).toBeLessThan(4.2);
      expect(existsSync(join(folder, 'history-800.sqlite-wal'))).toBe(false);
    },
  );

  it('and so it does where summaries come between', () => {
    expect(summariesSize(400) / summariesSize(100)).toBeLessThan(4.4);
  });

  it('keeps the way back to a whole request short, however long the run', () => {
    const path = join(folder, 'way-back.sqlite');
    const writer = new LogWriter(path);
    writer.begin(sampleRun(), {});
    const rules = textMessage('system', 'The rules.');
    for (let n = 1; n <= 200; n++) writer.request(sampleCall('run-1', n, [rules, turnMessage(n)]), false);
    writer.close();
    const db = new Database(path, { readonly: true });
    const longest = db.prepare(`
      WITH RECURSIVE back (call, hops) AS (
        SELECT call, 0 FROM calls WHERE previous IS NULL
        UNION ALL SELECT calls.call, hops + 1 FROM calls JOIN back ON calls.previous = back.call
      ) SELECT max(hops) FROM back`);
    expect(longest.pluck().get()).toBe(16);
    db.close();
  });

  it('rebuilds requests after the history was cut, changed or emptied', () => {
    const path = join(folder, 'trimmed.sqlite');
    const run = sampleRun();
    const writer = new LogWriter(path);
    writer.begin(run, {});
    const [a, b, c] = [textMessage('system', 'a'), textMessage('user', 'b'), textMessage('assistant', 'c')];
    const lists = [
      [a, b, c, turnMessage(1)],
      [a, b],
      [a, c, b],
      [],
      [],
      [a, b, c],
      [a, b, c],
      [b],
      [b, a, a, a],
    ];
    const purposes = ['act', 'act', 'repair', 'summary'] as const;
    lists.forEach((messages, index) => {
      const purpose = purposes[index % 4] ?? 'act';
      writer.request({ ...sampleCall(run.runId, index + 1, messages), purpose }, false);
    });
    writer.close();
    const reader = new LogReader(path);
    lists.forEach((messages, index) => {
      expect(reader.call(run.runId, index + 1)?.request.messages).toEqual(messages);
    });
    reader.close();
  });
});

/** Bytes of requests, where each turn has a call to act and one to sum up. */
function summariesSize(turns: number): number {
  const path = join(folder, `summaries-${turns}.sqlite`);
  const writer = new LogWriter(path);
  writer.begin(sampleRun(), {});
  const history: Message[] = [];
  for (let n = 1; n <= turns; n++) {
    history.push(textMessage('user', `turn ${n}`));
    writer.request(sampleCall('run-1', 2 * n - 1, [...history], n), false);
    const summary = [textMessage('system', 'Sum up.'), ...history];
    writer.request({ ...sampleCall('run-1', 2 * n, summary, n), purpose: 'summary' }, false);
  }
  writer.close();
  const db = new Database(path, { readonly: true });
  const bytes = Number(db.prepare('SELECT sum(length(appended)) FROM calls').pluck().get());
  db.close();
  return bytes;
}

describe('a picture that is sent again', () => {
  /** Bytes of the file after `count` requests of one message each, all with the same picture or none. */
  function sizeOf(name: string, count: number, picture: boolean): number {
    const path = join(folder, name);
    const run = sampleRun();
    const writer = new LogWriter(path);
    writer.begin(run, { turn: 0 });
    for (let n = 1; n <= count; n++) {
      const { role, parts } = turnMessage(1, `Turn ${n}.`);
      const message = picture ? { role, parts } : { role, parts: parts.slice(0, 1) };
      writer.request(sampleCall(run.runId, n, [message]), false);
    }
    writer.close();
    return statSync(path).size;
  }

  it('costs the log under 100 bytes', () => {
    const [few, many] = [100, 1100];
    const shown = sizeOf('shown-many', many, true) - sizeOf('shown-few', few, true);
    const told = sizeOf('told-many', many, false) - sizeOf('told-few', few, false);
    expect((shown - told) / (many - few)).toBeLessThan(100);
  });
});
