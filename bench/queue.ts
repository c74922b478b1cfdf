/**
 * `npm run bench -- queue`: a batch of scripted runs on a queue with three workers, two of which are killed while they play: what is published, how often
 * runs were begun, and what it then takes to verify, report and export the store. Needs the built program (`npm run build`), redis-server and Linux.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve as absolute } from 'node:path';
import { createInterface } from 'node:readline';
import { LogReader } from '../src/log/reader.js';
import { table } from './figures.js';
import { finishedSteps } from './workers.js';

export interface QueueAmounts {
  readonly runs: number;
  /** Processes that read the store afterwards. */
  readonly readers: number;
}

const WORKERS = 3;
const PROGRAM = absolute('dist/cli/main.js');
const POLL_MS = 50;

interface Program {
  readonly child: ChildProcess;
  readonly lines: string[];
  /** Resolves with its exit code and the largest memory of one of its processes in MB. */
  readonly ended: Promise<Finished>;
}

interface Finished {
  readonly code: number | null;
  readonly seconds: number;
  readonly largestMb: number;
}

export async function queueReport(scenario: string, { runs, readers }: QueueAmounts): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'orchestrate-bench-'));
  const redis = await startRedis(folder);
  try {
    copyFileSync(scenario, join(folder, 'scenario.yaml'));
    const batch = `scenarios: [scenario.yaml]\nmodels: { scripted: { controller: scripted } }\nseeds: ${runs}\nparallel: 12\n`;
    writeFileSync(join(folder, 'batch.yaml'), batch);
    const played = await play(folder, redis.url, runs);
    const read = [
      ['verify', 'store', '--workers', String(readers)],
      ['report', 'store', '--workers', String(readers)],
      ['export', 'store', '--format', 'jsonl', '--out', 'data'],
    ];
    const readings: string[][] = [];
    for (const words of read) {
      const { code, seconds, largestMb } = await start(words, folder).ended;
      readings.push([words[0] ?? '', String(code), seconds.toFixed(1), largestMb.toFixed(0)]);
    }
    const head = ['of the store', 'exit code', 'seconds', 'MB, largest process'];
    return `${played}\n\n${table(head, readings)}\n`;
  } finally {
    redis.child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Two of the workers are killed, each with its runs, after a third and two thirds of the batch; the first of them is started again. */
async function play(folder: string, url: string, runs: number): Promise<string> {
  const at = ['--queue', url, '--store', 'store'];
  const worker = (): Program => start(['worker', ...at], folder);
  const workers = Array.from({ length: WORKERS }, worker);
  const batch = start(['batch', 'batch.yaml', ...at], folder);
  const isOver = { now: false };
  void batch.ended.then(() => (isOver.now = true));
  for (const [i, share] of [1 / 3, 2 / 3].entries()) {
    while (!isOver.now && finishedIn(batch).length < share * runs) await pause();
    workers[i]?.child.kill('SIGKILL');
    if (i === 0) workers.push(worker());
  }
  const { code, seconds, largestMb } = await batch.ended;
  for (const { child } of workers) child.kill('SIGINT');
  const ended = await Promise.all(workers.map((one) => one.ended));
  const starts = workers.flatMap(({ lines }) => lines).filter((line) => line.startsWith('playing ')).length;
  const stored = storedIn(join(folder, 'store'));
  const steps = finishedIn(batch).reduce((sum, one) => sum + one, 0);
  return table(
    [`${runs} runs, ${WORKERS} workers, 2 killed`, 'figure'],
    [
      ['exit code of the batch', String(code)],
      ['runs published', String(stored.runs)],
      ['lost', String(runs - stored.runs)],
      ['doubled or with another chain', String(stored.doubled)],
      ['starts', String(starts)],
      ['steps', String(steps)],
      ['seconds', seconds.toFixed(0)],
      ['steps a second', (steps / seconds).toFixed(0)],
      ['store, MB', stored.mb.toFixed(0)],
      ['memory of the batch, MB', largestMb.toFixed(0)],
      [
        'memory of the largest process of a worker, MB',
        Math.max(...ended.map((one) => one.largestMb)).toFixed(0),
      ],
    ],
  );
}

interface Stored {
  /** Finished, each counted once. */
  readonly runs: number;
  readonly doubled: number;
  readonly mb: number;
}

function storedIn(store: string): Stored {
  const logs = readdirSync(store).filter((name) => name.endsWith('.sqlite'));
  const ids = new Set<string>();
  let [doubled, bytes] = [0, 0];
  for (const name of logs) {
    const reader = new LogReader(join(store, name));
    for (const { runId } of reader.runs()) {
      if (ids.has(runId) || name.includes('.other-')) doubled += 1;
      else if (reader.end(runId) !== null) ids.add(runId);
    }
    reader.close();
    bytes += statSync(join(store, name)).size;
  }
  return { runs: ids.size, doubled, mb: bytes / 1e6 };
}

/** The steps of each run that the batch has told as over. */
function finishedIn({ lines }: Program): readonly number[] {
  return lines.flatMap((line) => finishedSteps(line) ?? []);
}

function start(words: readonly string[], cwd: string): Program {
  const began = performance.now();
  const child = spawn(process.execPath, [PROGRAM, ...words], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  let largestMb = 0;
  const poll = setInterval(() => {
    for (const pid of tree(child.pid ?? 0)) largestMb = Math.max(largestMb, peakMb(pid));
  }, POLL_MS);
  const ended = new Promise<Finished>((done) => {
    child.on('close', (code) => {
      clearInterval(poll);
      done({ code, seconds: (performance.now() - began) / 1000, largestMb });
    });
  });
  return { child, lines, ended };
}

/** The process and those that it started. */
function tree(pid: number): readonly number[] {
  const children = wordsOf(`/proc/${pid}/task/${pid}/children`).map(Number);
  return [pid, ...children.flatMap(tree)];
}

function peakMb(pid: number): number {
  const words = wordsOf(`/proc/${pid}/status`);
  const at = words.indexOf('VmHWM:');
  // A process that is ending has no memory left.
  return at === -1 ? 0 : Number(words[at + 1]) / 1000;
}

/** None of a process that is over. */
function wordsOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split(/\s+/).filter(Boolean);
  } catch {
    return [];
  }
}

async function startRedis(folder: string): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const port = await freePort();
  const words = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const child = spawn('redis-server', [...words, '--appendonly', 'yes'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    createInterface(child.stdout).on('line', (line) => {
      if (line.includes('Ready to accept connections')) resolve();
    });
  });
  return { url: `redis://127.0.0.1:${port}`, child };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function pause(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, POLL_MS));
}
