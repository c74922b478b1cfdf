/**
 * `branch`, against a server that answers otherwise each time it is asked the same: what it plays, with which seeds, and the pairs that come of it. What the answers cost is known from
 * outside: the shortest way through the brass key, of which `check` says that there is none sooner, and the turn that a WAIT takes of it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nextOf } from '../fake-server/player.mjs';
import { messagesOf, textOf } from '../fake-server/messages.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { parquetRows } from '../export/hyparquet.js';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const WAY = ['GO TO oak-door', 'TAKE brass-key', 'OPEN oak-door', 'GO EAST', 'GO TO goblet', 'TAKE goblet'];

/** What is answered to the second request of a run, each time that it comes; then the way goes on. */
let second: string[] = [];
let folder = '';
let server: FakeServer;
let seeds: unknown[] = [];

beforeEach(async () => {
  folder = temporaryFolder();
  seeds = [];
  server = await startFakeServer({
    images: 'any',
    reply: ({ body }) => {
      const own = messagesOf(body).filter(({ role }) => role === 'assistant');
      const isSecond = own.length === 1;
      if (isSecond) seeds.push(body['seed']);
      const asked = isSecond ? second.shift() : undefined;
      return `ACTION: ${asked ?? nextOf(WAY, own.map(textOf))}`;
    },
  });
  writeFileSync(join(folder, 'key.yaml'), readFileSync('scenarios/brass-key.yaml', 'utf8'));
});

afterEach(() => server.close());

async function play() {
  const ran = await orchestrate(
    ['run', 'key.yaml', '--base-url', server.baseUrl, '--out', 'a.sqlite', '--quiet'],
    {
      cwd: folder,
    },
  );
  expect(ran.err).toBe('');
}

async function branch(...words: readonly string[]) {
  const args = ['branch', 'a.sqlite', '--json', ...words];
  const { code, out, err } = await orchestrate(args, { cwd: folder });
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as { steps: number; forks: { run: string; status: string; turns: number }[] };
}

async function pairs(...words: readonly string[]) {
  const out = `pairs-${words.join('')}`;
  const args = ['export', 'a.sqlite', '--format', 'preference', '--out', out, ...words];
  const { code, err } = await orchestrate(args, { cwd: folder });
  expect(code).toBe(0);
  return err.includes('nothing was written') ? [] : parquetRows(join(folder, out));
}

const said = (row: Record<string, unknown>, side: string) => JSON.stringify(row[side]);

describe('branch', () => {
  it(
    'plays other answers to the step that lost a turn, with other seeds, and pairs come of them',
    { tags: ['long'] },
    async () => {
      second = ['WAIT', 'TAKE brass-key', 'GO TO table'];
      await play();
      const { steps, forks } = await branch('--alternatives', '2');
      expect(steps).toBe(1);
      // At the table it is too far from the door, and the server knows no way from there.
      expect(forks.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
      expect(forks[0]?.turns).toBe(WAY.length);
      expect(new Set(seeds).size).toBe(3);
      const rows = await pairs();
      const best = rows.filter((row) => said(row, 'chosen').includes('TAKE brass-key'));
      expect(best).toHaveLength(2);
      expect(best[0]).toMatchObject({ because: 'regret', chosen_regret: 0, chosen_regret_kind: 'exact' });
      const waited = best.find((row) => said(row, 'rejected').includes('WAIT'));
      expect(waited).toMatchObject({ rejected_regret: 1 });
      // Of each answer one run, which is told on its own side whichever of the two was played first.
      const stuck = best.find((row) => said(row, 'rejected').includes('GO TO table'));
      expect(stuck).toMatchObject({ chosen_succeeded: 1, rejected_succeeded: 0 });
      expect((await orchestrate(['verify', 'a.sqlite'], { cwd: folder })).code).toBe(0);
    },
  );

  it(
    'plays other answers to the best steps, and pairs keep what the model already does right',
    { tags: ['long'] },
    async () => {
      second = ['TAKE brass-key', 'WAIT'];
      await play();
      expect((await branch()).steps).toBe(0);
      const { steps, forks } = await branch('--at', 'best', '--alternatives', '1', '--steps', '2');
      expect([steps, forks.length]).toEqual([2, 2]);
      // Only the second answer differs from the run's.
      const rows = await pairs();
      expect(rows).toHaveLength(1);
      expect(said(rows[0] ?? {}, 'chosen')).toContain('TAKE brass-key');
      expect(said(rows[0] ?? {}, 'rejected')).toContain('WAIT');
      expect(rows[0]).toMatchObject({ because: 'regret', chosen_regret: 0, rejected_regret: 1 });
    },
  );

  it(
    'plays only what is missing when it is called again, and nothing where nothing was lost',
    { tags: ['long'] },
    async () => {
      second = ['WAIT', 'TAKE brass-key', 'GO TO table'];
      await play();
      expect((await branch('--alternatives', '1')).forks).toHaveLength(1);
      expect((await branch('--alternatives', '2')).forks).toHaveLength(1);
      expect((await branch('--alternatives', '2')).forks).toHaveLength(0);
      second = [];
      const args = ['run', 'key.yaml', '--base-url', server.baseUrl, '--out', 'b.sqlite', '--quiet'];
      await orchestrate(args, { cwd: folder });
      const { code, out } = await orchestrate(['branch', 'b.sqlite'], { cwd: folder });
      expect([code, out]).toEqual([0, 'no step by a model delayed success, so there is nothing to branch\n']);
    },
  );

  it(
    'plays each answer on several times where only the ends can tell, and pairs say of how many',
    { tags: ['long'] },
    async () => {
      second = ['WAIT', 'TAKE brass-key'];
      await play();
      // A search that may try one step finds nothing: what was lost is estimated.
      const { forks } = await branch('--effort', '1', '--alternatives', '1', '--rollouts', '2');
      expect(forks).toHaveLength(3);
      const few = await pairs('--effort', '1', '--rollouts', '3');
      expect(few).toEqual([]);
      const [pair, ...others] = await pairs('--effort', '1', '--rollouts', '2');
      expect(others).toEqual([]);
      expect(pair).toMatchObject({
        because: 'turns',
        chosen_rollouts: 2,
        chosen_succeeded: 2,
        rejected_rollouts: 2,
      });
      expect([said(pair ?? {}, 'chosen'), said(pair ?? {}, 'rejected')]).toEqual([
        expect.stringContaining('TAKE brass-key'),
        expect.stringContaining('WAIT'),
      ]);
      expect((await orchestrate(['verify', 'a.sqlite'], { cwd: folder })).code).toBe(0);
      // Three with each where nobody says how many: one more is missing on both sides.
      expect((await branch('--effort', '1', '--alternatives', '1')).forks).toHaveLength(2);
      expect(await pairs('--effort', '1')).toMatchObject([{ chosen_rollouts: 3, rejected_rollouts: 3 }]);
    },
  );

  it(
    'begins with the step that lost most, and takes as many steps as are asked for',
    { tags: ['long'] },
    async () => {
      second = [];
      const replies = ['GO TO oak-door', 'WAIT', 'TAKE brass-key', 'OPEN oak-door', 'CLOSE oak-door'];
      const all = [...replies, 'OPEN oak-door', 'GO EAST', 'GO TO goblet', 'TAKE goblet'];
      const hood = 'description: A ranger in a green hood.';
      const own = `replies: ${JSON.stringify(all.map((one) => `ACTION: ${one}`))}`;
      const text = readFileSync('scenarios/brass-key.yaml', 'utf8').replace(hood, `${hood}\n    ${own}`);
      writeFileSync(join(folder, 'key.yaml'), text);
      await orchestrate(['run', 'key.yaml', '--out', 'a.sqlite', '--quiet'], { cwd: folder });
      const turns = async (...words: readonly string[]) => {
        const args = ['branch', 'a.sqlite', '--base-url', server.baseUrl, '--alternatives', '1', ...words];
        const { out } = await orchestrate(args, { cwd: folder });
        return out.match(/^T\d+/gm);
      };
      // The WAIT of the second turn costs one turn, to close the door and open it again two.
      expect(await turns('--steps', '1')).toEqual(['T5']);
      expect(await turns()).toEqual(['T5', 'T2']);
    },
  );

  it('takes a step after which nothing can be won for lost', { tags: ['long'] }, async () => {
    second = ['WAIT'];
    const args = ['run', 'key.yaml', '--base-url', server.baseUrl, '--out', 'a.sqlite', '--quiet'];
    await orchestrate([...args, '--max-turns', String(WAY.length)], { cwd: folder });
    const words = ['branch', 'a.sqlite', '--alternatives', '1'];
    const { out } = await orchestrate(words, { cwd: folder });
    expect(out).toMatch(/^T2 .* ranger: winning became impossible\n.* succeeded in 6 turns$/m);
  });

  it('refuses a game in which all act at once, where no answer can be another alone', async () => {
    writeFileSync(join(folder, 'once.yaml'), corridor('max: 1, order: simultaneous'));
    const args = ['run', 'once.yaml', '--controller', 'random', '--out', 'once.sqlite', '--quiet'];
    await orchestrate(args, { cwd: folder });
    const { code, err } = await orchestrate(['branch', 'once.sqlite'], { cwd: folder });
    expect(code).toBe(2);
    expect(err).toContain("all agents act at once, so their steps can't be branched one by one");
  });

  it('asks no scripted player again, which would answer the same', { tags: ['long'] }, async () => {
    await orchestrate(['run', 'key.yaml', '--out', 'a.sqlite', '--quiet'], { cwd: folder });
    expect((await branch()).forks).toEqual([]);
  });
});
