/** `worker`: plays runs of a batch from a queue until it is stopped; they are published in a store. */
import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { Guard } from '../../assembly/guarded.js';
import { OrchestrateError, StorageError, UsageError } from '../../base/errors.js';
import type { ExitCode } from '../../base/errors.js';
import { counted } from '../../base/counted.js';
import { LIMITS } from '../../base/limits.js';
import { oneLine } from '../../base/text.js';
import type { QueueJob } from '../../batch/remote/job.js';
import { QueueWorker } from '../../batch/remote/queue-worker.js';
import type { WorkerNews } from '../../batch/remote/queue-worker.js';
import { shownUrl } from '../../batch/remote/redis.js';
import { BatchReporter } from '../../batch/remote/reporting.js';
import { openScenarioFolder } from '../../scenario/folder.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { requireProgramsOf } from '../options/batch-programs.js';
import { command } from '../options/command-line.js';
import { loadOwnParts } from '../options/modules.js';
import { flag, single, wholeOr } from '../options/option.js';
import type { Chosen } from '../options/option.js';
import { fromCwd } from '../options/paths.js';
import { openStore } from '../options/queue-options.js';
import { allowedAddresses } from '../options/server-keys.js';
import { PLAYING, processExecutor } from '../play/batch-parts.js';
import { connectTo } from '../play/batch-queue.js';
import { requireFilesToPlay } from '../play/open-files.js';
import { listenForInterrupts } from '../terminal/interrupt.js';
import type { Io } from '../terminal/io.js';

const OPTIONS = {
  ...PLAYING,
  scenarios: single(
    "Folder of the scenarios, a copy of the batch file's folder (the current folder by default)",
  ),
  parallel: wholeOr(4, 'Number of runs played at once', 1, LIMITS.batchParallel),
  checkpoint: wholeOr(
    60,
    'Interval in seconds at which the progress of each run is stored',
    1,
    LIMITS.queueSeconds,
  ),
  lock: wholeOr(
    60,
    'Seconds after which the runs of a worker that has lost contact go to another worker',
    2,
    LIMITS.queueSeconds,
  ),
  quiet: flag('Do not print a line for each run'),
};

export function workerCommand(builtIn: readonly EnvironmentModule[]) {
  return command({
    examples: [
      [
        '$0 worker --queue redis://gpu-box:6379 --store /data/runs',
        'play runs of a batch; scenarios are read from the current folder',
      ],
      [
        '$0 worker --queue rediss://queue.example --store s3://bucket/runs --scenarios scenarios',
        'runs are stored in a bucket',
      ],
    ],
    arguments: {},
    options: OPTIONS,
    run: (options, io) => runWorker(options, io, builtIn),
  });
}

async function runWorker(
  options: Chosen<typeof OPTIONS>,
  io: Io,
  builtIn: readonly EnvironmentModule[],
): Promise<ExitCode> {
  const { queue, store: storeAddress, parallel, workers, checkpoint, lock, process: given = [] } = options;
  if (queue === undefined || storeAddress === undefined)
    throw new UsageError('a worker needs --queue and --store with the same values as the batch', [
      `${io.program} worker --queue redis://localhost:6379 --store runs/compare`,
    ]);
  // Loaded now, so that a mistake is reported before the first run.
  await loadOwnParts(options.modules, io, builtIn);
  const scenarios = fromCwd(io, options.scenarios ?? '.');
  openScenarioFolder(scenarios);
  const atOnce = Math.max(parallel, workers);
  requireFilesToPlay(atOnce, given.length);
  const store = await openStore(storeAddress, io);
  const printLine = (words: string): void => {
    io.out.write(`${oneLine(words)}\n`);
  };
  const link = await connectTo(queue, store, printLine, io);
  const interrupts = listenForInterrupts(io, printLine);
  const closing: (() => unknown)[] = [interrupts.close, link.close];
  try {
    printLine(
      `worker for ${store.name}, ${counted(atOnce, 'run')} at once, on the queue ${link.name} of ${shownUrl(queue)}`,
    );
    const guard = new Guard();
    const scratch = guard.makeFolder();
    let worker: QueueWorker | null = null;
    const reporting = await BatchReporter.start(link, (runId, how) => worker?.stopRun(runId, how));
    const remark = (words: string): void => {
      printLine(words);
      reporting.remark(words);
    };
    const { limiters } = reporting;
    const executor = processExecutor({
      options,
      file: join(scenarios, 'batch'),
      scenarios,
      keys: allowedAddresses({ key: options.key }, io),
      workers,
      limiters,
      guard,
      onRemark: remark,
    });
    closing.unshift(
      () => reporting.close(),
      () => executor.close(),
    );
    worker = new QueueWorker({
      link,
      store,
      executor,
      scratch,
      parallel: atOnce,
      checkpointMs: checkpoint * 1000,
      lockMs: lock * 1000,
      remark,
      bill: (runId, before) => reporting.bill(runId, before),
      requirePlayable: ({ run }: QueueJob) => requireProgramsOf(run, given),
      onNews: ({ kind, runId, message }) => {
        if (!options.quiet)
          printLine(`${NEWS_VERBS[kind]} ${runId}${message === undefined ? '' : `: ${message}`}`);
      },
    });
    try {
      await worker.run(interrupts.stop);
      await rm(scratch, { recursive: true, force: true });
    } catch (error) {
      guard.removeFolder(scratch);
      throw error instanceof StorageError ? withScratch(error, scratch) : error;
    }
    return 0;
  } finally {
    // Each is closed even if one before it can't be.
    await closing.reduce((closed, close) => closed.finally(close), Promise.resolve());
  }
}

function withScratch(error: StorageError, scratch: string): OrchestrateError {
  // A worker has no --out.
  const hints = error.hints.map((hint) => hint.replace('with --out', 'with TMPDIR'));
  return new StorageError(error.message, [...hints, `the logs of the played runs are kept in ${scratch}`], {
    cause: error,
  });
}

const NEWS_VERBS: Readonly<Record<WorkerNews['kind'], string>> = {
  begun: 'playing',
  published: 'stored',
  left: 'stopped',
  failed: 'could not play',
  lost: 'lost',
};
