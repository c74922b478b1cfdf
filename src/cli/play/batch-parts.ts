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
import type { Dependencies } from '../../model/dependencies.js';
import { PROGRAM_FOLDER } from '../../package/folders.js';
import { openNamedScenario } from '../../scenario/folder.js';
import type { ScenarioFile } from '../../scenario/files.js';
import type { ReadableVariables } from '../../scenario/variables.js';
import { programsFor } from '../options/batch-programs.js';
import type { ENV } from '../options/allow-options.js';
import type { MODULES } from '../options/modules.js';
import type { Chosen } from '../options/option.js';
import type { programs } from '../options/player-options.js';
import { variablesOf } from '../options/variables.js';
import type { Io } from '../terminal/io.js';

/** The program of a process that plays runs. */
export const WORKER_SCRIPT = join(PROGRAM_FOLDER, 'cli', 'batch-worker.js');

/** The options that every process of the batch needs; plain data. */
export type BatchProcessOptions = Chosen<typeof MODULES & typeof ENV & ReturnType<typeof programs>> & {
  /** Path of the batch file, as it was typed. */
  file: string;
};

/** `named`: the names of `--process`. */
export function setupOpener({
  file,
  modules,
  readable,
  named,
}: {
  file: ScenarioFile;
  modules: readonly EnvironmentModule[];
  readable: ReadableVariables;
  named: readonly string[];
}): OpenSetup {
  return ({ path, set, players, maxTurns }, seed) =>
    open(openNamedScenario(file, path), {
      modules,
      ...readable,
      set,
      ...(seed === null ? {} : { seed }),
      change: (scenario) => {
        const turns = { ...scenario.turns, max: maxTurns ?? scenario.turns.max };
        const changed = players.kind === 'own' ? withPrograms(scenario, named) : scenario;
        return withPlayers({ ...changed, turns }, players);
      },
    });
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
