/** `batch --workers N`: the same runs with the same chains as in one process, shared limits, and what becomes of runs whose process dies. Needs dist/. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { LogReader } from '../../src/log/reader.js';
import type { Usage } from '../../src/model/chat.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { runProgram, startProgram } from '../support/children.js';
import { folderForCommands } from '../support/every-command.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
/** Requests inside the server at once, at most. */
let busiest = 0;
let inside = 0;
let server: FakeServer;

beforeAll(async () => {
  server = await startFakeServer({
    images: 'any',
    reply: async () => {
      inside += 1;
      busiest = Math.max(busiest, inside);
      await wait(30);
      inside -= 1;
      return 'ACTION: WAIT';
    },
  });
  folderForCommands(cwd, server);
  writeFileSync(join(cwd, 'long.yaml'), corridor('max: 20'));
  // A call that is made ahead belongs to no step yet.
  writeFileSync(join(cwd, 'step-by-step.yaml'), corridor('max: 20, speculate: false'));
});

afterAll(() => server.close());

function write(name: string, lines: readonly string[]): string {
  writeFileSync(join(cwd, name), `${lines.join('\n')}\n`);
  return name;
}

interface KeptRun {
  id: string;
  chain: string | undefined;
  calls: number;
}

/** All runs of a folder's logs, sorted; one of each. */
function runsIn(folder: string): readonly KeptRun[] {
  const runs = readdirSync(join(cwd, folder))
    .filter((name) => name.endsWith('.sqlite'))
    .flatMap((name) => {
      const reader = new LogReader(join(cwd, folder, name));
      const kept = reader.runs().map(({ runId }) => ({
        id: runId,
        chain: reader.end(runId)?.chain,
        calls: reader.tokens(runId).reduce((sum, { calls }) => sum + calls, 0),
      }));
      reader.close();
      return kept;
    });
  return runs.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Tokens of the last call of each run; a step has one. */
function lastCalls(folder: string): readonly number[] {
  const logs = readdirSync(join(cwd, folder)).filter((name) => name.endsWith('.sqlite'));
  return logs.flatMap((name) => {
    const reader = new LogReader(join(cwd, folder, name));
    const tokens = reader.runs().map(({ runId }) => {
      const end = reader.call(runId, reader.nextCall(runId) - 1)?.end;
      return end?.kind === 'replied' ? tokensOf(end.reply.usage) : 0;
    });
    reader.close();
    return tokens;
  });
}

const tokensOf = ({ promptTokens, completionTokens }: Usage): number =>
  (promptTokens ?? 0) + (completionTokens ?? 0);

function runsBegun(folder: string): number {
  try {
    return runsIn(folder).length;
  } catch {
    // There is no log yet, or none with a run.
    return 0;
  }
}

const batch = (...args: readonly string[]) => runProgram(['batch', ...args], { cwd });

/** What /proc says, so on Linux only; '' of a process that is gone. */
function proc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8').trim();
  } catch {
    return '';
  }
}

const childrenOf = (pid = 0): readonly number[] =>
  proc(`${pid}/task/${pid}/children`)
    .split(' ')
    .filter((word) => word !== '')
    .map(Number);
const workersOf = (pid = 0): readonly number[] =>
  childrenOf(pid).filter((child) => proc(`${child}/cmdline`).includes('batch-worker'));

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) throw new Error('there is no worker');
  process.kill(pid, name);
}

const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const SCRIPTED = [
  'title: Scripted',
  'scenarios: [long.yaml]',
  'models: { scripted: { controller: scripted }, random: { controller: random } }',
  'seeds: 2',
  'parallel: 4',
];

describe('a batch in worker processes', () => {
  it('plays the same runs with the same chains', async () => {
    const file = write('scripted.yaml', [...SCRIPTED.slice(0, -2), 'seeds: 1', 'parallel: 2']);
    const one = await batch(file, '--out', 'one', '--quiet');
    const two = await batch(file, '--out', 'two', '--workers', '2', '--quiet');
    expect([one.code, two.code, two.err]).toEqual([0, 0, '']);
    expect(runsIn('two')).toHaveLength(2);
    expect(runsIn('two')).toEqual(runsIn('one'));
  });

  it('starts as many as it is told, and leaves none', { tags: ['long'] }, async () => {
    const file = write('count.yaml', [...SCRIPTED.slice(0, -2), 'seeds: 40']);
    const child = startProgram(['batch', file, '--out', 'count', '--workers', '3'], { cwd });
    await child.prints(/succeeded|ended/);
    const workers = workersOf(child.process.pid);
    child.process.kill('SIGINT');
    const { code } = await child.ended;
    expect([workers.length, code]).toEqual([3, 130]);
    expect(workers.filter(isThere)).toEqual([]);
  });

  it('shares the limits of a server and the budget over all processes', { tags: ['long'] }, async () => {
    const file = write('limited.yaml', [
      'title: Limited',
      'scenarios: [step-by-step.yaml]',
      `models: { fake: { base_url: '${server.baseUrl}', model: fake-vlm } }`,
      'seeds: 6',
      'parallel: 6',
      'limits: { requests_at_once: 2, tokens: 60000 }',
    ]);
    busiest = 0;
    const { code, out } = await batch(file, '--out', 'limited', '--workers', '3', '--json');
    expect(code).toBe(1);
    expect(busiest).toBe(2);
    expect(out).toContain('budget of 60000 tokens is exhausted');
    // Each run under way has ended after its step: without these last steps the budget is not used up.
    const { prompt_tokens: prompt, reply_tokens: reply } = JSON.parse(out) as Record<string, number>;
    const last = lastCalls('limited');
    expect(last).toHaveLength(6);
    expect((prompt ?? 0) + (reply ?? 0) - last.reduce((sum, tokens) => sum + tokens, 0)).toBeLessThan(60_000);
  });

  it('plays with a program of the user and a module of the user', { tags: ['long'] }, async () => {
    const agent = join(import.meta.dirname, '..', 'support', 'fake-agent.mjs');
    const file = write('mine.yaml', [
      'scenarios: [corridor.yaml]',
      'models: { mine: { controller: process } }',
      'seeds: 4',
    ]);
    const program = `mine='${process.execPath}' '${agent}' wait`;
    const words = ['--modules', 'own.mjs', '--process', program, '--quiet'];
    const one = await batch(file, '--out', 'mine-1', ...words);
    const two = await batch(file, '--out', 'mine-2', '--workers', '2', ...words);
    expect([one.code, one.err, two.code, two.err]).toEqual([0, '', 0, '']);
    expect(runsIn('mine-2')).toEqual(runsIn('mine-1'));
  });

  it('refuses a number that is none', { tags: ['long'] }, async () => {
    for (const number of ['0', '1.5', 'x', String(LIMITS.batchWorkers + 1)]) {
      const { code, err } = await batch('scripted.yaml', '--out', 'none', '--workers', number);
      const words = `--workers takes a whole number from 1 to ${LIMITS.batchWorkers}, not "${number}"`;
      expect([code, err]).toEqual([2, expect.stringContaining(words)]);
    }
    const { code, err } = await batch('scripted.yaml', '--out', 'none', '--parallel', 'x');
    expect([code, err]).toEqual([2, expect.stringMatching(/^error: --parallel takes .*, not "x"/)]);
  });
});

describe('a worker that dies', { tags: ['long'] }, () => {
  it('gives its runs back, and they go on where they were', async () => {
    const file = write('killed.yaml', [
      'scenarios: [long.yaml]',
      `models: { fake: { base_url: '${server.baseUrl}', model: fake-vlm } }`,
      'seeds: 6',
      'parallel: 6',
    ]);
    const calm = await batch(file, '--out', 'calm', '--quiet');
    const child = startProgram(['batch', file, '--out', 'killed', '--workers', '2', '--quiet'], { cwd });
    await expect.poll(() => runsBegun('killed')).toBeGreaterThan(0);
    const [first] = workersOf(child.process.pid);
    signal(first, 'SIGKILL');
    await wait(500);
    const [second] = workersOf(child.process.pid);
    if (second !== undefined) signal(second, 'SIGKILL');
    const { code, err } = await child.ended;
    expect([calm.code, code, err]).toEqual([0, 0, '']);
    const chains = (folder: string) => runsIn(folder).map(({ id, chain }) => ({ id, chain }));
    expect(chains('killed')).toEqual(chains('calm'));
    const logs = readdirSync(join(cwd, 'killed')).filter((name) => name.endsWith('.sqlite'));
    const verified = await runProgram(['verify', ...logs.map((log) => join('killed', log))], { cwd });
    expect(verified.code).toBe(0);
  });

  it('sets a run aside that kills its process three times, and plays the others', async () => {
    writeFileSync(join(cwd, 'poison.yaml'), corridor('max: 5').replaceAll('ann', 'zed'));
    writeFileSync(
      join(cwd, 'poison.mjs'),
      `export const controllers = { zed: { name: 'poison', isRemote: false, decide: () => process.kill(process.pid, 'SIGKILL') } };\n`,
    );
    const file = write('set-aside.yaml', [
      'scenarios: [poison.yaml, corridor.yaml]',
      'seeds: 5',
      'parallel: 2',
    ]);
    const words = ['--modules', 'poison.mjs', '--workers', '2', '--json'];
    const { code, out, err } = await batch(file, '--out', 'set-aside', ...words);
    expect(code).toBe(1);
    expect(err).toContain("check your modules and the free memory: the run's process ended 3 times");
    const document = JSON.parse(out) as {
      ended: number;
      failures: readonly { error: string }[];
    };
    expect(document.ended).toBe(5);
    expect(document.failures).toHaveLength(5);
    expect(document.failures[0]?.error).toMatch(/the worker process of poison-\w+ was killed by SIGKILL/);
  });

  it('is ended with the batch, however that dies', async () => {
    const file = write('orphans.yaml', [
      'scenarios: [long.yaml]',
      `models: { fake: { base_url: '${server.baseUrl}', model: fake-vlm } }`,
      'seeds: 6',
      'parallel: 6',
    ]);
    const child = startProgram(['batch', file, '--out', 'orphans', '--workers', '3'], { cwd });
    await expect.poll(() => workersOf(child.process.pid).length).toBe(3);
    const all = childrenOf(child.process.pid);
    const workers = workersOf(child.process.pid);
    // One that can't notice anything.
    signal(workers[0], 'SIGSTOP');
    child.process.kill('SIGKILL');
    await child.ended;
    await expect.poll(() => all.filter(isThere)).toEqual([]);
  });
});
