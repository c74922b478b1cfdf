/**
 * The whole bench as a text: machine, the loop by stages with its floors, costs against the map's size, hostile replies. The amounts
 * come in, so that a test can run all of it in a moment.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { LIMITS } from '../src/base/limits.js';
import { bytes, microseconds, table } from './figures.js';
import { FLOORS } from './floors.js';
import { measureGrowth } from './growth.js';
import { measureHostile } from './hostile.js';
import { measureLoop } from './loop.js';
import { setUp } from './set-up.js';
import { STAGES } from './stage-clock.js';
import type { Row } from './stage-clock.js';
import { measureVerify } from './verify.js';

export interface Amounts {
  /** Steps of agents in the loop, after those that warm it up: the compiler is at it for a minute. */
  readonly steps: number;
  readonly warmUp: number;
  readonly maps: readonly (readonly [width: number, height: number])[];
  readonly mapTurns: number;
  /** Runs that are played and verified. */
  readonly verifyRounds: number;
  readonly hostileCharacters: readonly number[];
}

export const FULL: Amounts = {
  steps: 3000,
  warmUp: 12_000,
  maps: [
    [20, 15],
    [200, 200],
  ],
  mapTurns: 200,
  verifyRounds: 20,
  hostileCharacters: [LIMITS.replyBytes, LIMITS.answerCharacters],
};

/** Plays `scenario` into logs in a folder of its own, which is removed. */
export async function report(scenario: string, amounts: Amounts): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'orchestrate-bench-'));
  try {
    const parts = [machine(), await loopTable(scenario, amounts, folder)];
    parts.push(await floorTable(scenario, amounts, folder), growthTable(amounts));
    parts.push(await verifyLine(scenario, amounts, folder));
    return [...parts, await hostileLines(scenario, amounts), ''].join('\n\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function machine(): string {
  const db = new Database(':memory:');
  const sqlite = String(db.prepare('SELECT sqlite_version()').pluck().get());
  db.close();
  const processors = cpus();
  return `${processors[0]?.model ?? 'unknown processor'}, ${processors.length} logical cores; Node ${process.versions.node}, SQLite ${sqlite}, zlib ${process.versions.zlib}; ${new Date().toISOString().slice(0, 10)}`;
}

async function verifyLine(scenario: string, amounts: Amounts, folder: string): Promise<string> {
  const { steps, playedUs, verifiedUs, ratio } = await measureVerify(scenario, amounts.verifyRounds, folder);
  return `verify: ${microseconds(verifiedUs)} µs of processor time a step (of agents or the world), playing them with the scripted controller ${microseconds(playedUs)} µs: ${ratio.toFixed(2)} × as fast, over ${steps} steps`;
}

async function loopTable(scenario: string, amounts: Amounts, folder: string): Promise<string> {
  const loop = await measureLoop(scenario, { ...amounts, withFloors: false }, folder);
  const { clock } = loop;
  const timesOf = (row: Row) => [
    microseconds(clock.timeOf(row, 0.1)),
    microseconds(clock.timeOf(row)),
    microseconds(clock.timeOf(row, 0.95)),
  ];
  const rows = STAGES.map((stage) => {
    const size = stage === 'log' ? loop.logBytesPerStep : clock.sizeOf(stage);
    return [stage, ...timesOf(stage), bytes(size)];
  });
  const whole = [
    ['rest', ...timesOf('rest')],
    ['whole step without `decide`', ...timesOf('step')],
  ];
  const head = ['stage', 'p10 µs', 'median µs', 'p95 µs', 'bytes'];
  const pace = `${Math.round(loop.stepsPerSecond)} steps a second, ${microseconds(loop.processorUs)} µs of processor time each`;
  const { open, begin, close } = loop.onceMs;
  return [
    table(head, [...rows, ...whole]),
    `Medians of ${clock.steps} steps of agents of ${scenario}; the whole loop: ${pace}.`,
    `Once a run: opening a new log ${open.toFixed(1)} ms, its first commit ${begin.toFixed(1)} ms, closing it ${close.toFixed(1)} ms.`,
  ].join('\n\n');
}

/** The loop once more, each step followed by its floors. */
async function floorTable(scenario: string, amounts: Amounts, folder: string): Promise<string> {
  const { clock } = await measureLoop(scenario, { ...amounts, withFloors: true }, folder);
  const rowOf = (row: Row, name: string, what: string) => {
    const [us, floor] = [clock.timeOf(row), clock.floorOf(row)];
    return [name, ...[us, floor].map(microseconds), (us / floor).toFixed(2), what];
  };
  const rows = STAGES.flatMap((stage) => {
    const what = FLOORS[stage];
    return what === undefined ? [] : [rowOf(stage, stage, what)];
  });
  const whole = rowOf('step', 'whole step without `decide`', 'all of them');
  return [
    table(['beside its floor', 'median µs', 'floor µs', 'ratio', 'floor is'], [...rows, whole]),
    `${clock.steps} more steps, each followed by the bare work of its stages on the same data.`,
  ].join('\n\n');
}

function growthTable({ maps, mapTurns }: Amounts): string {
  const rows = maps.map(([width, height]) => {
    const one = measureGrowth(width, height, mapTurns);
    const times = [one.observeUs, one.advanceUs, one.hashUs, one.pathUs].map(microseconds);
    return [
      `${width} × ${height}`,
      String(one.things),
      one.openMs.toFixed(1),
      ...times,
      String(one.pathSteps),
    ];
  });
  const head = ['map', 'things', 'open ms', 'observe µs', 'advance µs', 'hash µs', 'path µs', 'its steps'];
  return table(head, rows);
}

async function hostileLines(scenario: string, { hostileCharacters }: Amounts): Promise<string> {
  const { environment } = await setUp(scenario, '1');
  const lines = hostileCharacters.map((characters) => {
    const one = measureHostile(environment.actions.list(), characters);
    return `Hostile replies of ${one.characters} characters, ${one.families} families: median ${one.medianMs.toFixed(1)} ms, worst ${one.worstMs.toFixed(1)} ms (${one.worst}).`;
  });
  return lines.join('\n');
}
