/**
 * Promise 1: the same scenario, seed and controllers give the same chain, step by step, in two processes of different time zone and
 * language; the pure core alone does so without a compiler and on another Node; and a state that went through JSON plays on the same.
 * Needs dist/. Faults planted in the processes show that each comparison would notice.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { OTHER_NODE, ROOT } from '../support/children.js';
import { partsFor } from '../support/play.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { LONG_SIZED, SIZED, grouped, reached, sizeOf, someOf } from '../support/sizes.js';

const FILES = someOf(
  readdirSync(`${ROOT}/scenarios`).filter((name) => name.endsWith('.yaml')),
  'scenarios',
).map((name) => `scenarios/${name}`);

const RUNS = fileURLToPath(new URL('runs.mjs', import.meta.url));
const CORE = fileURLToPath(new URL('core.mjs', import.meta.url));

/** Two places on earth: dates, collation and decimal signs differ. */
const HERE = { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' };
const THERE = { TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' };

interface Start {
  program?: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  stdin?: string;
}

/** The lines that a process prints; rejects with what it said where it fails. */
function lines({ program = process.execPath, args, env, stdin = '' }: Start): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: ROOT, env: { PATH: process.env['PATH'] ?? '', ...env } });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve(out.trim().split('\n'))
        : reject(new Error(`${program} ended with ${code}: ${err}`)),
    );
    child.stdin.end(stdin);
  });
}

function seedsUpTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_seed, index) => index + 1);
}

function steps(printed: readonly string[]): number {
  return printed.reduce((sum, line) => sum + Number(line.split(' ')[2]), 0);
}

interface RunsRequest {
  files: readonly string[];
  seeds: readonly number[];
  controller: 'scripted' | 'random';
  plant?: string;
}

function runs(request: RunsRequest): Promise<readonly (readonly string[])[]> {
  const args = [RUNS, JSON.stringify({ ...request, steps: sizeOf('determinismSteps') })];
  return Promise.all([HERE, THERE].map((env) => lines({ args, env })));
}

describe('whole runs in two places', () => {
  it.each(someOf(['scripted', 'random'] as const, 'controllers'))(
    'with %s controllers end with one chain',
    SIZED,
    async (controller) => {
      const seeds = seedsUpTo(sizeOf('determinismSeeds'));
      const [one = [], other = []] = await runs({ files: FILES, seeds, controller });
      expect(other).toEqual(one);
      expect(one).toHaveLength(FILES.length * seeds.length);
      const chains = new Set(one.map((line) => line.split(' ')[3]));
      expect(chains.size).toBe(one.length);
      const played = `${FILES.length} scenarios × ${seeds.length} seeds in 2 processes, ${grouped(2 * steps(one))} steps`;
      reached(`1 determinism, ${controller}`, `${played}, 0 differ`);
    },
  );

  it('are told apart where the local time gets in', { tags: ['long'] }, async () => {
    const request = { files: FILES.slice(0, 1), seeds: [1], controller: 'random', plant: 'clock' } as const;
    const [one, other] = await runs(request);
    expect(other).not.toEqual(one);
  });
});

interface CoreRequest {
  seeds: readonly number[];
  turns?: number;
  isHeavy?: boolean;
  plant?: string;
  files?: readonly string[];
}

/** What the core needs of a shipped scenario. */
async function definitionOf(file: string) {
  const { scenario } = await partsFor(`${ROOT}/${file}`, new MemorySink());
  return { name: file, kind: scenario.environment, definition: scenario.definition };
}

async function core(request: CoreRequest, start: Omit<Start, 'args' | 'env'> & Partial<Start> = {}) {
  const definitions = await Promise.all((request.files ?? FILES).map(definitionOf));
  return lines({
    env: HERE,
    ...start,
    args: [...(start.args ?? []), CORE],
    stdin: JSON.stringify({ turns: 12, ...request, definitions }),
  });
}

describe('the pure core', () => {
  const seeds = seedsUpTo(sizeOf('coreSeeds'));

  it('plays the same without a compiler', LONG_SIZED, async () => {
    const [one, other] = await Promise.all([
      core({ seeds }),
      core({ seeds }, { args: ['--jitless'], env: THERE }),
    ]);
    expect(other).toEqual(one);
    reached(
      '1 determinism, --jitless',
      `${FILES.length} scenarios × ${seeds.length} seeds, ${grouped(steps(one))} steps, 0 differ`,
    );
  });

  it.skipIf(!existsSync(OTHER_NODE))(
    'plays the same on another Node (installed by npm run other-node)',
    SIZED,
    async () => {
      const [version] = await lines({ program: OTHER_NODE, args: ['-p', 'process.version'], env: HERE });
      expect(version).not.toBe(process.version);
      const [one, other] = await Promise.all([core({ seeds }), core({ seeds }, { program: OTHER_NODE })]);
      expect(other).toEqual(one);
      reached(
        `1 determinism, another Node`,
        `${version} as ${process.version}, ${FILES.length} scenarios × ${seeds.length} seeds, ${grouped(steps(one))} steps, 0 differ`,
      );
    },
  );

  it('plays on the same from a state that went through JSON', SIZED, async () => {
    const heavySeeds = seedsUpTo(sizeOf('heavySeeds'));
    const [one, heavy] = await Promise.all([
      core({ seeds: heavySeeds }),
      core({ seeds: heavySeeds, isHeavy: true }),
    ]);
    expect(heavy).toEqual(one);
    reached(
      '1 determinism, heavy mode',
      `${FILES.length} scenarios × ${heavySeeds.length} seeds, ${grouped(steps(heavy))} steps taken twice, 0 differ`,
    );
  });

  it.each(['beside', 'identity', 'keys'])(
    'with a fault of its own is found out: %s',
    { tags: ['long'] },
    async (plant) => {
      const files = ['scenarios/crypt.yaml'];
      await expect(core({ seeds: [1], isHeavy: true, plant, files })).rejects.toThrow('differs after JSON');
    },
  );

  it('with a clock is found out', { tags: ['long'] }, async () => {
    const files = ['scenarios/crypt.yaml'];
    const [one, other] = await Promise.all(
      [HERE, THERE].map((env) => core({ seeds: [1], plant: 'clock', files }, { env })),
    );
    expect(other).not.toEqual(one);
  });
});
