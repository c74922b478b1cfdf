/** `--controller recorded:<log>`: another run's replies play a scenario; where one is missing the run stops and says whose. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { reseal } from '../replay/changes.js';

const cwd = temporaryFolder();
let chain = '';

async function run(...words: string[]) {
  const { code, out, err } = await orchestrate(['run', 'corridor.yaml', '--json', ...words], { cwd });
  const document = out === '' ? null : (JSON.parse(out) as Record<string, unknown>);
  return { code, err, document };
}

beforeAll(async () => {
  writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 4'));
  const { document } = await run('--controller', 'random', '--out', 'first.sqlite');
  chain = String(document?.['chain_hash']);
});

describe('a recording as controller', () => {
  it('plays the same scenario to the same chain, and its log verifies', async () => {
    const { code, document } = await run('--controller', 'recorded:first.sqlite', '--out', 'second.sqlite');
    expect([code, document?.['chain_hash']]).toEqual([0, chain]);
    expect((await orchestrate(['verify', 'second.sqlite'], { cwd })).code).toBe(0);
  });

  it('stops where a reply is missing, and says whose; what it has no use for is passed over', async () => {
    const longer = await run('--controller', 'recorded:first.sqlite', '--max-turns', '9');
    expect(longer.code).toBe(2);
    expect(longer.err).toMatch(/the recording corridor-\w+ has no reply of ann for turn 5, attempt 1/);
    expect(longer.err).toContain('its last recorded reply is in turn 4; --max-turns 4 ends the run there');
    expect(longer.document).toMatchObject({ status: 'error', turns: 4 });
    const shorter = await run('--controller', 'recorded:first.sqlite', '--max-turns', '2');
    expect(shorter.document).toMatchObject({ status: 'ended', turns: 2 });
  });

  it('stops where a reply is not taken as it was, and says what else may be another', async () => {
    const words = ['--controller', 'recorded:first.sqlite', '--set', 'agents.bob.protocol=json'];
    const { code, err, document } = await run(...words, '--out', 'json.sqlite');
    expect([code, document]).toMatchObject([2, { status: 'error', steps: 1 }]);
    expect(err).toMatch(/has no reply of bob for turn 1, attempt 3\n/);
    expect(err).toContain('its previous reply was refused or unreadable here');
    expect(err).toMatch(/orchestrate diff \S*first\.sqlite#corridor-\w+ <this log>/);
    expect((await orchestrate(['verify', 'json.sqlite'], { cwd })).code).toBe(0);
  });

  it('stops where an agent is asked in a turn in which it was not, or that gave no reply at all', async () => {
    const late = corridor('max: 3').replace('figure/knight }', 'figure/knight, replies: [$] }');
    writeFileSync(join(cwd, 'done.yaml'), late.replace('$', "'ACTION: DONE'"));
    await orchestrate(['run', 'done.yaml', '--out', 'done.sqlite'], { cwd });
    const db = new Database(join(cwd, 'done.sqlite'));
    db.exec("UPDATE steps SET turn = 2 WHERE agent = 'bob' AND turn = 1");
    reseal(db);
    db.close();
    const asked = await run('--controller', 'recorded:done.sqlite');
    expect(asked.err).toMatch(/no reply of bob for turn 1, attempt 1\n.*bob was not asked in that turn/);
    const none = new Database(join(cwd, 'done.sqlite'));
    none.exec("UPDATE steps SET agent = 'ann' WHERE agent = 'bob'");
    reseal(none);
    none.close();
    const silent = await run('--controller', 'recorded:done.sqlite');
    expect(silent.err).toContain('bob gave no reply in the recorded run');
  });

  it('plays another seed or another prompt with the same replies', async () => {
    const other = ['--seed', '8', '--set', 'agents.ann.persona=Hurry.'];
    const { code, document } = await run(
      '--controller',
      'recorded:first.sqlite',
      ...other,
      '--out',
      'o.sqlite',
    );
    expect([code, document]).toMatchObject([0, { turns: 4 }]);
    expect(document?.['chain_hash']).not.toBe(chain);
    const { out } = await orchestrate(['diff', 'first.sqlite', 'o.sqlite'], { cwd });
    expect(out).toContain('Same actions, same results.');
  });

  it('must be a log, and hold the agents', async () => {
    expect((await run('--controller', 'recorded:none.sqlite')).code).toBe(2);
    writeFileSync(join(cwd, 'other.yaml'), corridor('max: 1').replaceAll('ann', 'eve'));
    const { code, err } = await orchestrate(['run', 'other.yaml', '--controller', 'recorded:first.sqlite'], {
      cwd,
    });
    expect(code).toBe(2);
    expect(err).toContain('has no agent "eve"');
    const wrong = await run('--controller', 'scriptd');
    expect(wrong.err).toContain('did you mean scripted?');
  });
});
