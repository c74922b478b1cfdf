/** `report` agent by agent, questions with a known answer, and runs told apart by why they did not succeed: counted by hand in games of two turns. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { known } from '../../src/base/assert.js';
import { textTable } from '../../src/report/figure-table.js';
import { agentsTable } from '../../src/report/figures.js';
import type { QuestionTotals } from '../../src/report/questions.js';
import type { RunReport } from '../../src/report/report.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
const on = (...args: readonly string[]) => orchestrate(args, { cwd });
let server: FakeServer;

/** Ann is not understood once and refused once, Bob waits. */
const ANN = ['I sing.', 'ACTION: GO NORTH', 'ACTION: SPEAK "Hello"', 'ACTION: WAIT'];

beforeAll(async () => {
  server = await startFakeServer({ reply: () => 'yes', images: 'any' });
  const replies = `controller: replies, replies: ${JSON.stringify(ANN)}`;
  writeFileSync(
    join(cwd, 'told.yaml'),
    corridor('max: 2')
      .replace('figure/knight }', `figure/knight, ${replies} }`)
      .replace('figure/wizard }', 'figure/wizard, controller: replies, replies: ["ACTION: WAIT"] }'),
  );
  const model = `models: { main: { base_url: "${server.baseUrl}" } }\nprobes: { every: 1, each: 2 }\nturns:`;
  writeFileSync(
    join(cwd, 'asked.yaml'),
    corridor('max: 3')
      .replace('turns:', model)
      .replaceAll(/(knight|wizard) }/g, '$1, model: main }'),
  );
  await on('run', 'told.yaml', '--out', 'told.sqlite', '--quiet');
  await on('run', 'asked.yaml', '--out', 'asked.sqlite', '--quiet');
});

afterAll(() => server.close());

async function reported(...args: readonly string[]): Promise<RunReport> {
  return JSON.parse((await on('report', ...args, '--json')).out) as RunReport;
}

describe('a report', () => {
  it('tells of each agent what it did and what was of no use', async () => {
    const { cells } = await reported('told.sqlite');
    expect(cells[0]?.agents).toMatchObject([
      { agent: 'ann', steps: 2, firstTries: 1, unread: 1, refused: 1, standIns: 0, said: 1 },
      { agent: 'bob', steps: 2, firstTries: 2, unread: 0, refused: 0, standIns: 0, said: 0 },
    ]);
    expect((await on('report', 'told.sqlite')).out).toMatch(/^ {2}ann · replies +2 +50 % +1 +1 +– +1 +–$/m);
    await on('report', 'told.sqlite', '--out', 'told.html');
    expect(readFileSync(join(cwd, 'told.html'), 'utf8')).toContain(
      'ann · replies</th><td>2</td><td>50 %</td>',
    );
  });

  it('counts the waits that stood in for an agent', async () => {
    const once = readFileSync(join(cwd, 'told.yaml'), 'utf8').replace('max: 2', 'max: 2, attempts: 1');
    writeFileSync(join(cwd, 'once.yaml'), once);
    await on('run', 'once.yaml', '--out', 'once.sqlite', '--quiet');
    const { cells } = await reported('once.sqlite');
    expect(cells[0]?.agents).toMatchObject([
      { agent: 'ann', steps: 2, firstTries: 0, unread: 1, refused: 1, standIns: 2, standInsRefused: 1 },
      { agent: 'bob', steps: 2, firstTries: 2, standIns: 0, standInsRefused: 0 },
    ]);
    const { out } = await on('report', 'once.sqlite');
    // Two turns were lost, one of them to the rules and not to the form.
    expect(out).toMatch(/^ {2}ann · replies +2 +0 % +1 +1 +2 +1 +– +–$/m);
    expect(out).toContain('2 forced WAITs (1 after refused actions):');
  });

  it('of a step that was given up, show tells which limit it reached', async () => {
    let runs = 0;
    const notes = async (turns: string, replies: readonly string[]) => {
      const log = `limit-${++runs}.sqlite`;
      const told = readFileSync(join(cwd, 'told.yaml'), 'utf8');
      const changed = told.replace('max: 2', turns).replace(JSON.stringify(ANN), JSON.stringify(replies));
      writeFileSync(join(cwd, 'limit.yaml'), changed);
      await on('run', 'limit.yaml', '--out', log, '--quiet');
      const { out } = await on('show', log, '--step', '1');
      return out.split('\n').filter((line) => line.startsWith('given up'));
    };
    const [hm, north, wait] = ['I sing.', 'ACTION: GO NORTH', 'ACTION: WAIT'];
    const apart = 'max: 1, attempts: 2, refusals: 1';
    expect(await notes(apart, [hm, north])).toEqual(['given up after 1 refused action (turns.refusals)']);
    expect(await notes(apart, [hm, hm])).toEqual([
      'given up after 2 replies without a readable action (turns.attempts)',
    ]);
    expect(await notes('max: 1, attempts: 2', [hm, north])).toEqual([
      'given up after 2 failed replies (turns.attempts)',
    ]);
    expect(await notes(apart, [hm, wait])).toEqual([]);
  });

  it('sums up what each agent came to in all runs of a cell', async () => {
    writeFileSync(join(cwd, 'chance.yaml'), corridor('max: 2'));
    const seeds = ['1', '2'];
    const logs = seeds.map((seed) => `chance-${seed}.sqlite`);
    for (const [i, log] of logs.entries())
      await on(
        'run',
        'chance.yaml',
        '--controller',
        'random',
        '--seed',
        `${seeds[i]}`,
        '--out',
        log,
        '--quiet',
      );
    const { cells, runs } = await reported(...logs);
    expect([cells.length, cells[0]?.runs, runs.length]).toEqual([1, 2, 2]);
    const sums = ['ann', 'bob'].map((agent) => {
      const own = runs.map(({ agents }) => agents.find((one) => one.agent === agent));
      const sum = (of: 'steps' | 'firstTries') => own.reduce((all, one) => all + (one?.[of] ?? 0), 0);
      return { agent, steps: sum('steps'), firstTries: sum('firstTries') };
    });
    expect(sums.map(({ steps }) => steps)).toEqual([4, 4]);
    expect(cells[0]?.agents).toMatchObject(sums);
  });

  it('says below the table what its heads mean, and that success is of all agents', async () => {
    const { out } = await on('report', 'told.sqlite');
    expect(out.replace(/\s+/g, ' ')).toContain(
      'waits: forced WAITs, when no usable answer came. A run succeeds or fails for all of its agents.',
    );
  });

  it('has columns for each agent in the CSV, where a run has several', async () => {
    const [heads = [], line = []] = (await on('report', 'told.sqlite', '--csv')).out
      .split('\r\n')
      .map((one) => one.split(','));
    const field = (name: string) => line[heads.indexOf(name)];
    expect(['ann:steps', 'ann:first_tries', 'ann:unread', 'ann:refused', 'ann:said'].map(field)).toEqual([
      '2',
      '1',
      '1',
      '1',
      '1',
    ]);
    expect(['bob:steps', 'bob:first_tries', 'bob:said'].map(field)).toEqual(['2', '2', '0']);
  });

  it('parts the tokens of its agents, which come to those of the run', async () => {
    const { runs } = await reported('asked.sqlite');
    const [run] = runs;
    const tokens = run?.agents.map(({ promptTokens }) => promptTokens) ?? [];
    expect(tokens).toHaveLength(2);
    expect(Math.min(...tokens)).toBeGreaterThan(0);
    expect(tokens.reduce((sum, one) => sum + one, 0)).toBe(run?.promptTokens);
  });

  it('tells the tokens of each in its own row', async () => {
    const { cells } = await reported('asked.sqlite');
    const told = cells.map((cell) => ({
      ...cell,
      agents: cell.agents.map((one, i) => ({ ...one, promptTokens: 100 * (i + 1), replyTokens: 15 })),
    }));
    const table = textTable(known(agentsTable(told), 'a table'));
    const column = table.heads.indexOf('tokens');
    expect(table.lines.map((line) => [line[0], line[column]])).toEqual([
      ['ann · fake-vlm', '115'],
      ['bob · fake-vlm', '215'],
    ]);
  });

  it('counts how many questions with a known answer were answered rightly, with an interval', async () => {
    const reader = new LogReader(join(cwd, 'asked.sqlite'));
    const probes = reader.probes(reader.runs()[0]?.runId ?? '');
    reader.close();
    const right = probes.filter(({ verdict }) => verdict === 'right').length;
    expect(probes).toHaveLength(12);
    const { cells } = await reported('asked.sqlite');
    expect(cells[0]).toMatchObject({ probes: 12, probesRight: right });
    const { out } = await on('report', 'asked.sqlite');
    expect(out).toContain('questions right (95 %)');
    expect(out).toMatch(new RegExp(`${Math.round((100 * right) / 12)} % \\(\\d+–\\d+\\)`));
    // Of each agent too, in its own row.
    expect(out).toMatch(/^ {2}bob · fake-vlm .* \d+ % \(\d+–\d+\)$/m);
    expect((await on('report', 'told.sqlite')).out).not.toContain('questions right');
    const [head = ''] = (await on('report', 'asked.sqlite', '--csv')).out.split('\r\n');
    expect(head.split(',')).toContain('probes_right');
  });

  it('tells how the questions of each kind were answered, by any number of processes', async () => {
    const reader = new LogReader(join(cwd, 'asked.sqlite'));
    const probes = reader.probes(reader.runs()[0]?.runId ?? '');
    reader.close();
    const { out } = await on('report', 'asked.sqlite', '--questions', '--json');
    const { totals } = JSON.parse(out) as { totals: readonly QuestionTotals[] };
    for (const { kind, asked, right } of totals[0]?.kinds ?? []) {
      const ofKind = probes.filter((one) => one.kind === kind);
      expect(asked).toBe(ofKind.length);
      expect(right).toBe(ofKind.filter(({ verdict }) => verdict === 'right').length);
    }
    expect(totals[0]?.kinds.reduce((sum, { asked }) => sum + asked, 0)).toBe(12);
    const words = await on('report', 'asked.sqlite', '--questions');
    expect(words.out).toMatch(/^ {2}fake-vlm · all +12 /m);
    expect((await on('report', 'asked.sqlite', '--questions', '--workers', '2')).out).toBe(words.out);
    expect((await on('report', 'told.sqlite', '--questions')).out).toContain('no questions were asked');
    expect((await on('report', 'asked.sqlite', '--questions', '--csv')).code).toBe(2);
  });

  it('tells runs apart that were mostly not understood, whatever ended them', async () => {
    const { cells } = await reported('asked.sqlite');
    expect(cells[0]?.endings).toEqual({ 'ended: the 3 turns are over, most replies not understood': 1 });
  });

  it('tells why runs came to no end', async () => {
    const broken = await startFakeServer({ reply: () => 'ACTION: WAIT', images: 'none' });
    await on('run', 'asked.yaml', '--base-url', broken.baseUrl, '--out', 'broken.sqlite', '--quiet');
    await broken.close();
    const { cells } = await reported('broken.sqlite');
    expect(cells[0]).toMatchObject({ runs: 0, open: 1, endings: {} });
    expect(Object.keys(cells[0]?.unfinished ?? {})).toEqual([expect.stringMatching(/^error: .+/)]);
    expect((await on('report', 'broken.sqlite')).out).toContain('ends: 1 error: ');
  });
});
