/** Whole runs into a real log, with nothing measured inside: what other measurements read, or look on at from step to step. */
import { performance } from 'node:perf_hooks';
import { framePainter } from '../src/assembly/painter.js';
import { LogWriter } from '../src/log/writer.js';
import type { RunWatcher } from '../src/orchestrator/run-context.js';
import { TurnOrchestrator } from '../src/orchestrator/turn-orchestrator.js';
import { setUp } from './set-up.js';
import type { SetUp } from './set-up.js';

/** What a run took from its first to its last commit, opening and closing the log apart. */
export interface Played {
  /** Of agents and of the world. */
  readonly steps: number;
  /** By the wall. */
  readonly milliseconds: number;
  /** Of processor time. */
  readonly cpuMs: number;
}

/** Plays `scenario` with the scripted controller into the log, which may hold runs already; how many steps it took. */
export async function playInto(
  log: string,
  {
    scenario: path,
    seed,
    runId,
  }: { readonly scenario: string; readonly seed: string; readonly runId: string },
): Promise<number> {
  return (await playRun(await setUp(path, seed), { log, runId, watcher: {} })).steps;
}

interface Playing {
  readonly log: string;
  readonly runId: string;
  readonly watcher: RunWatcher;
  /** Ends it after the step at hand. */
  readonly soft?: AbortSignal;
}

const NEVER = new AbortController().signal;

/** Plays what was set up. */
export async function playRun(from: SetUp, { log, runId, watcher, soft = NEVER }: Playing): Promise<Played> {
  const { scenario, environment, seats, tileset } = from;
  const writer = new LogWriter(log);
  const [began, cpuBegan] = [performance.now(), process.cpuUsage()];
  const { steps } = await new TurnOrchestrator({
    run: from.recordOf(runId),
    scenario,
    environment,
    seats,
    painter: framePainter(scenario, tileset),
    effectHandlers: {},
    sink: writer,
    clock: { now: () => Date.now() },
    watcher,
  }).run({ soft, hard: NEVER });
  const [milliseconds, { user, system }] = [performance.now() - began, process.cpuUsage(cpuBegan)];
  writer.close();
  return { steps, milliseconds, cpuMs: (user + system) / 1000 };
}
