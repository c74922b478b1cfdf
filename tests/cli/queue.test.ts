/**
 * `batch --queue` with `worker`: the same runs with the same chains as in one process, whoever dies: workers, the batch, or Redis with all that it had. Needs
 * dist/ and redis-server.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { runProgram, startProgram } from '../support/children.js';
import type { Child, Ended } from '../support/children.js';
import { folderForCommands } from '../support/every-command.js';
import { temporaryFolder } from '../support/folder.js';
import { NO_REDIS, startRedis } from '../support/redis-server.js';
import type { RedisServer } from '../support/redis-server.js';

const cwd = temporaryFolder();
const KEY = 'sk-a-key-that-redis-must-not-see';
const REPLY = 'I would rather wait here';
let redis: RedisServer | null = null;
let server: FakeServer;
let latencyMs = 20;
let calls = 0;
let busiest = 0;
let inside = 0;

beforeAll(async () => {
  redis = await startRedis();
  server = await startFakeServer({
    images: 'any',
    reply: async () => {
      calls += 1;
      inside += 1;
      busiest = Math.max(busiest, inside);
      await wait(latencyMs);
      inside -= 1;
      return `${REPLY}\nACTION: WAIT`;
    },
  });
  folderForCommands(cwd, server);
  writeFileSync(join(cwd, 'long.yaml'), corridor('max: 30'));
  writeFileSync(join(cwd, 'short.yaml'), corridor('max: 8'));
  writeFileSync(join(cwd, 'step-by-step.yaml'), corridor('max: 20, speculate: false'));
});

beforeEach(({ skip }) => {
  if (redis === null) skip(NO_REDIS);
  [latencyMs, calls, busiest] = [20, 0, 0];
});

afterAll(async () => {
  await redis?.kill();
  await server.close();
});

function write(name: string, lines: readonly string[]): string {
  writeFileSync(join(cwd, name), `${lines.join('\n')}\n`);
  return name;
}

const at = (store: string): readonly string[] => ['--queue', redis?.url ?? '', '--store', store];
const options = { cwd, env: { OPENAI_API_KEY: KEY } };
const batch = (file: string, store: string, ...more: readonly string[]): Promise<Ended> =>
  runProgram(['batch', file, ...at(store), ...more], options);
const startBatch = (file: string, store: string, ...more: readonly string[]): Child =>
  startProgram(['batch', file, ...at(store), ...more], options);

/** Resolves once it takes runs. */
async function startWorker(store: string, ...more: readonly string[]): Promise<Child> {
  const worker = startProgram(['worker', ...at(store), '--lock', '3', ...more], options);
  await worker.prints(/on the queue/);
  return worker;
}

async function end(...workers: readonly Child[]): Promise<void> {
  for (const { process } of workers) process.kill('SIGINT');
  await Promise.all(workers.map(({ ended }) => ended));
}

interface KeptRun {
  id: string;
  chain: string | undefined;
}

/** All runs of a folder's logs, and of its shards'; none is there twice. */
function runsIn(folder: string): readonly KeptRun[] {
  const names = readdirSync(join(cwd, folder), { recursive: true, encoding: 'utf8' });
  const runs = names
    .filter((name) => name.endsWith('.sqlite') && !name.startsWith('checkpoints'))
    .flatMap((name) => {
      const reader = new LogReader(join(cwd, folder, name));
      const kept = reader.runs().map(({ runId }) => ({ id: runId, chain: reader.end(runId)?.chain }));
      reader.close();
      return kept;
    });
  return runs.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Every file of the export of a folder's logs, and of its shards', by name. */
async function exportOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = readdirSync(join(cwd, folder), { recursive: true, encoding: 'utf8' });
  const logs = names.filter((name) => name.endsWith('.sqlite')).map((name) => join(folder, name));
  const out = join(cwd, `${folder}-rows`);
  const words = ['export', ...logs, '--format', 'jsonl', '--duplicates', 'keep', '--out', out];
  const { code, err } = await runProgram(words, options);
  expect(code, err).toBe(0);
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      // The minute in which a run was played is its own.
      return [
        relative(out, path),
        readFileSync(path, 'latin1').replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'MINUTE'),
      ];
    }),
  );
}

const published = (store: string): number =>
  existsSync(join(cwd, store))
    ? readdirSync(join(cwd, store)).filter((name) => name.endsWith('.sqlite')).length
    : 0;

/** Nothing is left of work that is over. */
function expectTidy(store: string): void {
  const names = readdirSync(join(cwd, store)).filter(
    (name) => name.startsWith('.') || name.includes('.other-'),
  );
  expect(names).toEqual([]);
  expect(readdirSync(join(cwd, store, 'checkpoints'))).toEqual([]);
}

const SCRIPTED = [
  'title: Scripted',
  'scenarios: [short.yaml]',
  'models: { scripted: { controller: scripted }, random: { controller: random } }',
  'seeds: 6',
  'parallel: 12',
];

const modelled = (scenario: string, seeds: number, more: readonly string[] = []): readonly string[] => [
  'title: Modelled',
  `scenarios: [${scenario}]`,
  `models: { fake: { base_url: '${server.baseUrl}', model: fake-vlm } }`,
  `seeds: ${seeds}`,
  'parallel: 12',
  ...more,
];

describe('a batch on a queue', () => {
  it('plays the same runs as one process, four, eight shards', { tags: ['long'] }, async () => {
    const file = write('scripted.yaml', SCRIPTED);
    await runProgram(['batch', file, '--out', 'one', '--quiet'], options);
    await runProgram(['batch', file, '--out', 'four', '--workers', '4', '--quiet'], options);
    for (let i = 1; i <= 8; i++)
      await runProgram(['batch', file, '--out', 'eight', '--shard', `${i}/8`, '--quiet'], options);
    const workers = [await startWorker('queued'), await startWorker('queued', '--workers', '2')];
    const { code, out, err } = await batch(file, 'queued');
    await end(...workers);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/ 1\/12 {2}ended .*8 turns, 24 steps in the log/);
    expect(runsIn('one')).toHaveLength(12);
    for (const folder of ['four', 'eight', 'queued']) expect(runsIn(folder)).toEqual(runsIn('one'));
    expectTidy('queued');
    const exported = await exportOf('one');
    for (const folder of ['four', 'eight', 'queued']) expect(await exportOf(folder)).toEqual(exported);
  });

  it(
    'loses and doubles nothing when a worker is killed and another one stands still',
    { tags: ['long'] },
    async () => {
      const file = write('killed.yaml', [...SCRIPTED.slice(0, 3), 'seeds: 12', 'parallel: 24']);
      const workers = [await startWorker('killed'), await startWorker('killed'), await startWorker('killed')];
      const [first, second, third] = workers as [Child, Child, Child];
      const playing = startBatch(file, 'killed');
      await playing.prints(/\/24/, 2);
      first.process.kill('SIGKILL');
      await second.prints(/playing/, 2);
      second.process.kill('SIGSTOP');
      setTimeout(() => second.process.kill('SIGCONT'), 9000);
      const { code, err } = await playing.ended;
      await wait(500);
      second.process.kill('SIGCONT');
      await end(second, third);
      expect([code, err]).toEqual([0, '']);
      await runProgram(['batch', file, '--out', 'calm', '--quiet'], options);
      expect(runsIn('killed')).toEqual(runsIn('calm'));
      expectTidy('killed');
      const verified = await runProgram(
        [
          'verify',
          ...readdirSync(join(cwd, 'killed')).flatMap((name) =>
            name.endsWith('.sqlite') ? [`killed/${name}`] : [],
          ),
        ],
        options,
      );
      expect(verified.code).toBe(0);
    },
  );

  it(
    'goes on with --resume when the batch was killed, and when Redis was emptied',
    { tags: ['long'] },
    async () => {
      latencyMs = 60;
      const file = write('resumed.yaml', modelled('long.yaml', 8));
      const worker = await startWorker('resumed', '--parallel', '2');
      const first = startBatch(file, 'resumed');
      await first.prints(/\/8/, 1);
      first.process.kill('SIGKILL');
      await first.ended;
      await redis?.kill();
      await redis?.start(true);
      const refused = await batch(file, 'resumed');
      expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--resume continues them')]);
      const before = published('resumed');
      const second = await batch(file, 'resumed', '--resume');
      await end(worker);
      expect([second.code, second.err]).toEqual([0, '']);
      expect(second.out).toMatch(new RegExp(`8 runs, [${before}-8] already done`));
      expect(published('resumed')).toBe(8);
      expectTidy('resumed');
    },
  );

  it('goes on by itself when Redis is emptied under it', { tags: ['long'] }, async () => {
    latencyMs = 60;
    const file = write('emptied.yaml', modelled('long.yaml', 6));
    const worker = await startWorker('emptied', '--parallel', '2');
    const playing = startBatch(file, 'emptied');
    await playing.prints(/\/6/, 1);
    await redis?.kill();
    await redis?.start(true);
    const { code } = await playing.ended;
    await end(worker);
    expect([code, published('emptied')]).toEqual([0, 6]);
    expectTidy('emptied');
  });

  it('continues a run from its checkpoint on another worker', { tags: ['long'] }, async () => {
    latencyMs = 100;
    const file = write('checkpoint.yaml', modelled('step-by-step.yaml', 1));
    const calm = await runProgram(['batch', file, '--out', 'one-go', '--quiet'], options);
    const callsOfOne = calls;
    calls = 0;
    const first = await startWorker('checkpoint', '--checkpoint', '1');
    const playing = startBatch(file, 'checkpoint', '--quiet');
    const folder = join(cwd, 'checkpoint', 'checkpoints');
    await expect.poll(() => readdirSync(folder).length).toBe(1);
    await wait(1200);
    first.process.kill('SIGKILL');
    await first.ended;
    const second = await startWorker('checkpoint');
    const { code, err } = await playing.ended;
    await end(second);
    expect([calm.code, code, err]).toEqual([0, 0, '']);
    expect(runsIn('checkpoint')).toEqual(runsIn('one-go'));
    // At most what was answered since the checkpoint: a second, and what it took to store.
    expect(calls - callsOfOne).toBeLessThan(20);
    expect(calls).toBeGreaterThan(callsOfOne);
  });

  it('shares the limits of a server and the budget over all workers', { tags: ['long'] }, async () => {
    const file = write(
      'limited.yaml',
      modelled('step-by-step.yaml', 6, ['limits: { requests_at_once: 2, tokens: 60000 }']),
    );
    const workers = [
      await startWorker('limited', '--parallel', '3'),
      await startWorker('limited', '--parallel', '3'),
    ];
    const { code, out } = await batch(file, 'limited', '--json');
    await end(...workers);
    expect([code, busiest]).toEqual([1, 2]);
    expect(out).toContain('budget of 60000 tokens is exhausted');
    const { prompt_tokens: prompt = 0, reply_tokens: reply = 0 } = JSON.parse(out) as Record<string, number>;
    // A step of one of these runs is one call.
    const mostOfACall = 3000;
    expect(prompt + reply).toBeGreaterThanOrEqual(60_000);
    expect(prompt + reply).toBeLessThan(60_000 + 6 * mostOfACall);
  });

  it(
    'plays with programs and modules of the user, which only the worker names',
    { tags: ['long'] },
    async () => {
      const agent = join(import.meta.dirname, '..', 'support', 'fake-agent.mjs');
      const file = write('mine.yaml', [
        'scenarios: [corridor.yaml]',
        'models: { mine: { controller: process } }',
        'seeds: 3',
      ]);
      const program = `mine='${process.execPath}' '${agent}' wait`;
      const words = ['--modules', 'own.mjs', '--process', program];
      await runProgram(['batch', file, '--out', 'mine-1', '--quiet', ...words], options);
      const worker = await startWorker('mine', ...words);
      const { code, err } = await batch(file, 'mine', '--modules', 'own.mjs', '--quiet');
      await end(worker);
      expect([code, err]).toEqual([0, '']);
      expect(runsIn('mine')).toEqual(runsIn('mine-1'));
    },
  );

  it('keeps keys and replies out of Redis', async () => {
    const file = write('secret.yaml', modelled('corridor.yaml', 2));
    const worker = await startWorker('secret', '--key', `OPENAI_API_KEY=${server.baseUrl}`);
    const { code } = await batch(file, 'secret', '--quiet', '--key', `OPENAI_API_KEY=${server.baseUrl}`);
    await end(worker);
    expect(code).toBe(0);
    const folder = join(redis?.folder ?? '', 'appendonlydir');
    const written = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    expect(written.join('')).toContain('corridor.yaml');
    for (const secret of [KEY, REPLY]) expect(written.join('')).not.toContain(secret);
  });
});

describe('a worker of a queue', { tags: ['long'] }, () => {
  it('gives its runs back on Ctrl-C, with how far they came', async () => {
    latencyMs = 100;
    const file = write('back.yaml', modelled('step-by-step.yaml', 2));
    const first = await startWorker('back');
    const playing = startBatch(file, 'back', '--quiet');
    await first.prints(/playing/, 2);
    await expect.poll(() => calls).toBeGreaterThan(8);
    first.process.kill('SIGINT');
    expect((await first.ended).code).toBe(0);
    expect(readdirSync(join(cwd, 'back', 'checkpoints'))).toHaveLength(2);
    const second = await startWorker('back');
    expect((await playing.ended).code).toBe(0);
    await end(second);
    expect(published('back')).toBe(2);
  });

  it('ends with exit code 3 and keeps the log when the store is gone', async () => {
    latencyMs = 100;
    const file = write('gone.yaml', modelled('corridor.yaml', 1));
    const worker = await startWorker('gone');
    const playing = startBatch(file, 'gone', '--quiet');
    await worker.prints(/playing/);
    await expect.poll(() => calls).toBeGreaterThan(0);
    renameSync(join(cwd, 'gone'), join(cwd, 'elsewhere'));
    const { code, err } = await worker.ended;
    expect([code, err]).toEqual([3, expect.stringContaining('the store gone can')]);
    const [, scratch = ''] = /the logs of the played runs are kept in (\S+)/.exec(err) ?? [];
    expect(readdirSync(scratch).some((name) => name.endsWith('.sqlite'))).toBe(true);
    rmSync(scratch, { recursive: true });
    expect((await playing.ended).code).toBe(3);
  });

  it('refuses a scenario that is another one here, or outside its folder', async () => {
    const file = write('other.yaml', ['scenarios: [corridor.yaml]', 'seeds: 1']);
    mkdirSync(join(cwd, 'others'), { recursive: true });
    writeFileSync(join(cwd, 'others', 'corridor.yaml'), corridor('max: 4'));
    const worker = await startWorker('refused', '--scenarios', 'others');
    const { code, out } = await batch(file, 'refused', '--quiet');
    await end(worker);
    expect([code, out]).toEqual([
      2,
      expect.stringMatching(
        /corridor\.yaml is not the scenario that the batch was planned with: its run id here is corridor-/,
      ),
    ]);
    const above = write('others/above.yaml', ['scenarios: [../corridor.yaml]', 'seeds: 1']);
    const outside = await batch(above, 'refused', '--quiet');
    expect([outside.code, outside.err]).toEqual([
      2,
      expect.stringContaining("../corridor.yaml is not below the batch file's folder"),
    ]);
  });

  it('says what is missing or does not go together', async () => {
    const file = write('words.yaml', ['scenarios: [corridor.yaml]']);
    const refusals: readonly (readonly [readonly string[], string])[] = [
      [['worker'], 'a worker needs --queue and --store'],
      [['batch', file, '--queue', 'redis://127.0.0.1:1'], '--queue and --store must be given together'],
      [['batch', file, '--queue', 'http://x', '--store', 'words'], '--queue takes the address of a Redis'],
      [
        ['batch', file, ...at('words'), '--out', 'x'],
        '--out has no effect with --queue: the runs are stored in --store',
      ],
      [['batch', file, ...at('words'), '--workers', '2'], '--workers has no effect with --queue'],
      [['batch', file, ...at('words'), '--shard', '1/2'], '--shard and --queue are mutually exclusive'],
      [
        ['worker', '--queue', 'redis://u:secret@127.0.0.1:1', '--store', 'words'],
        "the queue redis://u:…@127.0.0.1:1 can't be reached: ",
      ],
    ];
    for (const [words, refusal] of refusals) {
      const { code, err } = await runProgram(words, options);
      expect([code, err]).toEqual([2, expect.stringContaining(refusal)]);
      expect(err).not.toContain('secret');
    }
  });
});
