/** `fork`: a run anew from a step on. Its past is its parent's, read through and not copied; what was changed takes effect from there. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { reseal } from '../replay/changes.js';

const cwd = temporaryFolder();
const LOG = 'run.sqlite';
let parent = '';
let chain = '';

interface Document {
  run_id: string;
  status: string;
  steps: number;
  chain_hash: string;
}

async function fork(...words: string[]) {
  const { code, out, err } = await orchestrate(['fork', ...words, '--json'], { cwd });
  return { code, err, ...(out === '' ? {} : (JSON.parse(out) as Document)) };
}

function reading<T>(read: (reader: LogReader) => T): T {
  const reader = new LogReader(join(cwd, LOG));
  try {
    return read(reader);
  } finally {
    reader.close();
  }
}

beforeAll(async () => {
  writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 4'));
  const words = ['run', 'corridor.yaml', '--json', '--controller', 'random', '--out', LOG];
  const document = JSON.parse((await orchestrate(words, { cwd })).out) as Document;
  parent = `${LOG}#${document.run_id}`;
  chain = document.chain_hash;
});

describe('a fork', () => {
  it('in which nothing changes ends with the chain of its parent, and copies none of its steps', async () => {
    for (const at of [1, 2, 4, 6, 12, 13]) {
      const { code, err, run_id: runId = '', chain_hash } = await fork(parent, '--at', String(at));
      expect([code, chain_hash], err).toEqual([0, chain]);
      reading((reader) => {
        const own = reader.stretches(runId).at(-1);
        expect(own).toMatchObject({ runId, from: at });
        expect([...reader.steps(runId)].map(({ step }) => step)).toEqual(
          [...Array(12).keys()].map((i) => i + 1),
        );
      });
    }
    expect((await orchestrate(['verify', LOG], { cwd })).code).toBe(0);
  });

  it('may answer with nothing at all', async () => {
    const { code, err, run_id: runId = '' } = await fork(parent, '--at', '4', '--reply', '');
    expect(code, err).toBe(0);
    reading((reader) => {
      const [call] = reader.calls(runId, 4);
      expect(call?.end).toMatchObject({ reply: { content: '' } });
      expect(reader.step(runId, 4)?.acts[0]).toMatchObject({ reading: { ok: false }, intent: null });
    });
    expect((await orchestrate(['verify', `${LOG}#${runId}`], { cwd })).code).toBe(0);
    expect(await fork(parent, '--at', '4', '--reply')).toMatchObject({ code: 2 });
  });

  it('answers its first call with the reply that was given, and verifies; so does a fork of it', async () => {
    const given = await fork(parent, '--at', '4', '--reply', 'ACTION: GO EAST');
    expect(given.code, given.err).toBe(0);
    expect(given.chain_hash).not.toBe(chain);
    const { run_id: runId = '' } = given;
    reading((reader) => {
      const [call] = reader.calls(runId, 4);
      expect(call?.request).toMatchObject({ controller: 'given', agent: reader.step(runId, 4)?.agent });
      expect(call?.end).toMatchObject({ reply: { content: 'ACTION: GO EAST' } });
      expect(reader.calls(runId, 2)).toHaveLength(2);
    });
    for (const at of ['2', '4', '8']) {
      const below = await fork(`${LOG}#${runId}`, '--at', at, '--say', 'bob:"Hello there."');
      expect(below.code, below.err).toBe(0);
      const verified = await orchestrate(['verify', `${LOG}#${below.run_id}`], { cwd });
      expect(verified.code, verified.out + verified.err).toBe(0);
      const said = reading((reader) => [...reader.steps(below.run_id ?? '')].flatMap(({ acts }) => acts));
      expect(said.some(({ intent }) => intent?.args['text'] === 'Hello there.')).toBe(true);
    }
  });

  it('takes another protocol or other settings from its first step on', async () => {
    const other = await fork(parent, '--at', '7', '--protocol', 'json', '--set', 'turns.max=6');
    expect(other.code, other.err).toBe(0);
    expect(other.steps).toBe(18);
    const contents = reading((reader) =>
      [5, 8].map((step) => {
        const end = reader.calls(other.run_id ?? '', step)[0]?.end;
        return end?.kind === 'replied' ? end.reply.content : '';
      }),
    );
    expect(contents[0]).toContain('ACTION');
    expect(contents[1]).toContain('{');
    const below = await fork(`${LOG}#${other.run_id}`, '--at', '16');
    expect([below.code, below.chain_hash], below.err).toEqual([0, other.chain_hash]);
    const verified = await orchestrate(['verify', LOG], { cwd });
    expect(verified.code, verified.out + verified.err).toBe(0);
  });

  it('that is killed before its first step has not forgotten what it was given', async () => {
    const given = await fork(parent, '--at', '4', '--reply', 'ACTION: GO EAST');
    const { run_id: runId = '', chain_hash: whole } = given;
    const db = new Database(join(cwd, LOG));
    db.pragma('foreign_keys = OFF');
    const run = db.prepare('SELECT run FROM runs WHERE run_id = ?').pluck().get(runId);
    for (const table of ['ends', 'steps', 'replies', 'calls', 'snapshots'])
      db.prepare(`DELETE FROM ${table} WHERE run = ?`).run(run);
    reseal(db);
    db.close();
    const { code, out, err } = await orchestrate(['resume', `${LOG}#${runId}`, '--json'], { cwd });
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ run_id: runId, chain_hash: whole, steps: 12 });
    expect((await orchestrate(['verify', `${LOG}#${runId}`], { cwd })).code).toBe(0);
  });

  it('makes no log where there is none, and neither does resume', async () => {
    for (const words of [
      ['fork', 'none.sqlite', '--at', '1'],
      ['resume', 'none.sqlite'],
    ]) {
      const { code, err } = await orchestrate(words, { cwd });
      expect([code, err]).toEqual([2, expect.stringContaining('there is no log')]);
    }
    expect(existsSync(join(cwd, 'none.sqlite'))).toBe(false);
  });

  it('is one of the runs that show tells, below its parent, with what was changed', async () => {
    const { out } = await orchestrate(['show', LOG, '--json'], { cwd });
    const { runs } = JSON.parse(out) as { runs: readonly Record<string, unknown>[] };
    expect(runs[0]).toMatchObject({ parent: null, fork_step: null, changes: [], steps: 12, status: 'ended' });
    const changes = runs.map((run) => JSON.stringify(run['changes']));
    expect(changes.some((one) => one.includes('"what":"turns.max","before":"4","after":"6"'))).toBe(true);
    expect(changes.some((one) => one.includes('reply of '))).toBe(true);
    const tree = await orchestrate(['show', LOG, '--tree'], { cwd });
    expect(tree.out).toMatch(/^ {2}corridor-\w+ {2}from step 7\n/m);
    const recorded = await orchestrate(
      [
        'run',
        'corridor.yaml',
        '--controller',
        `recorded:${LOG}#${String(runs[1]?.['run_id'])}`,
        '--json',
        '--out',
        'x.sqlite',
      ],
      { cwd },
    );
    expect(JSON.parse(recorded.out)).toMatchObject({ chain_hash: runs[1]?.['chain_hash'] });
  });

  it.each([
    [['--at', '14'], 'can begin at step 1 to 13'],
    [['--at', '2', '--set', 'seed=5'], 'depend on it'],
    [['--at', '2', '--set', 'things.coin.name=gem'], 'would change the world'],
    [['--at', '2', '--set', 'turns.mx=5'], 'mx'],
    [['--at', '3', '--reply', 'x'], 'belongs to the world'],
    [['--at', '2', '--say', 'hi'], '--say \'ann:"hi"\' makes ann say it'],
    [['--at', '2', '--say', 'eve:"hi"'], 'no agent "eve"'],
    [['--at', '2', '--reply', 'x', '--say', 'ann:"x"'], 'use only one of them'],
  ])('refuses %j', async (words, why) => {
    const before = reading((reader) => reader.runs().length);
    const { code, err } = await fork(parent, ...words);
    expect([code, err]).toEqual([2, expect.stringContaining(why)]);
    expect(reading((reader) => reader.runs().length)).toBe(before);
  });
});
