/**
 * `npm run bench -- growth [STEPS]`: what a step takes where more and more agents share a map, and where one run goes on and on; with a real log, frames
 * and all, played by the random controller. The map grows with its agents, a room of 8 × 6 tiles for each, so that each sees as much as with few others.
 * What is compared is played by turns, a few hundred steps each, so that a busy minute meets all alike; quote the ratios.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomController } from '../src/agent/controllers/random.js';
import { median, microseconds, table } from './figures.js';
import { Pace, PacedRun } from './paced-run.js';
import type { Stretch } from './paced-run.js';
import { setUp } from './set-up.js';

export interface CrowdAmounts {
  readonly agents: readonly number[];
  /** Steps of each number of agents before it is measured. */
  readonly warmUp: number;
  /** How often each has its turn, there and back again. */
  readonly rounds: number;
  /** Steps of a turn, at least one of the world among the agents'. */
  readonly stretch: number;
  /** Steps of the long run, of ten agents and the world. */
  readonly steps: number;
  /** Steps that the run has played which the long one is held against. */
  readonly young: number;
}

export async function crowdReport(amounts: CrowdAmounts): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'orchestrate-bench-'));
  try {
    const crowds = await crowdTable(folder, amounts);
    const long = await longTable(folder, amounts);
    return `${crowds}\n\n${long}\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A step among so many is the measure of the others: fewer have neighbours missing. */
const MEASURE = 16;

async function crowdTable(
  folder: string,
  { agents, warmUp, rounds, stretch }: CrowdAmounts,
): Promise<string> {
  const runs: PacedRun[] = [];
  for (const count of agents) {
    const run = await started(folder, count, warmUp + 2 * rounds * (stretch + count));
    await run.play(warmUp);
    runs.push(run);
  }
  const played = await byTurns(runs, rounds, stretch);
  for (const run of runs) await run.end();
  const measure = played[Math.max(0, agents.indexOf(MEASURE))] ?? [];
  const rows = played.map((stretches, i) => [
    String(agents[i]),
    microseconds(median(stretches.map(usOf))),
    ratio(stretches, measure),
    String(Math.round(sumOf(stretches, 'logBytes') / sumOf(stretches, 'steps'))),
  ]);
  return table(['agents', 'µs a step', `of ${MEASURE} agents`, 'log bytes a step'], rows);
}

/** With the world's own step eleven in a turn: a million steps and those by turns fit into the turns that a run may have. */
const LONG_AGENTS = 10;

async function longTable(folder: string, amounts: CrowdAmounts): Promise<string> {
  const { steps, rounds, stretch, young: age } = amounts;
  const marks = decades(steps);
  const each = 2 * rounds * (stretch + LONG_AGENTS);
  const measured = each * marks.length;
  const long = await started(folder, LONG_AGENTS, steps + measured);
  const rows: string[][] = [];
  let played = 0;
  for (const mark of marks) {
    if (mark <= played) continue;
    const { us, steps: all, logBytes, to } = await long.play(mark - played);
    globalThis.gc?.();
    const { heapUsed } = process.memoryUsage();
    const young = await started(folder, LONG_AGENTS, age + each);
    await young.play(age);
    const [a = [], b = []] = await byTurns([long, young], rounds, stretch);
    await young.end();
    played = a.at(-1)?.to ?? to;
    rows.push([
      String(to),
      microseconds(us / all),
      ratio(a, b),
      String(Math.round(logBytes / all)),
      (heapUsed / 1e6).toFixed(0),
    ]);
  }
  await long.end();
  return table(['steps', 'µs a step', `of ${age} steps`, 'log bytes a step', 'heap MB'], rows);
}

/** 1000, 10,000 … up to the last. */
function decades(steps: number): readonly number[] {
  const marks: number[] = [];
  for (let mark = 1000; mark < steps; mark *= 10) marks.push(mark);
  return [...marks, steps];
}

/** For each run what its turns took. */
async function byTurns(
  runs: readonly PacedRun[],
  rounds: number,
  stretch: number,
): Promise<readonly (readonly Stretch[])[]> {
  const played = runs.map(() => [] as Stretch[]);
  for (let round = 0; round < rounds; round++) {
    // Whoever follows another one finds less in the caches: there and back again, so that all follow all.
    const there = [...runs.entries()];
    const turns = [...there, ...there.toReversed()];
    const both = runs.map(() => [] as Stretch[]);
    for (const [i, run] of turns) both[i]?.push(await run.play(stretch));
    for (const [i, parts] of both.entries()) played[i]?.push(joined(parts));
  }
  return played;
}

function joined(parts: readonly Stretch[]): Stretch {
  const sum = (what: 'steps' | 'us' | 'logBytes') => parts.reduce((all, part) => all + part[what], 0);
  return { to: parts.at(-1)?.to ?? 0, steps: sum('steps'), us: sum('us'), logBytes: sum('logBytes') };
}

/** The middle one of the rounds' own ratios. */
function ratio(stretches: readonly Stretch[], measure: readonly Stretch[]): string {
  return median(stretches.map((one, i) => usOf(one) / usOf(measure[i] ?? one))).toFixed(2);
}

function usOf({ us, steps }: Stretch): number {
  return us / Math.max(1, steps);
}

function sumOf(stretches: readonly Stretch[], what: 'logBytes' | 'steps'): number {
  return stretches.reduce((sum, one) => sum + one[what], 0);
}

let runs = 0;

/** A run that can go on for so many steps. */
async function started(folder: string, agents: number, steps: number): Promise<PacedRun> {
  const runId = `${agents}-${runs++}`;
  mkdirSync(join(folder, runId));
  const path = join(folder, runId, 'crowd.yaml');
  writeFileSync(path, scenarioOf(agents, Math.ceil(steps / (agents + 1)) + 1));
  const pace = new Pace();
  const players = pace.of((agent, vocabulary) => randomController('1', agent, vocabulary));
  return new PacedRun(await setUp(path, '1', players), pace, {
    log: join(folder, runId, 'log.sqlite'),
    runId,
  });
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
