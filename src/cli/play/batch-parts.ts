/**
 * Plays a batch's runs in one process: the function that opens scenarios, and the executor. The command uses
 * it in its own process, and a worker process (`batch-worker.ts`) in its own, so both play runs in the same
 * way.
 */
import { join } from 'node:path';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { openScenario as open } from '../../assembly/open.js';
import type { OwnSeats } from '../../assembly/own-exports.js';
import { LocalExecutor } from '../../batch/executor.js';
import type { LocalOptions } from '../../batch/executor.js';
import type { OpenSetup } from '../../batch/plan.js';
import { withPlayers, withPrograms } from '../../batch/players.js';
import { ProcessExecutor } from '../../batch/workers/process-executor.js';
import type { ProcessOptions } from '../../batch/workers/process-executor.js';
import type { Dependencies } from '../../model/dependencies.js';
import type { KeyAddresses } from '../../model/keys.js';
import { PROGRAM_FOLDER } from '../../package/folders.js';
import { openNamedScenario } from '../../scenario/folder.js';
import type { ScenarioFile } from '../../scenario/files.js';
import type { ReadableVariables } from '../../scenario/variables.js';
import { programsFor } from '../options/batch-programs.js';
import { ENV, KEYS } from '../options/allow-options.js';
import { MODULES } from '../options/modules.js';
import type { Chosen } from '../options/option.js';
import { programs } from '../options/player-options.js';
import { QUEUE } from '../options/queue-options.js';
import { readers } from '../options/shared-options.js';
import { variablesOf } from '../options/variables.js';
import type { Io } from '../terminal/io.js';

/** The options of every process that plays runs. */
const PLAYED = { ...ENV, ...programs('player'), ...MODULES };

/** The options that `batch` and `worker` share. */
export const PLAYING = {
  ...PLAYED,
  ...KEYS,
  ...QUEUE,
  workers: readers('Number of processes that play the runs, for players without a model'),
};

/** Plain data. */
export type BatchProcessOptions = Chosen<typeof PLAYED> & {
  /** Path of the batch file, as it was typed. */
  file: string;
};

/** The first message to a process that plays runs. */
export interface WorkerSetup {
  options: BatchProcessOptions;
  /** For a queue's worker: the folder of its scenarios, instead of a batch file's. */
  scenarios: string | null;
  /** Where keys may be sent; the keys themselves come from this process's own environment. */
  keys: KeyAddresses;
}

/**
 * `named`: the names of `--process`. `forPlan`: a scenario that is opened with its own seed is checked with every
 * draw, because a mistake with another seed would come in the middle of the batch.
 */
export function setupOpener({
  file,
  modules,
  readable,
  named,
  forPlan = false,
}: {
  file: ScenarioFile;
  modules: readonly EnvironmentModule[];
  readable: ReadableVariables;
  named: readonly string[];
  forPlan?: boolean;
}): OpenSetup {
  return ({ path, set, players, maxTurns }, seed) =>
    open(openNamedScenario(file, path), {
      modules,
      ...readable,
      set,
      ...(seed === null ? { everyDraw: forPlan } : { seed }),
      change: (scenario) => {
        const turns = { ...scenario.turns, max: maxTurns ?? scenario.turns.max };
        const changed = players.kind === 'own' ? withPrograms(scenario, named) : scenario;
        return withPlayers({ ...changed, turns }, players);
      },
    });
}

/** Plays in worker processes of this machine. */
export function processExecutor({
  options,
  file,
  scenarios,
  keys,
  ...start
}: Omit<WorkerSetup, 'options'> &
  Omit<ProcessOptions, 'script' | 'setup'> & {
    options: Chosen<typeof PLAYED>;
    file: string;
  }): ProcessExecutor {
  const { modules, env, process: given, 'process-timeout': timeout } = options;
  const setup: WorkerSetup = {
    options: { file, modules, env, process: given, 'process-timeout': timeout },
    scenarios,
    keys,
  };
  return new ProcessExecutor({ script: join(PROGRAM_FOLDER, 'cli', 'batch-worker.js'), setup, ...start });
}

export function localExecutor({
  openRun,
  modules,
  seats,
  options,
  dependencies,
  onRemark,
  io,
}: {
  openRun: LocalOptions['open'];
  modules: readonly EnvironmentModule[];
  seats: OwnSeats;
  options: BatchProcessOptions;
  dependencies: Dependencies;
  onRemark: (words: string) => void;
  io: Io;
}): LocalExecutor {
  return new LocalExecutor({
    open: openRun,
    modules,
    onRemark,
    controllersFor: programsFor(options.process ?? [], io, options['process-timeout']),
    play: { ...seats, dependencies, variables: variablesOf(io) },
  });
}
