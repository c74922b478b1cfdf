/** `batch`: what it plays of a matrix, what it prints, what it refuses, and that nothing is played or paid for twice. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import type { RunReport } from '../../src/report/report.js';
import { LogReader } from '../../src/log/reader.js';
import * as act from '../fake-server/behaviours.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { capturedIo, orchestrate } from '../support/captured-io.js';
import { main } from '../../src/cli/main.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
const on = (...args: readonly string[]) => orchestrate(args, { cwd });
let server: FakeServer;

beforeAll(async () => {
  server = await startFakeServer();
  mkdirSync(join(cwd, 'below'));
  writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 3'));
  writeFileSync(join(cwd, 'below', 'other.yaml'), corridor('max: 2'));
});

afterAll(() => server.close());

function write(name: string, lines: readonly string[]): string {
  writeFileSync(join(cwd, name), `${lines.join('\n')}\n`);
  return name;
}

const MATRIX = [
  'title: Who is better?',
  'scenarios: [corridor.yaml, below/other.yaml]',
  'models: { scripted: { controller: scripted }, random: { controller: random } }',
  'seeds: [7, north]',
  'switches: { channel: { both: [], text: [render.channel=text] } }',
  'parallel: 3',
];

interface Document {
  planned: number;
  stopped: string | null;
  ended: number;
  not_played: number;
  calls: number;
  prompt_tokens: number;
  cost: number;
  cells: readonly {
    scenario: string;
    switches: object;
    planned: number;
  }[];
  failures: readonly { run_id: string; error: string }[];
}

/** All runs of a folder's logs, sorted. */
function runsIn(
  folder: string,
): readonly { id: string; status: string; chain: string | undefined; log: string }[] {
  return readdirSync(join(cwd, folder))
    .filter((name) => name.endsWith('.sqlite'))
    .flatMap((log) => {
      const reader = new LogReader(join(cwd, folder, log));
      const runs = reader.runs().map(({ runId, status }) => {
        return { id: runId, status, chain: reader.end(runId)?.chain, log };
      });
      reader.close();
      return runs;
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

describe('a batch', () => {
  it('plays every scenario with every model, seed and position, each once, in logs of their own', async () => {
    const file = write('matrix.yaml', MATRIX);
    const { code, out } = await on('batch', file, '--out', 'matrix', '--json');
    const document = JSON.parse(out) as Document;
    expect(code).toBe(0);
    expect(document).toMatchObject({
      batch: 'matrix',
      planned: 16,
      stopped: null,
      not_played: 0,
      failures: [],
    });
    expect(document.cells).toHaveLength(8);
    expect(document.cells[1]).toMatchObject({
      scenario: 'corridor',
      switches: { channel: 'both' },
      planned: 2,
    });
    const runs = runsIn('matrix');
    expect(runs).toHaveLength(16);
    expect(new Set(runs.map(({ log }) => log)).size).toBeLessThanOrEqual(3);
    const verified = await on('verify', ...new Set(runs.map(({ log }) => join('matrix', log))));
    expect(verified.code).toBe(0);
  });

  it(
    'gives a run the same id and chain in any folder, however many are played at once',
    { tags: ['long'] },
    async () => {
      const file = write('again.yaml', MATRIX);
      await on('batch', file, '--out', 'again', '--parallel', '1', '--quiet');
      await on('batch', file, '--out', 'elsewhere', '--parallel', '16', '--quiet');
      const plain = (folder: string) => runsIn(folder).map(({ id, chain }) => ({ id, chain }));
      expect(plain('again')).toHaveLength(16);
      expect(plain('again')).toEqual(plain('elsewhere'));
    },
  );

  it('tells what it would play, and plays nothing', async () => {
    const { code, out } = await on('batch', write('dry.yaml', MATRIX), '--dry-run');
    expect(code).toBe(0);
    expect(out).toContain('16 runs, 3 at once, into runs/dry');
    expect(out).toContain('corridor · random · channel=text: 2 runs');
    expect(readdirSync(cwd)).not.toContain('runs');
  });

  it('refuses a folder that holds runs, unless it is to go on; then it plays only what is missing', async () => {
    const file = write('grows.yaml', [
      'scenarios: [corridor.yaml]',
      'models: { r: { controller: random } }',
      'seeds: 2',
    ]);
    await on('batch', file, '--out', 'grows', '--quiet');
    const refused = await on('batch', file, '--out', 'grows');
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toContain('grows already contains batch runs');
    const before = runsIn('grows');
    write('grows.yaml', ['scenarios: [corridor.yaml]', 'models: { r: { controller: random } }', 'seeds: 3']);
    const { out } = await on('batch', file, '--out', 'grows', '--resume');
    expect(out).toContain('3 runs, 2 already done');
    expect(runsIn('grows')).toHaveLength(3);
    expect(runsIn('grows')).toEqual(expect.arrayContaining([...before]));
  });

  it('says which seeds are won before the first turn, once for each world, and so does a report', async () => {
    // In the first room on some seeds, because a thing lies anywhere on the generated map.
    const rooms = ['title: Rooms', 'generate: { size: [24, 16], rooms: 2 }', 'things: { gem: {} }'];
    const rest = ['agents: [{ id: ann, sprite: knight }]', 'success: { thing: gem, in_room: room-1 }'];
    write('rooms.yaml', [...rooms, ...rest, 'turns: { max: 1 }']);
    const players = 'models: { r: { controller: random }, s: { controller: scripted } }';
    const file = write('early.yaml', ['scenarios: [rooms.yaml]', players, 'seeds: 5']);
    const { out } = await on('batch', file, '--out', 'early');
    const report = JSON.parse((await on('report', 'early', '--json')).out) as RunReport;
    const won = report.runs
      .flatMap(({ players: name, seed, steps }) => (name === 'r' && steps === 0 ? [seed] : []))
      .toSorted();
    const words = `${won.length} seeds are won or lost before the first turn, whoever plays: ${won.join(', ')}`;
    expect(won.length).toBeGreaterThan(1);
    expect(won.length).toBeLessThan(5);
    expect(out.split(`rooms: ${words}`)).toHaveLength(2);
    expect((await on('report', 'early')).out.replaceAll(/\s+/g, ' ')).toContain(words);
    for (const table of ['markdown', 'latex'])
      expect((await on('report', 'early', '--table', table)).out).toContain(`rooms: ${words}.`);
  });

  it('without models and seeds plays the scenario as it is', async () => {
    const file = write('own.yaml', ['scenarios: [corridor.yaml]']);
    const { out } = await on('batch', file, '--out', 'own', '--json');
    expect(JSON.parse(out)).toMatchObject({ planned: 1, ended: 1 });
  });
});

describe('models', () => {
  const models = (more = ''): string =>
    `models: { fake: { base_url: "${server.baseUrl}", price: { prompt: 1000, reply: 0 }, retries: 0${more} } }`;

  it('are asked, and what that costs is counted, of runs that were over before as well', async () => {
    const file = write('asked.yaml', ['scenarios: [corridor.yaml]', models(), 'seeds: 2']);
    const first = JSON.parse((await on('batch', file, '--out', 'asked', '--json')).out) as Document;
    expect(first.calls).toBe(12);
    expect(first.prompt_tokens).toBeGreaterThan(0);
    expect(first.cost).toBeCloseTo(first.prompt_tokens / 1000, 6);
    const asked = server.chats.length;
    const second = JSON.parse(
      (await on('batch', file, '--out', 'asked', '--json', '--resume')).out,
    ) as Document;
    expect(server.chats.length).toBe(asked);
    expect(second).toMatchObject({
      ended: 2,
      calls: 12,
      prompt_tokens: first.prompt_tokens,
      cost: first.cost,
    });
  });

  it('end with the budget of all runs together; a larger one goes on', async () => {
    const lines = (tokens: number) => [
      'scenarios: [corridor.yaml]',
      models(),
      'seeds: 4',
      'parallel: 2',
      `limits: { tokens: ${tokens} }`,
    ];
    const file = write('budget.yaml', lines(2000));
    const { code, out } = await on('batch', file, '--out', 'budget', '--json');
    expect(code).toBe(1);
    expect((JSON.parse(out) as Document).stopped).toMatch(/budget of 2000 tokens is exhausted/);
    write('budget.yaml', lines(10_000_000));
    const more = JSON.parse(
      (await on('batch', file, '--out', 'budget', '--resume', '--json')).out,
    ) as Document;
    expect(more).toMatchObject({ ended: 4, stopped: null });
  });

  it('that are not held to a form, though they may be, are told of once for all runs', async () => {
    const file = write('unheld.yaml', [
      'scenarios: [corridor.yaml]',
      models(', guided: auto, server: ollama'),
      'seeds: 3',
    ]);
    const { code, out } = await on('batch', file, '--out', 'unheld');
    expect(code).toBe(0);
    expect(
      out.match(/replies are not guided: Ollama can't guide .*; it supports only response_format\n/g),
    ).toHaveLength(1);
  });

  it('that can never answer are set aside, and the other players play on', async () => {
    const file = write('wrong.yaml', [
      'scenarios: [corridor.yaml]',
      `models: { wrong: { base_url: "${server.baseUrl}", model: nobody }, random: { controller: random } }`,
      'seeds: 6',
      'parallel: 1',
    ]);
    const { code, out, err } = await on('batch', file, '--out', 'wrong', '--json');
    const document = JSON.parse(out) as Document;
    expect(code).toBe(4);
    expect(document).toMatchObject({ ended: 6, not_played: 6 });
    expect(document.failures).toHaveLength(6);
    // Every line has its reason: the three runs, the three that are skipped, and all six in the end.
    const reason = /^.*does not have the model "nobody"/gm;
    expect(err.match(reason)).toEqual([
      expect.stringContaining('could not play corridor · wrong'),
      expect.stringContaining('could not play corridor · wrong'),
      expect.stringContaining('could not play corridor · wrong'),
      expect.stringContaining('skipping the remaining runs of wrong: '),
      expect.stringContaining('error: 6 runs could not be played: '),
    ]);
    // The hint is the same for all six.
    const hints = err.match(/^ +hint: .*$/gm) ?? [];
    expect(hints.length).toBeGreaterThan(0);
    expect(new Set(hints).size).toBe(hints.length);
  });

  it('whose server fails at every call, though it answers a short question, are given up in the end', async () => {
    const ill = await startFakeServer();
    write('long.yaml', [corridor('max: 20')]);
    ill.next(...Array.from({ length: 60 }, () => act.crashed));
    const file = write('ill.yaml', [
      'scenarios: [long.yaml]',
      `models: { ill: { base_url: "${ill.baseUrl}", model: fake-vlm, retries: 0 } }`,
    ]);
    const { code, out, err } = await on('batch', file, '--out', 'ill', '--json');
    expect(code).toBe(4);
    expect(JSON.parse(out)).toMatchObject({ ended: 0, not_played: 1 });
    // It is not down, so it is not waited for.
    expect(err).not.toContain('waiting');
    const reason =
      /could not play .*: the model server at .* failed \(HTTP 500\).*; given up after 6 tries in a row/;
    expect(err).toMatch(reason);
    // Six times so many requests of an agent in a row, each with the question; of two agents, one may begin.
    expect(ill.chats.length).toBeGreaterThanOrEqual(6 * 2 * LIMITS.unansweredInARow);
    expect(ill.chats.length).toBeLessThan(6 * 2 * 2 * LIMITS.unansweredInARow);
    await ill.close();
  });

  it('whose server is gone are waited for, and then given up with its words', async () => {
    const gone = await startFakeServer();
    await gone.close();
    const file = write('gone.yaml', [
      'scenarios: [corridor.yaml]',
      `models: { gone: { base_url: "${gone.baseUrl}", retries: 0 } }`,
      'seeds: 3',
      'patience_s: 1',
    ]);
    const { code, err, out } = await on('batch', file, '--out', 'gone');
    expect(code).toBe(4);
    expect(out).toContain(
      `waiting up to 1 s for ${gone.baseUrl}, which answers nobody (Ctrl-C stops): the model server`,
    );
    expect(`${out}${err}`.match(/skipping the remaining runs of gone: .*connection refused/g)).toHaveLength(
      1,
    );
    expect(err).toMatch(/3 runs could not be played: .*connection refused/);
    // A report calls runs not played that are in no log; these may have begun.
    expect(out).toMatch(/runs +given up/);
    expect(out).not.toContain('not played');
    expect(err).toContain('--resume');
  });
});

describe('Ctrl-C', () => {
  it('ends every run after its step; --resume ends with the chains of a batch that was left alone', async () => {
    const slow = await startFakeServer({ latencyMs: 30 });
    const file = write('stopped.yaml', [
      'scenarios: [corridor.yaml]',
      `models: { fake: { base_url: "${slow.baseUrl}" } }`,
      'seeds: 4',
      'parallel: 2',
    ]);
    const captured = capturedIo({ cwd });
    const running = main(['batch', file, '--out', 'stopped'], captured.io);
    while (slow.chats.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    captured.interrupt();
    expect(await running).toBe(130);
    expect(captured.err()).toContain('--resume continues');
    expect((await on('batch', file, '--out', 'stopped', '--resume')).code).toBe(0);
    const asked = slow.chats.length;
    await on('batch', file, '--out', 'whole', '--quiet');
    const plain = (folder: string) => runsIn(folder).map(({ id, chain, status }) => ({ id, chain, status }));
    expect(plain('stopped')).toEqual(plain('whole'));
    // Nothing that was answered was asked again.
    expect(slow.chats.length - asked).toBe(asked);
    await slow.close();
  });
});

describe('a folder that can not be used', () => {
  it('is told', async () => {
    const file = write('no-folder.yaml', ['scenarios: [corridor.yaml]']);
    const { code, err } = await on('batch', file, '--out', 'corridor.yaml');
    expect(code).toBe(3);
    expect(err).toContain("corridor.yaml can't be read: a part of its path is a file");
  });
});

describe('a mistake', () => {
  const mistakes = async (lines: readonly string[]) => {
    const { code, err } = await on('batch', write('wrong-file.yaml', lines));
    expect(code).toBe(2);
    return err;
  };

  it('is told with all others, each with its place', async () => {
    const err = await mistakes([
      'scenarios: [nowhere.yaml, corridor.yaml, corridor.yaml]',
      'model: {}',
      'models: { a: { controller: scripted, temperature: 1 }, b: { base_url: "http://x/v1", servers: [{ base_url: "http://y/v1" }] } }',
      'switches: { empty: {} }',
    ]);
    expect(err).toContain('wrong-file.yaml:1:13 error: the scenario nowhere.yaml can');
    expect(err).toContain('corridor.yaml is in the list twice');
    expect(err).toContain("wrong-file.yaml:2:1 error: unknown key 'model'");
    expect(err).toContain('scripted plays without a model, so temperature has no effect');
    expect(err).toContain("'base_url' and 'servers' are mutually exclusive");
    expect(err).toContain('a switch without positions');
    expect(err).toContain('6 mistakes in wrong-file.yaml');
  });

  it.each([
    [
      'a scenario that is nowhere',
      ['scenarios: [../elsewhere/corridor.yaml]'],
      "wrong-file.yaml:1:13 error: the scenario ../elsewhere/corridor.yaml can't be read: there is no such",
    ],
    ['a scenario', ['agents: [{ id: ann }]'], 'this is a scenario, not a batch\n'],
    [
      'a secret',
      [
        'scenarios: [corridor.yaml]',
        'models: { a: { extra: { key: "sk-abcdefghijklmnopqrstuvwxyz123456" } } }',
      ],
      'looks like a secret',
    ],
    [
      'too many runs',
      ['scenarios: [corridor.yaml]', 'seeds: 60000', 'switches: { a: { x: [], y: [turns.max=1] } }'],
      'this batch has 120000 runs',
    ],
    [
      'positions that are the same',
      ['scenarios: [corridor.yaml]', 'switches: { a: { x: [], y: [turns.max=3] } }'],
      'the batch has the same run twice',
    ],
    [
      'an unknown setting',
      ['scenarios: [corridor.yaml]', 'switches: { a: { x: [turns.mx=3] } }'],
      'turns.mx',
    ],
    [
      'a cost that never rises',
      ['scenarios: [corridor.yaml]', 'models: { a: {} }', 'limits: { cost: 1 }'],
      'no model has a price',
    ],
    ['no number of runs at once', ['scenarios: [corridor.yaml]', 'parallel: 0'], 'parallel'],
  ])('%s is refused', async (_, lines, words) => {
    expect(await mistakes(lines)).toContain(words);
  });
});
