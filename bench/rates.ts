/**
 * How many steps a second a run plays, with small and large frames, with one commit a step and with two: an embedded player needs one, whoever is
 * asked over a network two, since its request is committed before it is sent. In: a scenario. Out: a table; all cases are played by turns in one
 * process, there and back again, so that a busy minute meets all of them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptedController } from '../src/worlds/scripted-controller.js';
import { median, microseconds, table } from './figures.js';
import type { Played } from './play.js';
import { playRun } from './play.js';
import type { ControllerOf } from './set-up.js';
import { setUp } from './set-up.js';

export interface RatesAmounts {
  /** Rounds before those that count: the compiler is at it for a minute. */
  readonly warmUp: number;
  readonly rounds: number;
  /** Of each case in a round. */
  readonly runs: number;
}

interface Case {
  readonly frame: string;
  readonly set: readonly string[];
  readonly commits: 1 | 2;
}

const FRAMES = [
  { frame: '15 × 15 tiles, 480 × 480 pixels', set: [] },
  { frame: '21 × 15 tiles, 1008 × 720 pixels', set: ['render.window=[21,15]', 'render.tile=48'] },
] as const;

const CASES: readonly Case[] = FRAMES.flatMap((frame) => [
  { ...frame, commits: 1 },
  { ...frame, commits: 2 },
]);

/** The scripted player, whose requests are committed as if they went to a server. */
const asIfRemote: ControllerOf = () => ({ ...scriptedController(), isRemote: true });

export async function ratesReport(scenario: string, { warmUp, rounds, runs }: RatesAmounts): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'orchestrate-rates-'));
  try {
    const played = CASES.map((): Played[] => []);
    for (let round = 0; round < warmUp + rounds; round++) {
      const order = CASES.map((_, i) => (round % 2 === 0 ? i : CASES.length - 1 - i));
      for (const i of order) {
        const one = await playCase(scenario, CASES[i], { folder, runs, round });
        if (round >= warmUp) played[i]?.push(one);
      }
    }
    return `${table(
      HEAD,
      CASES.map((one, i) => rowOf(one, played[i] ?? [])),
    )}\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const HEAD = ['frame', 'commits a step', 'steps a second', 'in the best round', 'µs of processor time'];

function rowOf({ frame, commits }: Case, rounds: readonly Played[]): readonly string[] {
  const rates = rounds.map(({ steps, milliseconds }) => (steps / milliseconds) * 1000);
  const processor = median(rounds.map(({ steps, cpuMs }) => (cpuMs / steps) * 1000));
  return [
    frame,
    String(commits),
    String(Math.round(median(rates))),
    String(Math.round(Math.max(...rates))),
    microseconds(processor),
  ];
}

interface Where {
  readonly folder: string;
  readonly runs: number;
  readonly round: number;
}

/** Some runs of one case, together. */
async function playCase(
  scenario: string,
  one: Case | undefined,
  { folder, runs, round }: Where,
): Promise<Played> {
  if (one === undefined) throw new Error('no such case');
  const sum = { steps: 0, milliseconds: 0, cpuMs: 0 };
  for (let run = 0; run < runs; run++) {
    const log = join(folder, 'log.sqlite');
    const player = one.commits === 1 ? scriptedController : asIfRemote;
    // The same seeds for all cases.
    const from = await setUp(scenario, `${round}-${run}`, player, one.set);
    const played = await playRun(from, { log, runId: 'rates', watcher: {} });
    sum.steps += played.steps;
    sum.milliseconds += played.milliseconds;
    sum.cpuMs += played.cpuMs;
    rmSync(log);
  }
  return sum;
}
