/**
 * `batch <file>`: many runs at once, one for each combination of scenario, model, seed and the settings that
 * the file's `switches` compare, in this process, in several (`--workers`), through a queue or as one shard.
 * In: a file and a folder or a store for the logs; out: an exit code, the logs, and the results of every
 * cell.
 */
import { join } from 'node:path';
import type { ExitCode } from '../../base/errors.js';
import { OrchestrateError, ScenarioError, StorageError, UsageError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { systemWords } from '../../base/system-words.js';
import type { BatchRecord } from '../../scenario/batch-record.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import type { OwnSeats } from '../../assembly/own-exports.js';
import { Guard } from '../../assembly/guarded.js';
import { BATCH_FILE } from '../../scenario/batch-record.js';
import type { Executor } from '../../batch/executor.js';
import { readLedger } from '../../batch/ledger.js';
import { batchRecord, planOf } from '../../batch/plan.js';
import type { BatchPlan, OpenSetup } from '../../batch/plan.js';
import { playBatch } from '../../batch/play-batch.js';
import type { BatchEnd } from '../../batch/play-batch.js';
import { requireBelow } from '../../batch/remote/job.js';
import { isInShard, shardFolder } from '../../batch/shard.js';
import type { Shard } from '../../batch/shard.js';
import { readStoreLedger } from '../../batch/store/store-ledger.js';
import type { RunStore } from '../../batch/store/run-store.js';
import { Servers } from '../../batch/servers.js';
import { ProcessExecutor } from '../../batch/workers/process-executor.js';
import { BatchProgress } from '../../batch/progress.js';
import { makeFolder } from '../../log/folder.js';
import { sharedAdmission } from '../../model/rate-limiter.js';
import type { RateLimiters } from '../../model/rate-limiter.js';
import { systemDependencies } from '../../model/dependencies.js';
import type { Dependencies } from '../../model/dependencies.js';
import type { KeyAddresses } from '../../model/keys.js';
import { answersRequests } from '../../model/server.js';
import type { BatchSpec } from '../../scenario/batch.js';
import { openBatch } from '../../scenario/folder.js';
import { loadBatch } from '../../scenario/load-batch.js';
import { BatchView } from '../live/batch-view.js';
import { batchDocument, batchText, planText } from '../text/batch-text.js';
import type { PreparedBatch } from '../text/batch-text.js';
import { ENV, KEYS } from '../options/allow-options.js';
import { requirePrograms } from '../options/batch-programs.js';
import { openStore, QUEUE } from '../options/queue-options.js';
import { requireSameDivision, shardOf } from '../options/shard-option.js';
import { LineInput } from '../terminal/line-input.js';
import { confirmedAddresses } from '../options/server-keys.js';
import { command } from '../options/command-line.js';
import { argument, flag, single, whole } from '../options/option.js';
import type { Chosen } from '../options/option.js';
import { AS_JSON, QUIET, readers } from '../options/shared-options.js';
import { diagnosticsText, printError, printFailures, printWarning } from '../text/error-text.js';
import type { WorkerSetup } from '../batch-worker.js';
import { openBatchQueue, requireQueueOptions } from '../play/batch-queue.js';
import type { BatchQueue } from '../play/batch-queue.js';
import { WORKER_SCRIPT, localExecutor, setupOpener } from '../play/batch-parts.js';
import { listenForInterrupts } from '../terminal/interrupt.js';
import type { Interrupts } from '../terminal/interrupt.js';
import type { Io } from '../terminal/io.js';
import { loadOwnParts, MODULES } from '../options/modules.js';
import { requireFilesToPlay } from '../play/open-files.js';
import { fromCwd, isBucket } from '../options/paths.js';
import { writeOut } from '../files/out-file.js';
import { programs } from '../options/player-options.js';
import { jsonText, painter } from '../terminal/style.js';
import { readableOf, variablesOf } from '../options/variables.js';

const ARGUMENTS = { file: argument('Batch file (YAML)') };
const OPTIONS = {
  ...ENV,
  ...KEYS,
  ...programs('player'),
  ...MODULES,
  ...QUEUE,
  out: single('Folder for the logs (runs/NAME by default)'),
  resume: flag('Continue the batch in the folder'),
  'dry-run': flag('List the runs without playing them'),
  parallel: whole('Number of simultaneous runs (overrides the file)', 1, LIMITS.batchParallel),
  workers: readers('Number of processes that play the runs, for players without a model'),
  shard: single('Play one part of the batch, such as 2/8, or auto in a Slurm or Kubernetes job array'),
  ...QUIET,
  ...AS_JSON,
};

type BatchOptions = Chosen<typeof ARGUMENTS & typeof OPTIONS>;

export function batchCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      ['$0 batch compare.yaml', 'writes to runs/compare, one log for each parallel slot'],
      ['$0 batch compare.yaml --resume', 'after Ctrl-C or a crash: finished runs are not played again'],
      ['$0 batch compare.yaml --dry-run', 'list the runs without playing them'],
      ['$0 batch compare.yaml --process mine="python3 agent.py"', 'your own program is one of the players'],
      ['$0 batch compare.yaml --workers 4', 'on four cores, for players without a model'],
      ['$0 batch compare.yaml --queue redis://gpu-box:6379 --store /data/runs', 'played by workers'],
      ['$0 report runs/compare/*.sqlite', 'compares the players'],
    ],
    arguments: ARGUMENTS,
    options: OPTIONS,
    run: async (options, io) => batch(options, io, modules),
  });
}

async function batch(
  options: BatchOptions,
  io: Io,
  builtIn: readonly EnvironmentModule[],
): Promise<ExitCode> {
  requireQueueOptions(options);
  const { modules, seats } = await loadOwnParts(options.modules, io, builtIn);
  const readable = readableOf(io, options.env);
  const path = fromCwd(io, options.file);
  const file = { ...openBatch(path), path: options.file };
  const spec = withParallelism(loadBatch(file, readable), options);
  const { process: given = [] } = options;
  const openSetup = setupOpener({ file, modules, readable, programs: given.map(({ agent }) => agent) });
  const shard = shardOf(options.shard, io.env);
  const wholePlan = await planOf(spec, openSetup);
  const store = options.store === undefined ? null : await openStore(options.store, io);
  if (store === null) requirePrograms(wholePlan.runs, given);
  else requireBelow(wholePlan.runs);
  const plan = partOf(wholePlan, shard);
  if (plan.warnings.length > 0) io.err.write(diagnosticsText(plan.warnings, painter(io, io.err)));
  const batchFolder = options.out ?? `runs/${spec.name}`;
  const out = store?.name ?? (shard === null ? batchFolder : join(batchFolder, shardFolder(shard)));
  const folder = fromCwd(io, out);
  if (store === null) requireSameDivision(fromCwd(io, batchFolder), batchFolder, shard);
  const finishedRuns =
    store === null
      ? readLedger(folder, ({ message }) => printWarning(message, io))
      : await readStoreLedger(store, plan.runs);
  if (options['dry-run']) return printPlan({ spec, plan, finishedRuns, out }, options, io);
  if (finishedRuns.size > 0 && !options.resume)
    throw new UsageError(`${out} already contains batch runs`, [
      '--resume continues them and plays what is missing',
      `or choose another folder with ${store === null ? '--out' : '--store'}`,
    ]);
  const programsMax = Math.max(0, ...plan.runs.map(({ byProgram }) => byProgram.length));
  if (store === null) requireFilesToPlay(Math.min(spec.parallel, plan.runs.length), programsMax);
  if (!isBucket(out))
    writePlan(folder, batchRecord(spec.title || spec.name, { runs: plan.runs, all: wholePlan.runs }));
  return playAndReport({
    spec,
    plan,
    finishedRuns,
    out,
    folder,
    store,
    openSetup,
    modules,
    seats,
    options,
    io,
  });
}

function partOf(plan: BatchPlan, shard: Shard | null): BatchPlan {
  return shard === null ? plan : { ...plan, runs: plan.runs.filter(({ id }) => isInShard(id, shard)) };
}

/** Throws StorageError. */
function writePlan(folder: string, record: BatchRecord): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw new StorageError(`the folder ${folder} can't be created: ${systemWords(error)}`, [
      'choose another folder with --out',
    ]);
  }
  writeOut(join(folder, BATCH_FILE), Buffer.from(`${JSON.stringify(record)}\n`));
}

/** At least as many simultaneous runs as worker processes. */
function withParallelism(spec: BatchSpec, { parallel = spec.parallel, workers }: BatchOptions): BatchSpec {
  return { ...spec, parallel: Math.max(parallel, workers) };
}

function printPlan(prepared: PreparedBatch, { json }: BatchOptions, io: Io): ExitCode {
  const progress = new BatchProgress(prepared.plan.runs, prepared.finishedRuns);
  if (json) io.out.write(`${jsonText(batchDocument(prepared, progress, null))}\n`);
  else io.out.write(planText(prepared, progress, io));
  return 0;
}

interface PlayedBatchContext extends PreparedBatch {
  readonly folder: string;
  /** Null without a queue. */
  readonly store: RunStore | null;
  readonly openSetup: OpenSetup;
  readonly modules: readonly EnvironmentModule[];
  readonly seats: OwnSeats;
  readonly options: BatchOptions;
  readonly io: Io;
}

async function playAndReport(context: PlayedBatchContext): Promise<ExitCode> {
  const { plan, finishedRuns, out, options, io } = context;
  const output = options.json ? io.err : io.out;
  const progress = new BatchProgress(plan.runs, finishedRuns);
  const view = new BatchView({
    output,
    progress,
    io,
    quiet: options.quiet,
    patienceMs: context.spec.patienceMs,
  });
  const interrupts = listenForInterrupts(io, (message) => view.printMessage(message));
  try {
    const terminal = { io, lines: new LineInput(io.stdin), signal: interrupts.stop.soft };
    const keys = await confirmedAddresses(plan.models, { key: options.key }, terminal);
    view.open(context);
    const end = await playPlannedRuns(context, { view, progress, interrupts, keys });
    view.close();
    if (options.json) io.out.write(`${jsonText(batchDocument(context, progress, end))}\n`);
    else output.write(batchText({ ...context, progress, end, passedMs: view.passedMs }, io));
    return exitCode(end, { io, out, interrupts });
  } finally {
    view.close();
    interrupts.close();
  }
}

interface BatchWatch {
  readonly view: BatchView;
  readonly progress: BatchProgress;
  readonly interrupts: Interrupts;
  readonly keys: KeyAddresses;
}

async function playPlannedRuns(context: PlayedBatchContext, watch: BatchWatch): Promise<BatchEnd> {
  const { spec, plan, finishedRuns, folder, io } = context;
  const { view, progress, interrupts, keys } = watch;
  // Shared by all runs, so that sockets and limits are shared.
  const system = systemDependencies(variablesOf(io), keys);
  const dependencies = { ...system, admission: sharedAdmission(spec.limits, system.clock) };
  const queue = await queueOf(context, dependencies, view);
  const servers = new Servers({
    answers: (baseUrl, signal) => answersRequests(baseUrl, dependencies, signal),
    clock: dependencies.clock,
    patienceMs: spec.patienceMs,
    onGone: view.serverGone,
    onBack: view.serverBack,
  });
  try {
    return await playBatch({
      runs: plan.runs,
      folder,
      ledger: finishedRuns,
      parallel: spec.parallel,
      limits: spec.limits,
      executor: queue?.executor ?? executorOf(context, watch, dependencies),
      servers,
      stop: interrupts.stop,
      onNews: (news) => {
        progress.update(news);
        view.update(news);
      },
    });
  } finally {
    servers.close();
    queue?.close();
    dependencies.transport.close();
  }
}

type SharedDependencies = Dependencies & { readonly admission: RateLimiters };

/** Plays in this process, or in as many as `--workers` says. */
function executorOf(
  { openSetup, modules, seats, options, plan, io }: PlayedBatchContext,
  { view, keys }: BatchWatch,
  dependencies: SharedDependencies,
): Executor {
  const { printRemark: onRemark } = view;
  const workers = Math.min(options.workers, plan.runs.length);
  if (workers <= 1)
    return localExecutor({
      openRun: (run) => openSetup(run, run.seed),
      modules,
      seats,
      options,
      dependencies,
      onRemark,
      io,
    });
  const { file, modules: paths, env, process: given, 'process-timeout': timeout } = options;
  const setup: WorkerSetup = {
    options: { file, modules: paths, env, process: given, 'process-timeout': timeout },
    scenarios: null,
    keys,
  };
  return new ProcessExecutor({
    script: WORKER_SCRIPT,
    setup,
    workers,
    limiters: dependencies.admission,
    guard: new Guard(),
    onRemark,
  });
}

/** Plays on the workers of `--queue`. */
async function queueOf(
  { store, finishedRuns, options, io }: PlayedBatchContext,
  { admission }: SharedDependencies,
  view: BatchView,
): Promise<BatchQueue | null> {
  if (store === null || options.queue === undefined) return null;
  const { queue } = options;
  return openBatchQueue({
    queue,
    store,
    finishedRuns,
    limiters: admission,
    onRemark: view.printRemark,
    io,
  });
}

/** 0 if every run was played, whatever its result; otherwise the code depends on what could not be played. */
function exitCode(
  { stopped, failures }: BatchEnd,
  {
    io,
    out,
    interrupts,
  }: {
    readonly io: Io;
    readonly out: string;
    readonly interrupts: Interrupts;
  },
): ExitCode {
  let worst: ExitCode = stopped === null ? 0 : 1;
  const known: OrchestrateError[] = [];
  for (const error of failures.values()) {
    const isKnown = error instanceof OrchestrateError && !(error instanceof ScenarioError);
    if (isKnown) known.push(error);
    const code = isKnown ? error.exitCode : printError(error, io);
    if (code > worst) worst = code;
  }
  printFailures(known, io);
  if (worst === 0 || !interrupts.stop.soft.aborted) return worst;
  io.err.write(`finished steps are stored in ${out}; --resume continues the batch\n`);
  return 130;
}
