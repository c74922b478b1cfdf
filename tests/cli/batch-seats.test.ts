/** `batch` with different players in the seats: who decides for whom, what is refused, and what every command calls them. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import type { RunReport } from '../../src/report/report.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { runProgram } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
const FAKE = fileURLToPath(new URL('../support/fake-agent.mjs', import.meta.url));
const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
const on = (...args: readonly string[]) => orchestrate(args, { cwd, env });
let one: FakeServer;
let two: FakeServer;

beforeAll(async () => {
  [one, two] = [await serving('one'), await serving('two')];
  const part = 'figure/wizard, controller: replies, replies: ["ACTION: WAIT"] }';
  writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 2'));
  writeFileSync(join(cwd, 'alone.yaml'), corridor('max: 2').replace('figure/wizard }', part));
});

afterAll(() => Promise.all([one.close(), two.close()]));

function serving(model: string): Promise<FakeServer> {
  return startFakeServer({ models: [model], reply: () => 'ACTION: WAIT', images: 'any' });
}

/** A server, and the most requests that it had at once. */
async function counting(): Promise<{ server: FakeServer; busiest: () => number }> {
  let [inside, busiest] = [0, 0];
  const server = await startFakeServer({
    images: 'any',
    reply: async () => {
      inside += 1;
      busiest = Math.max(busiest, inside);
      await wait(15);
      inside -= 1;
      return 'ACTION: WAIT';
    },
  });
  return { server, busiest: () => busiest };
}

/** How often a server was asked to be each agent. */
function askedAs({ chats }: FakeServer): Readonly<Record<string, number>> {
  const names = chats.flatMap(({ body }) => /You are (Ann|Bob)/.exec(JSON.stringify(body))?.[1] ?? []);
  return {
    Ann: names.filter((name) => name === 'Ann').length,
    Bob: names.filter((name) => name === 'Bob').length,
  };
}

/** A batch of the corridor. `models` has entries beside `one` and `two`, each at its own server. */
function write(name: string, models: string, ...lines: readonly string[]): string {
  const [first, second] = [one, two].map(({ baseUrl }) => `base_url: "${baseUrl}", temperature: 0.5`);
  const entries = `one: { ${first}, model: one }, two: { ${second}, model: two }`;
  const all = ['scenarios: [corridor.yaml]', `models: { ${entries}, ${models} }`, ...lines];
  writeFileSync(join(cwd, name), `${all.join('\n')}\n`);
  return name;
}

/** The controllers of all runs of a folder, by the names of their players. */
function controllersOf(folder: string): Readonly<Record<string, readonly object[]>> {
  const logs = readdirSync(join(cwd, folder)).filter((name) => name.endsWith('.sqlite'));
  const runs = logs.flatMap((name) => {
    const reader = new LogReader(join(cwd, folder, name));
    const records = reader.runs().map(({ runId }) => reader.run(runId).controllers);
    reader.close();
    return records;
  });
  const named = runs.map((controllers): [string, object[]] => {
    const entries = Object.values(controllers).map((entry) => Object(entry) as Record<string, string>);
    return [entries[0]?.['lineup'] ?? entries[0]?.['player'] ?? '', entries];
  });
  return Object.fromEntries(named);
}

function rowsOf(folder: string): readonly Record<string, unknown>[] {
  const lines = readFileSync(join(cwd, folder, 'train.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('a batch with seats', () => {
  it('gives each agent its own player, and each model its own server', async () => {
    const file = write('each.yaml', 'mixed: { seats: { ann: one, bob: two } }', 'seeds: 2');
    const { code, out } = await on('batch', file, '--out', 'each', '--json');
    expect(code).toBe(0);
    const { cells } = JSON.parse(out) as { cells: readonly object[] };
    expect(cells).toMatchObject([
      { players: 'one', ended: 2 },
      { players: 'two', ended: 2 },
      { players: 'mixed', seats: { ann: 'one', bob: 'two' }, ended: 2 },
    ]);
    const model = (name: string, lineup?: string) => ({
      player: name,
      model: name,
      ...(lineup && { lineup }),
    });
    const { mixed, ...others } = controllersOf('each');
    expect(mixed).toMatchObject([model('one', 'mixed'), model('two', 'mixed')]);
    expect(others).toMatchObject({ one: [model('one'), model('one')], two: [model('two'), model('two')] });
    expect(
      Object.values(others)
        .flat()
        .some((entry) => 'lineup' in entry),
    ).toBe(false);
  });

  it('asks a server only for the agents that its models play', async () => {
    const [left, right] = [await serving('left'), await serving('right')];
    const models = `left: { base_url: "${left.baseUrl}" }, right: { base_url: "${right.baseUrl}" }`;
    const lineup = 'mixed: { seats: { bob: right, ann: left } }';
    writeFileSync(
      join(cwd, 'asks.yaml'),
      `scenarios: [corridor.yaml]\nmodels: { ${models}, ${lineup} }\nparallel: 1\n`,
    );
    await on('batch', 'asks.yaml', '--out', 'asks', '--quiet');
    // Both play both agents for two turns in rows of their own, and one of them in the mixed row.
    expect([askedAs(left), askedAs(right)]).toEqual([
      { Ann: 4, Bob: 2 },
      { Ann: 2, Bob: 4 },
    ]);
    await left.close();
    await right.close();
  });

  it('has one client for two seats of one model, and built-in players beside it', async () => {
    const server = await serving('twin');
    const models = `twin: { base_url: "${server.baseUrl}" }, both: { seats: { ann: twin, bob: twin } }, half: { seats: { ann: scripted, bob: twin } }`;
    writeFileSync(join(cwd, 'twin.yaml'), `scenarios: [corridor.yaml]\nmodels: { ${models} }\n`);
    const { code } = await on('batch', 'twin.yaml', '--out', 'twin');
    expect(code).toBe(0);
    expect(controllersOf('twin')).toMatchObject({
      both: [{ name: 'model:twin' }, { name: 'model:twin' }],
      half: [
        { name: 'scripted', player: 'scripted' },
        { name: 'model:twin', player: 'twin' },
      ],
    });
    // What a server has is asked once for each client.
    expect(server.requests.filter(({ path }) => path.endsWith('/models'))).toHaveLength(3);
    await server.close();
  });

  it.each([
    ['in this process', on],
    ['in two processes', (...args: readonly string[]) => runProgram([...args, '--workers', '2'], { cwd })],
  ])('holds the limits of each server, %s', async (where, command) => {
    const [a, b] = [await counting(), await counting()];
    const models = `a: { base_url: "${a.server.baseUrl}" }, b: { base_url: "${b.server.baseUrl}" }, ab: { seats: { ann: a, bob: b } }`;
    const text = `scenarios: [corridor.yaml]\nmodels: { ${models} }\nseeds: 4\nparallel: 6\nlimits: { requests_at_once: 1 }\n`;
    writeFileSync(join(cwd, 'limits.yaml'), text);
    const { code } = await command('batch', 'limits.yaml', '--out', where.replaceAll(' ', '-'));
    expect(code).toBe(0);
    for (const { server, busiest } of [a, b]) {
      // Four runs of two turns: of both agents in its own row, of one in the row of both.
      expect(server.chats).toHaveLength(4 * 2 * 3);
      expect(busiest()).toBe(1);
      await server.close();
    }
  });

  it('waits for the server that is gone, and plays on what needs another', async () => {
    const gone = await startFakeServer();
    await gone.close();
    const [first, last] = [one, gone].map(({ baseUrl }) => `base_url: "${baseUrl}", retries: 0`);
    const models = `mixed: { seats: { ann: one, bob: gone } }, one: { ${first} }, gone: { ${last} }`;
    const text = `scenarios: [corridor.yaml]\nmodels: { ${models} }\npatience_s: 1\nparallel: 1\n`;
    writeFileSync(join(cwd, 'gone.yaml'), text);
    const { code, out } = await on('batch', 'gone.yaml', '--out', 'gone');
    expect(code).toBe(4);
    expect(out).toContain(`for ${gone.baseUrl}, which answers nobody`);
    expect(out).not.toContain(`for ${one.baseUrl}`);
    const { cells } = JSON.parse((await on('report', 'gone', '--json')).out) as RunReport;
    expect(cells.map(({ players, runs }) => [players, runs])).toContainEqual(['one', 1]);
    expect(cells.filter(({ players }) => players !== 'one').map(({ runs }) => runs)).not.toContain(1);
  });

  it('has programs of the user, by their names', { tags: ['long'] }, async () => {
    const file = write(
      'program.yaml',
      'mine: { controller: process }, mixed: { seats: { ann: mine, bob: random } }',
    );
    const missing = await on('batch', file, '--out', 'program');
    expect(missing.err).toContain('mine is played by a program, but no program was specified');
    const program = `mine='${process.execPath}' '${FAKE}' wait`;
    const { code } = await on('batch', file, '--out', 'program', '--process', program);
    expect(code).toBe(0);
    expect(controllersOf('program')['mixed']).toMatchObject([
      { name: 'process:mine', player: 'mine', lineup: 'mixed' },
      { name: 'random', player: 'random', lineup: 'mixed' },
    ]);
  });

  it('lists who plays which seat before anything is played', async () => {
    const file = write('dry.yaml', 'mixed: { seats: { ann: one, bob: scripted } }');
    const { out } = await on('batch', file, '--dry-run');
    expect(out).toContain('  corridor · mixed (ann: one, bob: scripted): 1 run\n');
    expect(out).toContain('  corridor · one: 1 run\n');
  });

  it('plays the same run whatever the order of the seats, and another if they change places', async () => {
    const id = async (seats: string): Promise<string> => {
      const { out } = await on(
        'batch',
        write('ids.yaml', `mixed: { seats: { ${seats} } }`),
        '--dry-run',
        '--json',
      );
      const { runs } = JSON.parse(out) as { runs: readonly { run_id: string; players: string }[] };
      return runs.find(({ players }) => players === 'mixed')?.run_id ?? '';
    };
    const first = await id('ann: one, bob: two');
    expect(await id('bob: two, ann: one')).toBe(first);
    expect(await id('ann: two, bob: one')).not.toBe(first);
    expect(await id('ann: one, bob: scripted')).not.toBe(first);
  });
});

describe('what plays in no seat', () => {
  it.each([
    ['ann: one', 'mixed has no seat for bob of corridor', 'bob: NAME'],
    ['ann: one, bbo: two', 'mixed has a seat for bbo, but corridor has no such agent', 'did you mean bob?'],
  ])('is told before anything is played: %s', async (seats, message, hint) => {
    const file = write('missing.yaml', `mixed: { seats: { ${seats} } }`);
    const { code, err } = await on('batch', file, '--out', 'missing');
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err).toContain(hint);
  });

  it('is an agent of the world, which needs no seat', async () => {
    const text = (seats: string) => `scenarios: [alone.yaml]\nmodels: { mixed: { seats: { ${seats} } } }\n`;
    writeFileSync(join(cwd, 'world.yaml'), text('ann: scripted, bob: scripted'));
    const { err } = await on('batch', 'world.yaml', '--out', 'world');
    expect(err).toContain('mixed has a seat for bob, but in alone it is part of the world');
    writeFileSync(join(cwd, 'world.yaml'), text('ann: scripted'));
    expect((await on('batch', 'world.yaml', '--out', 'world')).code).toBe(0);
    expect(controllersOf('world')['mixed']).toMatchObject([{ name: 'scripted' }, { name: 'replies' }]);
  });
});

describe('the players of seats', () => {
  it('are called so in report, show, export and runs.json, and chosen by both names', async () => {
    const file = write('names.yaml', 'mixed: { seats: { ann: one, bob: scripted } }', 'parallel: 1');
    await on('batch', file, '--out', 'names');
    const log = join('names', readdirSync(join(cwd, 'names')).find((name) => name.endsWith('.sqlite')) ?? '');

    const { runs } = JSON.parse((await on('report', log, '--json')).out) as RunReport;
    expect(runs.map(({ players }) => players).toSorted()).toEqual(['mixed', 'one', 'two']);
    const { out: report } = await on('report', log);
    expect(report).toMatch(/^ {2}ann \(one\) · mixed {2}/m);
    expect(report).toMatch(/^ {2}bob \(scripted\) · mixed {2}/m);
    expect(report).toMatch(/^ {2}ann · one {2}/m);
    expect((await on('report', log, '--table', 'markdown')).out).toContain(
      'mixed: seats ann: one, bob: scripted; model one on',
    );
    const playersIn = async (name: string) => {
      const { out } = await on('report', log, '--json', '--player', name);
      return (JSON.parse(out) as RunReport).runs.map(({ players }) => players).toSorted();
    };
    expect(await playersIn('mixed')).toEqual(['mixed']);
    expect(await playersIn('one')).toEqual(['mixed', 'one']);
    expect(await playersIn('scripted')).toEqual(['mixed']);

    const run = runs.find(({ players }) => players === 'mixed')?.run ?? '';
    const shown = await on('show', `${log}#${run}`);
    expect(shown.out).toContain(' · mixed (ann: one, bob: scripted) · run ');
    expect(JSON.parse((await on('show', `${log}#${run}`, '--json')).out)).toMatchObject({
      players: 'mixed',
      seats: { ann: 'one', bob: 'scripted' },
    });
    expect((await on('show', `${log}#${run}`, '--step', '1')).out).toContain('Sent to one, attempt 1');

    const exported = async (name: string, ...options: readonly string[]) => {
      const { err } = await on(
        'export',
        log,
        '--format',
        'jsonl',
        '--duplicates',
        'keep',
        '--out',
        name,
        ...options,
      );
      expect(err).not.toContain('no player');
      return rowsOf(name).map(({ agent, player, lineup }) =>
        [agent, player, lineup ?? null].map(String).join(' '),
      );
    };
    const rows = await exported('all');
    expect(new Set(rows)).toEqual(
      new Set([
        'ann one mixed',
        'bob scripted mixed',
        'ann one null',
        'bob one null',
        'ann two null',
        'bob two null',
      ]),
    );
    const mixed = await exported('mixed', '--player', 'mixed');
    expect(new Set(mixed)).toEqual(new Set(['ann one mixed', 'bob scripted mixed']));
    const ofOne = await exported('one', '--player', 'one');
    expect(new Set(ofOne)).toEqual(new Set(['ann one mixed', 'ann one null', 'bob one null']));

    const plan = JSON.parse(readFileSync(join(cwd, 'names', 'runs.json'), 'utf8')) as { runs: object[] };
    expect(plan.runs).toContainEqual(
      expect.objectContaining({ players: 'mixed', models: ['one'], seats: { ann: 'one', bob: 'scripted' } }),
    );
  });

  it('keep their names when a run goes on, and rows of two batches with other seats stay apart', async () => {
    const folder = async (name: string, seats: string) => {
      const text = `scenarios: [corridor.yaml]\nmodels: { mixed: { seats: { ${seats} } } }\n`;
      writeFileSync(join(cwd, `${name}.yaml`), text);
      await on('batch', `${name}.yaml`, '--out', name);
      return join(name, readdirSync(join(cwd, name)).find((one) => one.endsWith('.sqlite')) ?? '');
    };
    const logs = [
      await folder('first', 'ann: random, bob: scripted'),
      await folder('second', 'ann: scripted, bob: random'),
    ];
    const { cells } = JSON.parse((await on('report', ...logs, '--json')).out) as RunReport;
    expect(cells.map(({ players }) => players)).toEqual([
      'mixed · seats.ann=random, seats.bob=scripted',
      'mixed · seats.ann=scripted, seats.bob=random',
    ]);
    const [log = ''] = logs;
    const forked = await on('fork', log, '--at', '2', '--json');
    const { run_id: run } = JSON.parse(forked.out) as { run_id: string };
    expect((await on('show', `${log}#${run}`)).out).toContain('mixed (ann: random, bob: scripted)');
  });
});
