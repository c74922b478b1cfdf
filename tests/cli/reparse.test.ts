/** `reparse`: exit codes, the table and examples that people read, the document of `--json`; nothing of a reply acts on a terminal. */
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { gridWith } from '../../src/worlds/grid/module.js';
import { MODULES } from '../../src/worlds/registry.js';
import { corridor } from '../orchestrator/two-agents.js';
import { changeReply } from '../replay/changes.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();

function forged(name: string, change: (db: Database.Database) => void): void {
  copyFileSync(join(cwd, 'good.sqlite'), join(cwd, name));
  const db = new Database(join(cwd, name));
  change(db);
  db.close();
}

beforeAll(async () => {
  writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 2'));
  await orchestrate(['run', 'corridor.yaml', '--controller', 'scripted', '--out', 'good.sqlite', '--quiet'], {
    cwd,
  });
  forged('bad.sqlite', (db) => {
    changeReply(db, 1, `I sing \u001B[31m\u202E${'so '.repeat(200)}and that is all.`);
    changeReply(db, 2, 'I wait for Ann here.\nACTION: WAIT');
  });
  forged('foreign.sqlite', (db) => {
    db.exec(`UPDATE replies SET sha256 = '${'0'.repeat(64)}'`);
  });
});

describe('reparse', () => {
  it('exits 0 with a table where each reply reads as it did', async () => {
    const { code, out, err } = await orchestrate(['reparse', 'good.sqlite'], { cwd });
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(
      [
        'model     protocol  rule          same  recovered    lost  changed',
        'scripted  command   label            5          ·       ·        ·',
        '',
        'ok  5 stored replies of 1 run: all are parsed as before',
        '',
      ].join('\n'),
    );
  });

  it('exits 1 with examples: where, the reply with what was accepted, then and now', async () => {
    const { code, out } = await orchestrate(['reparse', 'good.sqlite', 'bad.sqlite'], { cwd });
    expect(code).toBe(1);
    expect(out).toContain('\nlost (1): was an action, is now a problem\n  bad.sqlite#corridor-');
    expect(out).toMatch(/ step 1, ann · scripted · command · label → none\n {4}reply {2}I sing /);
    expect(out).toMatch(/\n {4}was {4}\w[^\n]*\n {4}now {4}unparsable: /);
    expect(out).toMatch(/\n {4}reply {2}I wait for Ann here\. ACTION: ⟦WAIT⟧\n/);
    expect(out).toMatch(/\n\ndiffers {2}10 stored replies of 2 runs: 1 lost, 1 changed\n$/);
  });

  it('lets nothing of a reply act on a terminal, and stays within its columns', async () => {
    for (const columns of [70, 80, 120]) {
      const { out } = await orchestrate(['reparse', 'bad.sqlite'], {
        cwd,
        isTerminal: true,
        columns,
        env: { NO_COLOR: '1' },
      });
      expect(out).not.toMatch(/[\u001B\u202E]/);
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
    }
  });

  it('prints one document with --json', async () => {
    const { code, out } = await orchestrate(['reparse', 'bad.sqlite', '--json'], { cwd });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      parser: 3,
      runs: 1,
      replies: 5,
      same: 3,
      lost: 1,
      changed: 1,
      recovered: 0,
      rows: [{ model: 'scripted', protocol: 'command', rung: 'label', same: 3, lost: 1, changed: 1 }],
      examples: [
        { comparison: 'lost', step: 1, agent: 'ann' },
        { comparison: 'changed', step: 2 },
      ],
    });
    const none = await orchestrate(['reparse', 'bad.sqlite', '--json', '--examples', '0'], { cwd });
    expect(JSON.parse(none.out)).toMatchObject({ lost: 1, examples: [] });
  });

  it('changes no byte, also of a log that may not be written', async () => {
    const path = join(cwd, 'sealed.sqlite');
    copyFileSync(join(cwd, 'bad.sqlite'), path);
    chmodSync(path, 0o444);
    const before = readFileSync(path);
    expect((await orchestrate(['reparse', 'sealed.sqlite'], { cwd })).code).toBe(1);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('goes on to the others where a log is damaged or none, with the worst exit code', async () => {
    const { code, out, err } = await orchestrate(['reparse', 'foreign.sqlite', 'good.sqlite'], { cwd });
    expect(code).toBe(3);
    expect(err).toContain('was altered (hash mismatch)');
    expect(out).toContain('ok  5 stored replies of 1 run');
    expect((await orchestrate(['reparse', 'none.sqlite'], { cwd })).code).toBe(2);
  });

  it('reads with the actions of the environment that is handed in, as it played', async () => {
    const own = gridWith(() => ({
      name: 'HUM',
      aliases: [],
      description: 'Hum a tune.',
      grammar: null,
      examples: [''],
      cost: 'turn',
      check: () => undefined,
      apply: (state) => ({ state, message: 'You hummed.', events: [] }),
    }));
    const modules = [own, ...MODULES.slice(1)];
    const played = corridor('max: 1').replace('figure/wizard }', "figure/wizard, replies: ['ACTION: HUM'] }");
    writeFileSync(join(cwd, 'hum.yaml'), played);
    const { err } = await orchestrate(['run', 'hum.yaml', '--out', 'hum.sqlite'], { cwd, modules });
    expect(err).toBe('');
    expect((await orchestrate(['reparse', 'hum.sqlite'], { cwd, modules })).code).toBe(0);
    const without = await orchestrate(['reparse', 'hum.sqlite'], { cwd });
    expect(without).toMatchObject({ code: 2, out: '' });
    expect(without.err).toContain('was played with the action HUM, which this program does not have');
    expect(without.err).toContain('hint: load the module that it was played with: --modules my-actions.mjs');
  });
});
