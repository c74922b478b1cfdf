/**
 * `batch <file>`: many runs at once, one for each combination of scenario, model, seed and the settings that
 * the file's `switches` compare, in this process, in several (`--workers`), through a queue or as one shard.
 */
import { join } from 'node:path';
import type { ExitCode, ModelError } from '../../base/errors.js';
import { OrchestrateError, ScenarioError, StorageError, UsageError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { systemWords } from '../../base/system-words.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import type { OpenedScenario } from '../../assembly/opened-scenario.js';
import type { OwnSeats } from '../../assembly/own-exports.js';
import { Guard } from '../../assembly/guarded.js';
import { BATCH_FILE } from '../../scenario/batch-record.js';
import type { Executor } from '../../batch/executor.js';
import { readLedger } from '../../batch/ledger.js';
import { forecastOf } from '../../batch/forecast.js';
import { batchRecord, planOf } from '../../batch/plan.js';
import type { OpenSetup, PlannedRun } from '../../batch/plan.js';
import { playBatch } from '../../batch/play-batch.js';
import type { BatchEnd } from '../../batch/play-batch.js';
import { requireBelow } from '../../batch/remote/job.js';
import { isInShard, shardFolder } from '../../batch/shard.js';
import { readStoreLedger } from '../../batch/store/store-ledger.js';
import type { RunStore } from '../../batch/store/run-store.js';
import { Servers } from '../../batch/servers.js';
import { BatchProgress } from '../../batch/progress.js';
import { makeFolder } from '../../log/folder.js';
import { sharedAdmission } from '../../model/rate-limiter.js';
import { systemDependencies } from '../../model/dependencies.js';
import { openChatModel } from '../../model/openai.js';
import { openBatch } from '../../scenario/folder.js';
import { loadBatch } from '../../scenario/load-batch.js';
import { BatchView } from '../live/batch-view.js';
import {
  batchDocument,
  batchText,
  forecastRow,
  forecastText,
  neverAnswered,
  planText,
} from '../text/batch-text.js';
import type { PreparedBatch } from '../text/batch-text.js';
import { requirePrograms } from '../options/batch-programs.js';
import { openStore } from '../options/queue-options.js';
import { requireSameDivision, shardOf } from '../options/shard-option.js';
import { LineInput } from '../terminal/line-input.js';
import { confirmedAddresses } from '../options/server-keys.js';
import { command } from '../options/command-line.js';
import { argument, flag, single, whole } from '../options/option.js';
import type { Chosen } from '../options/option.js';
import { AS_JSON, QUIET } from '../options/shared-options.js';
import { diagnosticsText, printError, printFailures, printWarning } from '../text/error-text.js';
import { openBatchQueue, requireQueueOptions } from '../play/batch-queue.js';
import { PLAYING, localExecutor, processExecutor, setupOpener } from '../play/batch-parts.js';
import { listenForInterrupts } from '../terminal/interrupt.js';
import type { Io } from '../terminal/io.js';
import { loadOwnParts } from '../options/modules.js';
import { requireFilesToPlay } from '../play/open-files.js';
import { fromCwd, isBucket } from '../options/paths.js';
import { writeOut } from '../files/out-file.js';
import { jsonText, painter } from '../terminal/style.js';
import { readableOf, variablesOf } from '../options/variables.js';

const ARGUMENTS = { file: argument('Batch file (YAML)') };
const OPTIONS = {
  ...PLAYING,
  out: single('Folder for the logs (runs/NAME by default)'),
  resume: flag('Continue the batch in the folder'),
  'dry-run': flag('List the runs, and forecast calls, tokens and cost, without playing them'),
  parallel: whole('Number of simultaneous runs (overrides the file)', 1, LIMITS.batchParallel),
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
  const typedSpec = loadBatch(file, readable);
  // At least as many simultaneous runs as worker processes.
  const parallel = Math.max(options.parallel ?? typedSpec.parallel, options.workers);
  const spec = { ...typedSpec, parallel };
  const { process: given = [] } = options;
  const openSetup = setupOpener({
    file,
    modules,
    readable,
    named: given.map(({ agent }) => agent),
    forPlan: true,
  });
  const shard = shardOf(options.shard, io.env);
  const wholePlan = await planOf(spec, openSetup);
  const store = options.store === undefined ? null : await openStore(options.store, io);
  if (store === null) requirePrograms(wholePlan.runs, given);
  else requireBelow(wholePlan.runs);
  const plan =
    shard === null
      ? wholePlan
      : { ...wholePlan, runs: wholePlan.runs.filter(({ id }) => isInShard(id, shard)) };
  if (plan.warnings.length > 0) io.err.write(diagnosticsText(plan.warnings, painter(io, io.err)));
  const batchFolder = options.out ?? `runs/${spec.name}`;
  const out = store?.name ?? (shard === null ? batchFolder : join(batchFolder, shardFolder(shard)));
  const folder = fromCwd(io, out);
  if (store === null) requireSameDivision(fromCwd(io, batchFolder), batchFolder, shard);
  const finishedRuns =
    store === null
      ? readLedger(folder, ({ message }) => printWarning(message, io))
      : await readStoreLedger(store, plan.runs);
  const prepared = { spec, plan, finishedRuns, out };
  if (options['dry-run']) {
    const progress = new BatchProgress(plan.runs, finishedRuns);
    const left = plan.runs.filter(({ id }) => (finishedRuns.get(id)?.end ?? null) === null);
    const forecast = await forecastOf(left, openSetup);
    const document = { ...batchDocument(prepared, progress, null), forecast: forecast.map(forecastRow) };
    if (options.json) io.out.write(`${jsonText(document)}\n`);
    else {
      const atOnce = Math.min(spec.parallel, left.length);
      io.out.write(`${planText(prepared, progress, io)}${forecastText(forecast, atOnce)}`);
    }
    return 0;
  }
  if (finishedRuns.size > 0 && !options.resume)
    throw new UsageError(`${out} already contains batch runs`, [
      '--resume continues them and plays what is missing',
      `or choose another folder with ${store === null ? '--out' : '--store'}`,
    ]);
  const programsMax = Math.max(0, ...plan.runs.map(({ byProgram }) => byProgram.length));
  if (store === null) requireFilesToPlay(Math.min(spec.parallel, plan.runs.length), programsMax);
  if (!isBucket(out)) {
    try {
      makeFolder(folder);
    } catch (error) {
      throw new StorageError(`the folder ${folder} can't be created: ${systemWords(error)}`, [
        'choose another folder with --out',
      ]);
    }
    const record = batchRecord(spec.title || spec.name, { runs: plan.runs, all: wholePlan.runs });
    writeOut(join(folder, BATCH_FILE), Buffer.from(`${JSON.stringify(record)}\n`));
  }
  return playPlan({ prepared, folder, store, openSetup, modules, seats, options, io });
}

/** In this process, in as many as `--workers` says, or on the workers of `--queue`. */
async function playPlan(planned: {
  prepared: PreparedBatch;
  folder: string;
  /** Null without a queue. */
  store: RunStore | null;
  openSetup: OpenSetup;
  modules: readonly EnvironmentModule[];
  seats: OwnSeats;
  options: BatchOptions;
  io: Io;
}): Promise<ExitCode> {
  const { prepared, folder, store, openSetup, modules, seats, options, io } = planned;
  const { spec, plan, finishedRuns, out } = prepared;
  const output = options.json ? io.err : io.out;
  const progress = new BatchProgress(plan.runs, finishedRuns);
  const { patienceMs } = spec;
  const view = new BatchView({ output, progress, io, quiet: options.quiet, patienceMs });
  const interrupts = listenForInterrupts(io, (message) => view.printMessage(message));
  const closing: (() => unknown)[] = [() => view.close(), interrupts.close];
  try {
    const terminal = { io, lines: new LineInput(io.stdin), signal: interrupts.stop.soft };
    const keys = await confirmedAddresses(plan.models, { key: options.key }, terminal);
    view.open(prepared);
    // Shared by all runs, so that sockets and limits are shared.
    const system = systemDependencies(variablesOf(io), keys);
    const limiters = sharedAdmission(spec.limits, system.clock);
    const dependencies = { ...system, admission: limiters };
    const { printRemark: onRemark } = view;
    let executor: Executor;
    const workers = Math.min(options.workers, plan.runs.length);
    if (store !== null && options.queue !== undefined) {
      const queue = await openBatchQueue({
        queue: options.queue,
        store,
        finishedRuns,
        limiters,
        onRemark,
        io,
      });
      closing.unshift(queue.close);
      executor = queue.executor;
    } else if (workers <= 1) {
      const openRun = (run: PlannedRun): Promise<OpenedScenario> => openSetup(run, run.seed);
      executor = localExecutor({ openRun, modules, seats, options, dependencies, onRemark, io });
    } else {
      const { file } = options;
      const guard = new Guard();
      const start = { workers, limiters, guard, onRemark };
      executor = processExecutor({ options, file, scenarios: null, keys, ...start });
    }
    closing.unshift(() => dependencies.transport.close());
    const servers = new Servers({
      answers: (model, ...limits) => openChatModel(model, dependencies).answers(...limits),
      clock: dependencies.clock,
      patienceMs,
      onGone: view.serverGone,
      onBack: view.serverBack,
    });
    closing.unshift(() => servers.close());
    const end = await playBatch({
      runs: plan.runs,
      folder,
      ledger: finishedRuns,
      parallel: spec.parallel,
      limits: spec.limits,
      executor,
      servers,
      stop: interrupts.stop,
      onNews: (news) => {
        progress.update(news);
        view.update(news);
      },
    });
    view.close();
    if (options.json) io.out.write(`${jsonText(batchDocument(prepared, progress, end))}\n`);
    else output.write(batchText({ ...prepared, progress, end, passedMs: view.passedMs }, io));
    const code = exitCode(end, neverAnswered(progress.cells), io);
    if (code === 0 || !interrupts.stop.soft.aborted) return code;
    io.err.write(`finished steps are stored in ${out}; --resume continues the batch\n`);
    return 130;
  } finally {
    for (const close of closing) close();
  }
}

/**
 * 0 if every run was played, whatever its result, and every model answered; otherwise the code depends on what could
 * not be played.
 */
function exitCode({ stopped, failures }: BatchEnd, unanswered: ModelError | null, io: Io): ExitCode {
  let worst: ExitCode = stopped === null ? 0 : 1;
  const known: OrchestrateError[] = [];
  for (const error of failures.values()) {
    const isKnown = error instanceof OrchestrateError && !(error instanceof ScenarioError);
    if (isKnown) known.push(error);
    const code = isKnown ? error.exitCode : printError(error, io);
    if (code > worst) worst = code;
  }
  printFailures(known, io);
  const code = unanswered === null ? 0 : printError(unanswered, io);
  return code > worst ? code : worst;
}
