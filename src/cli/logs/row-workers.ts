/**
 * Makes the rows of an export in worker processes (`--workers N`). They come in the same order as from
 * `foundHere`. The caller decides which of them are exported, because that depends on the rows before.
 */
import type { CostsOf } from '../../export/costs.js';
import { NO_COSTS } from '../../export/costs.js';
import { readInProcess } from '../../export/rows.js';
import type { RowSource } from '../../export/rows.js';
import type { PickedRun } from '../../export/picked-runs.js';
import { receivedRows } from '../../export/sent-rows.js';
import { stageOpener } from '../../assembly/stage.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { loadOwnParts } from '../options/modules.js';
import type { Io } from '../terminal/io.js';
import { costsOfLogged } from './logged-costs.js';
import type { RowsSpec } from './worker-messages.js';
import { readInPool } from './worker-pool.js';

export interface RowsOptions extends RowsSpec {
  runs: readonly PickedRun[];
  /** The number of processes that read; 1 means this one. */
  workers: number;
  signal: AbortSignal;
}

/** Throws UsageError if a module can't be loaded. */
export async function rowSource(
  { runs, workers, signal, ...spec }: RowsOptions,
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<RowSource> {
  // Before any process starts, so that a module that can't be loaded is reported once.
  const costsOf = await searchedCosts(spec, io, modules);
  if (workers === 1 || runs.length < 2) return readInProcess(runs, spec.settings, costsOf);
  return async function* (progress) {
    const job = { kind: 'rows' as const, spec };
    const logOf = ({ path }: PickedRun): string => path;
    for await (const { item, part } of readInPool({ job, items: runs, logOf, workers, signal })) {
      if (part.kind === 'failed') throw part.error;
      if (part.kind === 'rows') yield* receivedRows(part.part, item, progress);
    }
  };
}

/** A run whose modules are missing has no costs. */
export async function searchedCosts(
  { settings: { effort }, modules: modulePaths }: Pick<RowsSpec, 'settings' | 'modules'>,
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<CostsOf> {
  if (effort === null) return NO_COSTS;
  const open = stageOpener(await loadOwnParts(modulePaths, io, modules));
  return (reader, runId) => costsOfLogged(reader, runId, { open, effort });
}
