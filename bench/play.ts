/** Whole runs into a real log, with nothing measured inside: what other measurements read, or look on at from step to step. */
import { framePainter } from '../src/assembly/painter.js';
import { LogWriter } from '../src/log/writer.js';
import type { RunWatcher } from '../src/orchestrator/parts.js';
import { TurnOrchestrator } from '../src/orchestrator/turn-orchestrator.js';
import { setUp } from './set-up.js';
import type { SetUp } from './set-up.js';

/** Plays `scenario` with the scripted controller into the log, which may hold runs already; how many steps it took. */
export async function playInto(
  log: string,
  {
    scenario: path,
    seed,
    runId,
  }: { readonly scenario: string; readonly seed: string; readonly runId: string },
): Promise<number> {
  return playRun(await setUp(path, seed), { log, runId, watcher: {} });
}

interface Playing {
  readonly log: string;
  readonly runId: string;
  readonly watcher: RunWatcher;
  /** Ends it after the step at hand. */
  readonly soft?: AbortSignal;
}

const NEVER = new AbortController().signal;

/** Plays what was set up; how many steps it took. */
export async function playRun(from: SetUp, { log, runId, watcher, soft = NEVER }: Playing): Promise<number> {
  const { scenario, environment, seats, tileset } = from;
  const writer = new LogWriter(log);
  const { steps } = await new TurnOrchestrator({
    run: from.recordOf(runId),
    scenario,
    environment,
    seats,
    painter: framePainter(scenario, tileset),
    performers: {},
    sink: writer,
    clock: { now: () => Date.now() },
    watcher,
  }).run({ soft, hard: NEVER });
  writer.close();
  return steps;
}
