/**
 * Plays a batch's runs in one process: the function that opens scenarios, and the executor. In: options of
 * the command line. The command uses it in its own process, and a worker process (`batch-worker.ts`) in its
 * own, so both play runs in the same way.
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

export interface BatchOpening {
  readonly file: ScenarioFile;
  readonly modules: readonly EnvironmentModule[];
  readonly readable: ReadableVariables;
  /** Names of `--process`. */
  readonly programs: readonly string[];
}

export function setupOpener({ file, modules, readable, programs }: BatchOpening): OpenSetup {
  return ({ path, set, players, maxTurns }, seed) =>
    open(openNamedScenario(file, path), {
      modules,
      ...readable,
      set,
      ...(seed === null ? {} : { seed }),
      change: (scenario) => {
        const turns = { ...scenario.turns, max: maxTurns ?? scenario.turns.max };
        const changed = players.kind === 'own' ? withPrograms(scenario, programs) : scenario;
        return withPlayers({ ...changed, turns }, players);
      },
    });
}

export interface BatchPlayer {
  readonly openRun: LocalOptions['open'];
  readonly modules: readonly EnvironmentModule[];
  readonly seats: OwnSeats;
  readonly options: BatchProcessOptions;
  readonly dependencies: Dependencies;
  readonly onRemark: (words: string) => void;
  readonly io: Io;
}

export function localExecutor(player: BatchPlayer): LocalExecutor {
  const { openRun, modules, seats, options, dependencies, onRemark, io } = player;
  return new LocalExecutor({
    open: openRun,
    modules,
    onRemark,
    controllersFor: programsFor(options.process ?? [], io, options['process-timeout']),
    play: { ...seats, dependencies, variables: variablesOf(io) },
  });
}
