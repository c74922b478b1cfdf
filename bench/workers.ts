/**
 * `npm run bench -- workers`: how many steps a second a batch of scripted players plays in one process and in two. A process is slow until its code is
 * compiled, so the first quarter of the runs is not counted. Needs the built program (`npm run build`) and two free cores.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { median, table } from './figures.js';

export interface WorkersAmounts {
  readonly runs: number;
  /** Each number of processes plays the batch so often, by turns. */
  readonly rounds: number;
}

interface FinishedRun {
  readonly at: number;
  readonly steps: number;
}

const PROCESSES = [1, 2] as const;
const FINISHED = /^\s*\d+\/\d+\s.* (\d+) steps$/;

export async function workersReport(scenario: string, { runs, rounds }: WorkersAmounts): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'orchestrate-bench-'));
  try {
    copyFileSync(scenario, join(folder, 'scenario.yaml'));
    const batch = `scenarios: [scenario.yaml]\nmodels: { scripted: { controller: scripted } }\nseeds: ${runs}\nparallel: 4\n`;
    writeFileSync(join(folder, 'batch.yaml'), batch);
    const rates = new Map<number, number[]>(PROCESSES.map((count) => [count, []]));
    for (let round = 0; round < rounds; round++)
      for (const count of PROCESSES)
        rates.get(count)?.push(await stepsASecond(folder, `out-${round}-${count}`, count));
    const rateOf = (count: number): number => median(rates.get(count) ?? []);
    const rows = PROCESSES.map((count) => [String(count), rateOf(count).toFixed(0)]);
    const ratio = (rateOf(2) / rateOf(1)).toFixed(2);
    const head = ['processes', 'steps a second'];
    return `${table(head, rows)}\n\nTwo processes play ${ratio} times as many steps a second as one.\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From the run that ends the first quarter to the last. */
async function stepsASecond(folder: string, out: string, processes: number): Promise<number> {
  const finished = await play(folder, out, processes);
  const warm = finished[Math.floor(finished.length / 4)];
  const last = finished.at(-1);
  if (warm === undefined || last === undefined) throw new Error('no run has ended');
  const counted = finished.slice(finished.indexOf(warm) + 1);
  return (1000 * counted.reduce((sum, { steps }) => sum + steps, 0)) / (last.at - warm.at);
}

async function play(folder: string, out: string, processes: number): Promise<readonly FinishedRun[]> {
  const words = [resolve('dist/cli/main.js'), 'batch', 'batch.yaml', '--out', out];
  const child = spawn(process.execPath, [...words, '--workers', String(processes)], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const finished: FinishedRun[] = [];
  for await (const line of createInterface(child.stdout)) {
    const steps = finishedSteps(line);
    if (steps !== null) finished.push({ at: performance.now(), steps });
  }
  return finished;
}

/** Of a line that a batch prints for a finished run; null for another one. */
export function finishedSteps(line: string): number | null {
  const steps = FINISHED.exec(line)?.[1];
  return steps === undefined ? null : Number(steps);
}
