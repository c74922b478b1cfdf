/**
 * `npm run bench -- growth [STEPS]`: what a step takes where more and more agents share a map, and where one run goes on and on; with a real log, frames
 * and all, played by the random controller. The map grows with its agents, a room of 8 × 6 tiles for each, so that each sees as much as with few others.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomController } from '../src/agent/controllers/random.js';
import type { Vocabulary } from '../src/parse/protocol.js';
import { microseconds, table } from './figures.js';
import { playRun } from './play.js';
import { setUp } from './set-up.js';

export interface CrowdAmounts {
  readonly agents: readonly number[];
  /** Steps of each number of agents, after as many that warm up. */
  readonly stepsEach: number;
  /** Steps of the long run, of nine agents and the world. */
  readonly steps: number;
}

export async function crowdReport({ agents, stepsEach, steps }: CrowdAmounts): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'orchestrate-bench-'));
  try {
    await play(folder, 4, [stepsEach]);
    const crowds: string[][] = [];
    for (const count of agents) {
      const [stretch] = (await play(folder, count, [stepsEach])).slice(-1);
      if (stretch !== undefined) crowds.push([String(count), ...figuresOf(stretch)]);
    }
    const long = await play(folder, LONG_AGENTS, decades(steps));
    const rows = long.map((stretch) => [String(stretch.to), ...figuresOf(stretch), megabytes(stretch.heap)]);
    return [
      table(['agents', 'µs a step', 'log bytes a step'], crowds),
      table(['steps up to', 'µs a step', 'log bytes a step', 'heap MB'], rows),
      '',
    ].join('\n\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** With the world's own step ten in a turn. */
const LONG_AGENTS = 9;

/** 1000, 10,000 … up to the last. */
function decades(steps: number): readonly number[] {
  const marks: number[] = [];
  for (let mark = 1000; mark < steps; mark *= 10) marks.push(mark);
  return [...marks, steps];
}

/** The last half of the steps up to a mark. */
interface Stretch {
  readonly to: number;
  readonly steps: number;
  /** Processor time. */
  readonly us: number;
  readonly logBytes: number;
  /** Bytes that live after a collection where one may be asked for, else those in use. */
  readonly heap: number;
}

function figuresOf({ us, steps, logBytes }: Stretch): readonly string[] {
  return [microseconds(us / steps), String(Math.round(logBytes / steps))];
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}

/** One run up to the last mark. */
async function play(folder: string, agents: number, marks: readonly number[]): Promise<readonly Stretch[]> {
  const last = marks.at(-1) ?? 0;
  const name = `${agents}-${last}-${Math.random().toString(36).slice(2)}`;
  mkdirSync(join(folder, name));
  const path = join(folder, name, 'crowd.yaml');
  writeFileSync(path, scenarioOf(agents, Math.ceil(last / (agents + 1))));
  const players = (agent: string, vocabulary: Vocabulary) => randomController('1', agent, vocabulary);
  const from = await setUp(path, '1', players);
  const log = join(folder, name, 'log.sqlite');
  const stretches: Stretch[] = [];
  let steps = 0;
  let begun = { us: processorUs(), bytes: 0, steps: 0 };
  const look = (): void => {
    steps += 1;
    const mark = marks.find((one) => one >= steps);
    if (mark === undefined) return;
    if (steps === Math.floor(mark / 2)) begun = { us: processorUs(), bytes: sizeOf(log), steps };
    if (steps !== mark) return;
    globalThis.gc?.();
    const { heapUsed } = process.memoryUsage();
    const done = { us: processorUs() - begun.us, logBytes: sizeOf(log) - begun.bytes };
    stretches.push({ to: mark, steps: steps - begun.steps, ...done, heap: heapUsed });
  };
  await playRun(from, { log, runId: name, watcher: { stepDone: look } });
  rmSync(join(folder, name), { recursive: true });
  return stretches;
}

/** Of the file, without what waits in its WAL. */
function sizeOf(log: string): number {
  return statSync(log).size;
}

function processorUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Rooms in a square, one for each agent, joined by gaps in the middle of their walls. */
function scenarioOf(agents: number, turns: number): string {
  const across = Math.ceil(Math.sqrt(agents));
  const [width, height] = [across * 9 + 1, Math.ceil(agents / across) * 7 + 1];
  const isEdge = (x: number, y: number) => x === 0 || y === 0 || x === width - 1 || y === height - 1;
  const isWall = (x: number, y: number) => (x % 9 === 0 && y % 7 !== 3) || (y % 7 === 0 && x % 9 !== 4);
  const rows = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_tile, x) => (isEdge(x, y) || isWall(x, y) ? '#' : '.')).join(''),
  );
  const bodies = Array.from({ length: agents }, (_, i) => {
    const at = [(i % across) * 9 + 2, Math.floor(i / across) * 7 + 2];
    return `  - { id: agent-${i}, at: [${at.join(', ')}], sprite: figure/rat, sight: 8, controller: random }`;
  });
  return [
    'title: Crowd',
    'seed: 1',
    'map: |',
    ...rows.map((row) => `  ${row}`),
    'agents:',
    ...bodies,
    'rules: { movement: tile }',
    `turns: { max: ${turns} }`,
    '',
  ].join('\n');
}
