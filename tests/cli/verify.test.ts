/** `verify`: exit codes, what people read, and the one document of `--json`. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { reseal } from '../replay/changes.js';

const cwd = temporaryFolder();

function copied(name: string, sql: string): void {
  copyFileSync(join(cwd, 'good.sqlite'), join(cwd, name));
  const db = new Database(join(cwd, name));
  db.exec(sql);
  reseal(db);
  db.close();
}

beforeAll(async () => {
  writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 2'));
  for (const seed of ['1', '2'])
    await orchestrate(['run', 'corridor.yaml', '--seed', seed, '--out', 'good.sqlite', '--quiet'], { cwd });
  copied(
    'bad.sqlite',
    `UPDATE steps SET acts = json_set(acts, '$[0].result.message', 'x') WHERE run = 1 AND step = 2`,
  );
  copied('damaged.sqlite', 'UPDATE frames SET png = zeroblob(99)');
  copied('open.sqlite', 'DELETE FROM ends WHERE run = 2; DELETE FROM steps WHERE run = 2 AND step > 4');
  writeFileSync(
    join(cwd, 'corridor.txt'),
    'no log at all, but long enough to be read as one if anything could',
  );
});

// Bob reads the sign first, which is free: one frame more than agents' steps.
describe('verify', () => {
  it('tells of every run of a file, and exits 0 where all are the same', async () => {
    const { code, out, err } = await orchestrate(['verify', 'good.sqlite'], { cwd });
    expect([code, err]).toEqual([0, '']);
    expect(out.trimEnd().split('\n')).toHaveLength(2);
    expect(out).toMatch(/^ok {7}good\.sqlite corridor-\w+: 6 steps, 5 frames\n/);
  });

  it('exits 1 with the first difference: run, step, agent, part, path, both values', async () => {
    const { code, out } = await orchestrate(['verify', 'bad.sqlite'], { cwd });
    expect(code).toBe(1);
    expect(out).toMatch(
      /^differs {2}bad\.sqlite corridor-\w+: 1 step, 3 frames match\n {2}step 2 · bob · result: /,
    );
    expect(out).toMatch(/\n {2}path {4}\/acts\/0\/result\/message\n {2}logged {2}"x"\n {2}replay {2}"/);
    expect(out).toMatch(/\nok {7}bad\.sqlite/);
  });

  it('prints one document with --json, everything human beside it', async () => {
    const good = await orchestrate(['verify', 'good.sqlite', '--json'], { cwd });
    expect(JSON.parse(good.out)).toEqual({ ok: true, steps: 12, frames: 10, first_difference: null });
    const { code, out, err } = await orchestrate(['verify', 'good.sqlite', 'bad.sqlite', '--json'], { cwd });
    expect(code).toBe(1);
    expect(err).toContain('differs');
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      first_difference: {
        step: 2,
        agent: 'bob',
        part: 'result',
        path: '/acts/0/result/message',
        logged: '"x"',
      },
    });
  });

  it('verifies one run that is named, and a run without an end as far as it goes', async () => {
    const { out } = await orchestrate(['verify', 'bad.sqlite'], { cwd });
    const second = /ok {7}bad\.sqlite (\S+):/.exec(out)?.[1] ?? '';
    expect((await orchestrate(['verify', `bad.sqlite#${second}`], { cwd })).code).toBe(0);
    const open = await orchestrate(['verify', 'open.sqlite'], { cwd });
    expect(open.code).toBe(0);
    expect(open.out).toContain('incomplete: still running, or killed');
  });

  it('exits 2 for what is no log, 3 for a damaged one, and goes on to the others', async () => {
    const none = await orchestrate(['verify', 'corridor.txt', 'good.sqlite'], { cwd });
    expect(none.code).toBe(2);
    expect(none.err).toContain('is not a log');
    expect(none.out).toMatch(/^ok/);
    expect((await orchestrate(['verify', 'good.sqlite#nobody'], { cwd })).code).toBe(2);
    const damaged = await orchestrate(['verify', 'damaged.sqlite', 'bad.sqlite', '--json'], { cwd });
    expect(damaged.code).toBe(3);
    expect(damaged.err).toMatch(/run corridor-\w+, step 1: the log .* is damaged: frame/);
    expect(JSON.parse(damaged.out)).toMatchObject({ ok: false });
  });
});
