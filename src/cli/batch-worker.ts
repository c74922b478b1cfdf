/**
 * Entry point of a batch's worker process (`batch --workers N`). The batch starts it over Node's IPC and
 * sends it runs to play. It opens scenarios as the command does, and ends together with the batch.
 */
import type { OpenedScenario } from '../assembly/opened-scenario.js';
import { requireRun } from '../batch/plan.js';
import type { PlannedRun } from '../batch/plan.js';
import { RemoteLimiters } from '../batch/workers/limits.js';
import type { FromWorker, ToWorker } from '../batch/workers/messages.js';
import { BatchWorker } from '../batch/workers/serve-batch.js';
import { systemDependencies } from '../model/dependencies.js';
import { openBatch, openScenarioFolder } from '../scenario/folder.js';
import { MODULES } from '../worlds/registry.js';
import { loadOwnParts } from './options/modules.js';
import { fromCwd } from './options/paths.js';
import { readableOf, variablesOf } from './options/variables.js';
import { localExecutor, setupOpener } from './play/batch-parts.js';
import type { WorkerSetup } from './play/batch-parts.js';
import { processIo } from './terminal/io.js';

const send = (message: FromWorker): void => {
  // If the batch has ended, so does this process (`disconnect`).
  if (process.connected) process.send?.(message);
};

async function openWorker({ options, scenarios, keys }: WorkerSetup): Promise<BatchWorker> {
  const io = processIo();
  const { modules, seats } = await loadOwnParts(options.modules, io, MODULES);
  const file = scenarios === null ? openBatch(fromCwd(io, options.file)) : openScenarioFolder(scenarios);
  const named = (options.process ?? []).map(({ agent }) => agent);
  const openSetup = setupOpener({
    file: { ...file, path: options.file },
    modules,
    readable: readableOf(io, options.env),
    named,
  });
  const limiters = new RemoteLimiters(send);
  const dependencies = { ...systemDependencies(variablesOf(io), keys), admission: limiters };
  const onRemark = (remark: string): void => send({ kind: 'remark', words: remark });
  const openRun = async (run: PlannedRun): Promise<OpenedScenario> => {
    // A queue's run was planned on another machine.
    if (scenarios !== null) requireRun(await openSetup(run, null), run);
    return openSetup(run, run.seed);
  };
  const executor = localExecutor({ openRun, modules, seats, options, dependencies, onRemark, io });
  return new BatchWorker({ executor, limiters, send });
}

let worker: Promise<BatchWorker> | null = null;

async function handleMessage(message: ToWorker): Promise<void> {
  if (message.kind === 'setup') {
    worker = openWorker(message.setup as WorkerSetup);
    return;
  }
  await (await worker)?.handle(message);
  if (message.kind === 'close') process.exit(0);
}

process.on('message', (message) => void handleMessage(message as ToWorker));
process.on('disconnect', () => process.exit(0));
