/** `diff`: exit codes, what people read in 80 columns and in a pipe, the document of `--json`, and which runs an address means. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { reseal } from '../replay/changes.js';

const cwd = temporaryFolder();

function diff(...words: string[]) {
  return orchestrate(['diff', ...words], { cwd });
}

async function play(out: string, replies: string, text = corridor('max: 2')): Promise<void> {
  const yaml = text.replace('figure/knight }', `figure/knight, replies: [${replies}] }`);
  writeFileSync(join(cwd, 'played.yaml'), yaml);
  expect((await orchestrate(['run', 'played.yaml', '--out', out, '--quiet'], { cwd })).err).toBe('');
}

beforeAll(async () => {
  await play('one.sqlite', "'ACTION: GO EAST', 'ACTION: GO SOUTH'");
  await play('same.sqlite', "'ACTION: GO EAST', 'ACTION: GO SOUTH'");
  await play('two.sqlite', "'ACTION: GO EAST', 'ACTION: WAIT'");
  await play('pair.sqlite', "'ACTION: GO EAST', 'ACTION: GO SOUTH'");
  await play('pair.sqlite', `'ACTION: GO EAST', 'ACTION: SPEAK "One \u009B31m \u202E way."'`);
});

describe('diff', () => {
  it('exits 0 where nothing differs', async () => {
    const { code, out, err } = await diff('one.sqlite', 'same.sqlite');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/\nidentical {2}No difference/);
    expect(out).not.toContain('They diverge');
  });

  it('exits 1 and tells where they part, what was done, how the worlds differ, and the ends', async () => {
    const { code, out } = await diff('one.sqlite', 'two.sqlite');
    expect(code).toBe(1);
    expect(out).toContain('They diverge in turn 2, Ann (step 4): a different action or result.');
    expect(out).toContain('First difference in a reply: turn 2 · Ann · step 4 · reply/content');
    expect(out).toMatch(/\nFrom there\nT2 Ann +GO SOUTH +WAIT\n +You went south\. +You waited\.\n/);
    expect(out).toMatch(
      /\nThe worlds where they diverge \(after step 4\)\nin: entities, .*speech.*\nAnn +at 3,2 +at 3,1\n/,
    );
    expect(out).toMatch(
      /\nentities \(state\)\n {2}\/bodies\/ann\/facing +4 +2\n {2}\/bodies\/ann\/y +2 +1\n/,
    );
    expect(out).toMatch(/\nHow they ended\n +ended: /);
    expect(out).toMatch(/Parts of the worlds that differ at the end: .*entities \(turn 2\)/);
  });

  it('tells first what was set up otherwise', async () => {
    await play('seed.sqlite', "'ACTION: GO EAST'", corridor('max: 2').replace('seed: 1', 'seed: 5'));
    const { out } = await diff('one.sqlite', 'seed.sqlite');
    expect(out).toMatch(/\nDifferent setup\nseed +"1" +"5"\n/);
    expect(out.indexOf('Different setup')).toBeLessThan(out.indexOf('They diverge'));
  });

  it('compares the two runs of a file, and runs that are named', async () => {
    const { code, out } = await diff('pair.sqlite');
    expect(code).toBe(1);
    const [a, b] = [...out.matchAll(/pair\.sqlite#(played-\w+)/g)].map(([, id]) => id ?? '');
    expect((await diff(`pair.sqlite#${a}`, `pair.sqlite#${b}`)).out).toBe(out);
    expect((await diff(`pair.sqlite#${a}`, 'one.sqlite')).code).toBe(0);
    expect((await diff('one.sqlite')).err).toContain('is not a fork, so specify the run to compare it with');
    expect((await diff('pair.sqlite', 'one.sqlite')).err).toContain('has 2 runs: choose one');
    expect((await diff('none.sqlite', 'one.sqlite')).code).toBe(2);
  });

  it('compares a fork with its parent, from the fork on', async () => {
    await play('fork.sqlite', "'ACTION: GO EAST', 'ACTION: GO SOUTH'");
    await play('fork.sqlite', "'ACTION: GO EAST', 'ACTION: WAIT'");
    const db = new Database(join(cwd, 'fork.sqlite'));
    db.exec('UPDATE runs SET parent_run = 1, fork_step = 4 WHERE run = 2');
    db.exec('DELETE FROM steps WHERE run = 2 AND step < 4');
    reseal(db);
    const fork = String(db.prepare('SELECT run_id FROM runs WHERE run = 2').pluck().get());
    db.close();
    const { code, out } = await diff(`fork.sqlite#${fork}`);
    expect(code).toBe(1);
    expect(out).toContain(
      'They share the first 3 steps: one is a fork of the other, or both are forks of one run.\nThey diverge in turn 2, Ann (step 4)',
    );
    const document = JSON.parse((await diff(`fork.sqlite#${fork}`, '--json')).out) as object;
    expect(document).toMatchObject({ shared_steps: 3, b: { run: fork }, parting: { turn: 2 } });
    expect((await orchestrate(['reparse', 'fork.sqlite'], { cwd })).out).toMatch(/ok {2}\d+ stored/);
  });

  it('shows what was said, and lets nothing of it act; lines stay within the columns', async () => {
    for (const columns of [80, 120]) {
      const { out } = await orchestrate(['diff', 'pair.sqlite'], {
        cwd,
        isTerminal: true,
        columns,
        env: { NO_COLOR: '1' },
      });
      expect(out).toMatch(/SPEAK\n +.*“One 31m way\.”/);
      expect(out).not.toMatch(/[\u009B\u202E]/);
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
    }
  });

  it('shows as many steps as are asked for', async () => {
    const shown = (out: string): number => out.split('\n').filter((line) => /^T\d+ /.test(line)).length;
    expect(shown((await diff('one.sqlite', 'two.sqlite', '--steps', '1')).out)).toBe(1);
    expect(shown((await diff('one.sqlite', 'two.sqlite', '--steps', '0')).out)).toBe(0);
    const most = LIMITS.diffMoments;
    expect(shown((await diff('one.sqlite', 'two.sqlite', '--steps', String(most))).out)).toBe(2);
    expect((await diff('one.sqlite', 'two.sqlite', '--steps', String(most + 1))).code).toBe(2);
  });

  it('prints one document with --json', async () => {
    const { code, out } = await diff('one.sqlite', 'two.sqlite', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      same: false,
      a: { log: expect.stringContaining('one.sqlite#') as string, status: 'ended', turns: 2, steps: 6 },
      setup: [{ path: expect.stringContaining('/scenario/agents/0/controller') as string }],
      shared_steps: 0,
      parting: { turn: 2, agent: 'ann', steps: { a: 4, b: 4 }, aspects: ['acts', 'events', 'world'] },
      told: null,
      answered: { part: 'reply', path: '/content', a: '"ACTION: GO SOUTH"', b: '"ACTION: WAIT"' },
      worlds: { before: null, after: { things: [{ id: 'ann' }], has_more: false }, missing: null },
      moments: [{ turn: 2, agent: 'ann', a: { acts: [{}] } }, { agent: 'bob' }, { agent: 'world' }],
    });
    const same = JSON.parse((await diff('one.sqlite', 'same.sqlite', '--json')).out) as object;
    expect(same).toMatchObject({ same: true, parting: null, moments: [] });
  });

  it('says which log is damaged, and exits 3', async () => {
    await play('broken.sqlite', "'ACTION: GO EAST'");
    const db = new Database(join(cwd, 'broken.sqlite'));
    db.exec(`UPDATE steps SET acts = '{}' WHERE step = 2`);
    db.close();
    const { code, err } = await diff('one.sqlite', 'broken.sqlite');
    expect(code).toBe(3);
    expect(err).toContain('broken.sqlite');
  });
});
