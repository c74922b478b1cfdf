/** `report`: what it counts in real runs, what people read, CSV, JSON and page; logs that can't be read, forks, a page that is there. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunReport } from '../../src/report/report.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
const on = (...args: readonly string[]) => orchestrate(args, { cwd });
let server: FakeServer;

const ANN = ['I sing.', 'ACTION: GO NORTH', 'ACTION: SPEAK "Hello"', 'ACTION: SPEAK "Hello"', 'ACTION: WAIT'];

beforeAll(async () => {
  server = await startFakeServer({ reply: () => 'ACTION: WAIT' });
  const replies = `controller: replies, replies: ${JSON.stringify(ANN)}`;
  writeFileSync(
    join(cwd, 'told.yaml'),
    corridor('max: 3')
      .replace('figure/knight }', `figure/knight, ${replies} }`)
      .replace('figure/wizard }', 'figure/wizard, controller: replies, replies: ["ACTION: WAIT"] }'),
  );
  writeFileSync(
    join(cwd, 'asked.yaml'),
    corridor('max: 2')
      .replace(
        'turns:',
        `models: { main: { base_url: "${server.baseUrl}", model: fake-vlm, price: { prompt: 2, reply: 10 } } }\nturns:`,
      )
      .replaceAll(/(knight|wizard) }/g, '$1, model: main }'),
  );
  await on('run', 'told.yaml', '--out', 'told.sqlite', '--quiet');
  await on('run', 'asked.yaml', '--out', 'asked.sqlite', '--quiet');
});

afterAll(() => server.close());

async function reported(...args: readonly string[]): Promise<RunReport> {
  return JSON.parse((await on('report', ...args, '--json')).out) as RunReport;
}

describe('report', () => {
  it.each([160, 80, 60, 40])(
    'keeps within a terminal of %i columns, and leaves nothing out',
    async (columns) => {
      const args = ['report', 'told.sqlite', 'asked.sqlite'];
      const { out } = await orchestrate(args, { cwd, isTerminal: true, columns, env: { NO_COLOR: '1' } });
      const lines = out.split('\n');
      expect(lines.filter(({ length }) => length > columns)).toEqual([]);
      const heads = [
        'runs',
        'success (95 %)',
        'turns to win',
        'first try',
        'repeated',
        'heard',
        'tokens',
        'cached',
        'time',
      ];
      for (const head of [...heads, 'cost/success']) expect(out).toContain(`  ${head}`);
      expect(lines.filter((line) => line.startsWith('  players ')).length > 2).toBe(columns < 100);
    },
  );

  it('counts what was not understood, refused, repeated, said and heard, and first tries', async () => {
    const { runs } = await reported('told.sqlite');
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({
      players: 'replies',
      status: 'ended',
      turns: 3,
      steps: 6,
      unread: { unparsable: 1 },
      refused: { 'illegal/blocked': 1 },
      firstTries: 5,
      repeated: 3,
      said: 2,
      unheard: 0,
      promptTokens: 0,
      cost: 0,
    });
  });

  it('counts tokens and money of models, by the name that the server gives', async () => {
    const { runs, cells } = await reported('asked.sqlite');
    const [run] = runs;
    expect(run?.players).toBe('fake-vlm');
    expect(run?.promptTokens).toBeGreaterThan(100);
    const { promptTokens = 0, replyTokens = 0 } = run ?? {};
    expect(run?.cost).toBeCloseTo((promptTokens * 2 + replyTokens * 10) / 1_000_000, 9);
    expect(cells[0]).toMatchObject({ costPerSuccess: null });
  });

  it('tells what came from the cache of a server that says so, everywhere, and a dash of one that does not', async () => {
    const told = server.prompts.reduce(
      (sum, { tokens, cachedTokens }) => ({
        cachedTokens: sum.cachedTokens + cachedTokens,
        cacheToldTokens: sum.cacheToldTokens + tokens,
      }),
      { cachedTokens: 0, cacheToldTokens: 0 },
    );
    expect(told.cachedTokens).toBeGreaterThan(0);
    const { runs, cells } = await reported('asked.sqlite');
    expect([runs[0], cells[0]]).toMatchObject([told, told]);
    const share = `${Math.round((100 * told.cachedTokens) / told.cacheToldTokens)} %`;
    const table = (await on('report', 'asked.sqlite', 'told.sqlite')).out;
    const [asked = '', replayed = ''] = table.split('\n\n').map((text) => text.split('\n')[2]);
    expect(asked.split(/ {2,}/)).toContain(share);
    expect(replayed.split(/ {2,}/)).not.toContain(share);
    const csv = (await on('report', 'asked.sqlite', '--csv')).out
      .split('\r\n')
      .map((line) => line.split(','));
    const column = csv[0]?.indexOf('cache_told_tokens') ?? -1;
    expect(csv[1]?.slice(column - 1, column + 1)).toEqual(
      [told.cachedTokens, told.cacheToldTokens].map(String),
    );
    await on('report', 'asked.sqlite', '--out', 'cached.html');
    expect(readFileSync(join(cwd, 'cached.html'), 'utf8')).toContain(`<td>${share}</td>`);
  });

  it('parts runs by settings of models that are asked, and by no others', async () => {
    const heat = 'models.main.temperature=0.9';
    await on('run', 'asked.yaml', '--out', 'hot.sqlite', '--quiet', '--set', heat);
    const asked = await reported('asked.sqlite', 'hot.sqlite');
    expect(asked.cells.map(({ players }) => players)).toEqual([
      'fake-vlm · models.main.temperature=0',
      'fake-vlm · models.main.temperature=0.9',
    ]);
    for (const [name, set] of [
      ['cold', 'models.main.temperature=0'],
      ['warm', heat],
    ] as const)
      await on(
        'run',
        'asked.yaml',
        '--out',
        `${name}.sqlite`,
        '--quiet',
        '--controller',
        'random',
        '--set',
        set,
      );
    const unasked = await reported('cold.sqlite', 'warm.sqlite');
    // They differ in nothing that counts, so they are one run.
    expect(unasked.cells.map(({ players, runs, repeats }) => [players, runs, repeats])).toEqual([
      ['random', 1, 1],
    ]);
  });

  it('counts the steps of agents, and not those of the world, which a run counts too', async () => {
    const { out } = await on('run', 'told.yaml', '--out', 'steps.sqlite', '--quiet', '--json');
    expect(JSON.parse(out)).toMatchObject({ turns: 3, steps: 9 });
    expect((await reported('steps.sqlite')).runs[0]).toMatchObject({ turns: 3, steps: 6 });
  });

  it('prints a table for people, with what went wrong', async () => {
    const { code, out, err } = await on('report', 'told.sqlite', 'asked.sqlite');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^asked\n {2}players +T +runs +success \(95 %\)/);
    expect(out).toContain('\ntold\n');
    expect(out).toContain('replies: not understood: unparsable 1 · refused: illegal/blocked 1');
    expect(out).not.toContain('too few');
  });

  it('prints one line a run with --csv', async () => {
    const { out } = await on('report', 'told.sqlite', 'asked.sqlite', '--csv');
    expect(out.split('\r\n')).toHaveLength(4);
    expect(out).toMatch(/\r\ntold\.sqlite,told-\w+,told,1,replies,ended,3,6,/);
  });

  it('writes a page with --out, and over one that is there only with --force', async () => {
    const first = await on('report', 'told.sqlite', '--out', 'r.html');
    expect([first.code, first.out.endsWith('\nr.html\n')]).toEqual([0, true]);
    expect(readFileSync(join(cwd, 'r.html'), 'utf8')).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
    const again = await on('report', 'told.sqlite', '--out', 'r.html');
    expect([again.code, again.out]).toEqual([2, '']);
    expect((await on('report', 'told.sqlite', '--out', 'r.html', '--force')).code).toBe(0);
    expect(existsSync(join(cwd, 'r.html.part'))).toBe(false);
  });

  it('writes no page of nothing, where no log can be read', async () => {
    const { code, out } = await on('report', 'nope.sqlite', '--out', 'nothing.html');
    expect([code, out, existsSync(join(cwd, 'nothing.html'))]).toEqual([2, '', false]);
  });

  it('leaves forks out unless they are asked for, and says so', async () => {
    await on('run', 'told.yaml', '--out', 'forked.sqlite', '--quiet');
    await on('fork', 'forked.sqlite', '--at', '4', '--quiet');
    const without = await on('report', 'forked.sqlite', '--json');
    expect((JSON.parse(without.out) as RunReport).runs).toHaveLength(1);
    expect(without.err).toContain('1 fork left out (to count them: --forks)');
    expect((await reported('forked.sqlite', '--forks')).runs).toHaveLength(2);
  });

  it('tells a log that is not there, reads the others, and exits as for it', async () => {
    const { code, out, err } = await on('report', 'nope.sqlite', 'told.sqlite');
    expect(code).toBe(2);
    expect(err).toContain('there is no log nope.sqlite');
    expect(out).toContain('told');
    expect((await on('report', 'told.sqlite', '--csv', '--json')).code).toBe(2);
  });
});
