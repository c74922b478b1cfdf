/**
 * Promise 4: a power cut at any moment leaves a disk from which every finished step comes back. A run is traced (strace), and thousands of disks
 * are made that a cut could have left: writes that were not synced are lost, reordered or torn. With synchronous=NORMAL the same check fails.
 * Where there is no strace, a trace that was recorded is taken. Needs the built package.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { OrchestrateError } from '../../src/base/errors.js';
import { WORLD_ID } from '../../src/base/ids.js';
import { LogReader } from '../../src/log/reader.js';
import { LogWriter } from '../../src/log/writer.js';
import { startFakeServer } from '../fake-server/server.mjs';
import { answersOf } from '../support/chat-script.js';
import { PROGRAM, ROOT } from '../support/children.js';
import { sampleRun } from '../log/sample.js';
import { temporaryFolder } from '../support/folder.js';
import { goOn } from '../support/going-on.js';
import { play } from '../support/play.js';
import { verified } from '../replay/support.js';
import { TEMPORARY, TRACED, diskAfter, operationsIn } from './disk-trace.js';
import type { Disk, Loss, Operation } from './disk-trace.js';
import { draws, TAP } from './lives.js';
import { SIZED, grouped, reached, sizeOf, someOf } from '../support/sizes.js';

const folder = temporaryFolder();
const disks = temporaryFolder();
const RECORDED = new URL('../fixtures/power-loss.trace.gz', import.meta.url);
const RECORDED_LOG = '/tmp/recorded/run.sqlite';
const hasStrace = spawnSync('strace', ['-V']).status === 0;
const LOSSES: readonly Loss[] = ['all', 'the-end', 'any', 'torn', 'torn'];
/** Each so-manieth disk is also gone on with, to the end of the run. */
const GOES_ON_EACH = 40;

interface Traced {
  operations: readonly Operation[];
  /** The chain after each step of the whole run, as its log has it in the end. */
  steps: readonly Step[];
}

interface Step {
  chain: string;
  isAgents: boolean;
}

interface TraceOptions {
  name: string;
  scenario: string;
  set?: readonly string[];
  /** Asked over a server: two commits a step. */
  isRemote: boolean;
  synchronous?: 'NORMAL';
  /** Pages of the WAL between checkpoints, of which a short run would see none otherwise. */
  checkpoint: number;
}

async function traced(options: TraceOptions): Promise<Traced> {
  const { name, scenario, set = [], isRemote, synchronous, checkpoint } = options;
  const whole = await play(scenario, { set });
  const server = await startFakeServer({ reply: answersOf(whole.sink), images: 'any' });
  const log = join(folder, name, 'run.sqlite');
  mkdirSync(join(folder, name));
  const trace = join(folder, `${name}.trace`);
  const strace = ['-xx', '-y', '-s', '10000000', '-e', `trace=${TRACED}`, '-o', trace];
  const who = isRemote ? ['--base-url', server.baseUrl] : ['--controller', 'scripted'];
  const words = ['run', scenario, '--out', log, ...who, ...set.flatMap((one) => ['--set', one])];
  const env = {
    PATH: process.env['PATH'] ?? '',
    LOG_TAP_CHECKPOINT: String(checkpoint),
    ...(synchronous === undefined ? {} : { LOG_TAP_SYNC: synchronous }),
  };
  const child = spawn('strace', [...strace, process.execPath, '--import', TAP, PROGRAM, ...words], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.resume();
  child.stderr.on('data', (data: Buffer) => (said += data.toString()));
  const code = await new Promise((resolve) => child.on('close', resolve));
  await server.close();
  expect(code, said).toBe(0);
  if (process.env['PROMISES_RECORD'] === name)
    writeFileSync(RECORDED, gzipSync(renamed(readFileSync(trace, 'latin1'), log), { level: 9 }));
  const operations = operationsIn(readFileSync(trace, 'latin1'), log);
  return { operations, steps: stepsAtTheEnd(operations, name) };
}

/** The same trace of another path. */
function renamed(trace: string, log: string): string {
  const hex = (text: string): string =>
    [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  const of = (path: string): string => hex(path.slice(0, path.lastIndexOf('/')));
  const kept = trace.split('\n').filter((line) => line.includes(of(log)) || /^writev?\(1</.test(line));
  return kept.join('\n').replaceAll(of(log), of(RECORDED_LOG));
}

/** What the log held when the process had ended: everything is on the disk that no cut struck. */
function stepsAtTheEnd(operations: readonly Operation[], name: string): readonly Step[] {
  const { files } = diskAfter(operations, operations.length, 'the-end', (below) => below - 1);
  const path = writeDisk({ files, told: 0 }, `${name}-end`);
  return stepsIn(path);
}

function writeDisk({ files }: Disk, name: string): string {
  const disk = join(disks, `disk-${name}`);
  rmSync(disk, { recursive: true, force: true });
  mkdirSync(disk);
  for (const [file, content] of files)
    writeFileSync(join(disk, file === TEMPORARY ? TEMPORARY : `run.sqlite${file}`), content);
  return join(disk, 'run.sqlite');
}

function stepsIn(path: string): readonly Step[] {
  const reader = new LogReader(path);
  try {
    const runs = reader.runs();
    return runs.flatMap(({ runId }) =>
      [...reader.steps(runId)].map(({ chain, agent }) => ({ chain, isAgents: agent !== WORLD_ID })),
    );
  } finally {
    reader.close();
  }
}

/** What is wrong with a log that a cut left; null for nothing. */
function faultOf(path: string, told: number, whole: readonly Step[], isToBeWritten: boolean): string | null {
  let found: readonly Step[] = [];
  try {
    found = stepsIn(path);
  } catch (error) {
    // Before anything was logged there may be no log, or an empty one; that is told in words.
    if (!(error instanceof OrchestrateError)) return `it can't be read: ${String(error)}`;
    if (told > 0 || error.exitCode !== 2) return `it can't be read: ${error.message}`;
  }
  const stranger = found.findIndex(({ chain }, i) => chain !== whole[i]?.chain);
  if (stranger >= 0) return `step ${stranger + 1} is not what it was`;
  const agents = found.filter(({ isAgents }) => isAgents).length;
  if (agents < told) return `${told} steps were told, ${agents} are there`;
  return isToBeWritten ? faultOfWriting(path) : null;
}

/** The next writer goes on in the same file, or begins one where there was none. */
function faultOfWriting(path: string): string | null {
  try {
    const isNew = !existsSync(path);
    const writer = new LogWriter(path);
    if (isNew) writer.begin(sampleRun(), {});
    writer.close();
    stepsIn(path);
    return null;
  } catch (error) {
    return `it can't be gone on with: ${String(error)}`;
  }
}

interface Cut {
  at: number;
  fault: string | null;
  path: string;
}

function* cuts({ operations, steps }: Traced, count: number, seed: string): Generator<Cut> {
  const draw = draws(seed);
  for (let i = 0; i < count; i++) {
    const at = 1 + draw(operations.length);
    const disk = diskAfter(operations, at, known(LOSSES[i % LOSSES.length], 'a loss'), draw);
    const path = writeDisk(disk, seed);
    const fault = faultOf(path, disk.told, steps, i % 3 === 0);
    yield {
      at,
      path,
      fault: fault === null ? null : `${fault} (disk ${i} of ${seed}, cut after operation ${at})`,
    };
  }
}

const BRASS_KEY = { scenario: 'scenarios/brass-key.yaml', checkpoint: 60 };
const RUNS: readonly TraceOptions[] = [
  { name: 'remote', isRemote: true, ...BRASS_KEY },
  { name: 'embedded', isRemote: false, ...BRASS_KEY },
];

describe.runIf(hasStrace)('a power cut', () => {
  it.each(someOf(RUNS, 'cutOffs'))(
    'during a run with $name controllers leaves every finished step, and the run goes on',
    SIZED,
    async (options) => {
      const trace = await traced(options);
      const whole = await play(options.scenario, { set: options.set ?? [] });
      expect(trace.steps.map(({ chain }) => chain)).toEqual(whole.sink.steps.map(({ chain }) => chain));
      const count = Math.ceil(sizeOf('powerCuts') / RUNS.length);
      const faults: string[] = [];
      let [made, resumed] = [0, 0];
      for (const { fault, path } of cuts(trace, count, options.name)) {
        if (fault !== null) faults.push(fault);
        else if (made % GOES_ON_EACH === 0 && !options.isRemote && hasRun(path)) {
          expect((await goOn(path)).chain).toBe(whole.end.chain);
          expect((await verified(path)).difference).toBeNull();
          resumed += 1;
        }
        made += 1;
      }
      expect(faults.slice(0, 5)).toEqual([]);
      reached(
        '4 power loss',
        `${grouped(made)} disks of a traced run (${options.name}), ${resumed} of them played to the end: every finished step there`,
      );
    },
  );

  it('loses finished steps with synchronous=NORMAL: the check can fail', { tags: ['long'] }, async () => {
    const trace = await traced({ name: 'normal', isRemote: false, ...BRASS_KEY, synchronous: 'NORMAL' });
    const faults = [...cuts(trace, 100, 'normal')].flatMap(({ fault }) => (fault === null ? [] : [fault]));
    expect(faults.some((fault) => /steps were told, \d+ are there/.test(fault))).toBe(true);
  });
});

describe('a power cut during a run that was traced elsewhere', () => {
  const trace = (): Traced => {
    const operations = operationsIn(gunzipSync(readFileSync(RECORDED)).toString('latin1'), RECORDED_LOG);
    return { operations, steps: stepsAtTheEnd(operations, 'recorded') };
  };
  const count = Math.min(hasStrace ? 100 : 100_000, sizeOf('powerCuts'));

  it('leaves every finished step', SIZED, () => {
    const faults = [...cuts(trace(), count, 'recorded')].flatMap(({ fault }) =>
      fault === null ? [] : [fault],
    );
    expect(faults.slice(0, 5)).toEqual([]);
  });

  it('loses finished steps where commits are not synced: the check can fail', { tags: ['long'] }, () => {
    const { operations, steps } = trace();
    const unsynced = operations.filter(
      (one, i) => one.kind !== 'sync' || one.file !== '-wal' || operations[i + 1]?.kind !== 'told',
    );
    const faults = [...cuts({ operations: unsynced, steps }, 100, 'unsynced')].filter(
      ({ fault }) => fault !== null,
    );
    expect(faults.length).toBeGreaterThan(0);
  });
});

function hasRun(path: string): boolean {
  try {
    return stepsIn(path).length > 0;
  } catch {
    return false;
  }
}
