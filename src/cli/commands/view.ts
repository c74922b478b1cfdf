/**
 * `view <log…>`: logged or exported runs as a page. With --out one file that opens from disk; else served on
 * this machine alone, and opened. More runs than fit into a page are listed, each with a page of its own.
 * Reads the logs or tables only.
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { stageOpener } from '../../assembly/stage.js';
import { counted } from '../../base/counted.js';
import { LIMITS } from '../../base/limits.js';
import { UsageError } from '../../base/errors.js';
import type { ExitCode } from '../../base/errors.js';
import { LogReader } from '../../log/reader.js';
import { SeenRuns } from '../../log/seen-runs.js';
import { pageHtml, readPageFiles } from '../../view/html.js';
import type { PagePart } from '../../view/page-data.js';
import { isTablesFolder } from '../../view/exported/read-tables.js';
import { TablePages } from '../../view/exported/table-pages.js';
import { PageMaker, isOnPage, tooManyRuns } from '../../view/page-maker.js';
import type { PageSource } from '../../view/page-maker.js';
import type { OpenRunSource, ViewedLog } from '../../view/run-source.js';
import { PageServer } from '../../view/server.js';
import type { PageServerOptions } from '../../view/server.js';
import { command } from '../options/command-line.js';
import { argumentList, whole, word } from '../options/option.js';
import type { Chosen } from '../options/option.js';
import { nobodyPlayed, PLAYER_FILTER, playerFilter } from '../options/player-filter.js';
import { FORCE, readers } from '../options/shared-options.js';
import { isPlayedBy } from '../../trajectory/player-names.js';
import type { RunNames } from '../../trajectory/player-names.js';
import { namesOf, runChooser } from '../logs/played-runs.js';
import type { Io } from '../terminal/io.js';
import { logPlaces } from '../logs/log-places.js';
import { eachReadRun, fromLogs } from '../logs/logged-runs.js';
import { loadOwnParts, MODULES } from '../options/modules.js';
import { requireFree, writeOut } from '../files/out-file.js';
import { fileFor, fromCwd, logName } from '../options/paths.js';
import { openInBrowser } from '../files/browser.js';
import { printError } from '../text/error-text.js';
import { openReplay } from '../logs/replay-source.js';
import { chooseRun, splitAddress } from '../logs/run-address.js';
import { ViewedStore } from '../logs/viewed-store.js';
import { painter } from '../terminal/style.js';

const ARGUMENTS = {
  logs: argumentList(
    'Paths of logs: all runs of a file, or one with #run-id; folders of logs; or folders of `export --format tables`',
  ),
};
const OPTIONS = {
  ...MODULES,
  ...PLAYER_FILTER,
  out: word('Write the page to this file'),
  ...FORCE,
  port: whole('Port to serve the page on (default: any free port)', 0, 65_535),
  open: () => ({
    type: 'boolean' as const,
    default: true,
    describe: 'Open the page in the browser (default in a terminal); --no-open only prints the address',
  }),
  workers: readers('Number of processes that read the logs for a list of runs'),
};

type ViewOptions = Chosen<typeof ARGUMENTS & typeof OPTIONS>;

export function viewCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      ['$0 view run.sqlite --out run.html', 'one file that opens from disk, offline'],
      ['$0 view run.sqlite', 'the same page served on this machine; follows a run in progress'],
      ['$0 view tables/', 'a run from the Parquet files of export --format tables, without its log'],
      ['$0 view a.sqlite b.sqlite#run-id', 'runs of several logs, two of them side by side'],
      ['$0 view runs/', `a folder of logs; more than ${LIMITS.pageRuns} runs are shown as a list`],
    ],
    arguments: ARGUMENTS,
    options: OPTIONS,
    run: async (options, io) => {
      const [first = ''] = options.logs;
      const out = options.out === undefined ? undefined : fileFor(options.out, `${logName(first)}.html`, io);
      if (out !== undefined && options.port !== undefined)
        throw new UsageError('--port is only for a served page', ['leave out --out to serve it']);
      if (out === undefined && options.force)
        throw new UsageError('--force needs --out', ['without --out nothing is written']);
      if (options.logs.some((address) => isTablesFolder(fromCwd(io, address)))) {
        const pages = new TablePages(tableFolders(options, io));
        return out === undefined ? servePage(pages, options, io) : writePage(pages, { ...options, out }, io);
      }
      const parts = await loadOwnParts(options.modules, io, modules);
      const open: OpenRunSource = async ({ reader, file }, summary) => {
        return { ...(await openReplay(reader, summary, { options: {}, modules: parts.modules })), file };
      };
      const logs = openLogs(options, io);
      if (logs.excess !== null) {
        if (out !== undefined) throw tooManyRuns(logs.excess);
        return await serveList(new ViewedStore({ open, stage: stageOpener(parts) }, io), options, io);
      }
      try {
        const maker = new PageMaker(logs.opened, open, stageOpener(parts));
        if (out !== undefined) return await writePage(maker, { ...options, out }, io);
        return await servePage(maker, options, io);
      } finally {
        closeLogs(logs.opened);
      }
    },
  });
}

/** Throws UsageError if logs and folders of tables are mixed, or an option is only for logs. */
function tableFolders({ logs, modules, player, model }: ViewOptions, io: Io): readonly string[] {
  const log = logs.find((address) => !isTablesFolder(fromCwd(io, address)));
  if (log !== undefined)
    throw new UsageError(`${log} is not a folder of exported tables`, [
      'show logs and exported tables on separate pages',
    ]);
  if (modules !== undefined)
    throw new UsageError('--modules is only for logs', [
      'exported tables are shown without the code of their world',
    ]);
  if ((player ?? model ?? []).length > 0)
    throw new UsageError('--player and --model are only for logs', ['exported tables do not say who played']);
  return logs.map((address) => fromCwd(io, address));
}

/** Thrown to stop opening logs, because a folder may contain thousands. */
class PageIsFull extends Error {
  readonly address: string;

  constructor(address: string) {
    super(`no room for ${address}`);
    this.address = address;
  }
}

/** Throws UsageError if there is no such log or run. */
function openLogs(
  options: ViewOptions,
  io: Io,
): { excess: null; opened: readonly ViewedLog[] } | { excess: string } {
  const isWanted = runChooser(playerFilter(options));
  const opened: ViewedLog[] = [];
  const others: RunNames[] = [];
  const seen = new SeenRuns();
  let shown = 0;
  try {
    fromLogs(logPlaces(options.logs, io), io, (address) => {
      const { path, runId } = splitAddress(address, (name) => existsSync(fromCwd(io, name)));
      const reader = new LogReader(fromCwd(io, path));
      const log = { reader, file: basename(path), runId, isWanted: isWanted(reader) };
      opened.push(log);
      const runs = reader.runs();
      if (runId !== null) chooseRun(runs, runId, address);
      const onPage = runs.filter((one) => isOnPage(log, one.runId));
      if (runs.length > 0 && onPage.length === 0) {
        // A folder may have thousands of logs that others played: they don't stay open.
        others.push(...runs.map((one) => namesOf(reader, one.runId)));
        opened.pop();
        reader.close();
      }
      for (const run of onPage) {
        if (!seen.isCopy(run, { file: realpathSync(reader.path), name: address })) shown += 1;
        if (shown > LIMITS.pageRuns) throw new PageIsFull(`${path}#${run.runId}`);
      }
    });
    if (shown === 0 && others.length > 0) throw nobodyPlayed(options, others);
    return { excess: null, opened };
  } catch (error) {
    closeLogs(opened);
    if (error instanceof PageIsFull) return { excess: error.address };
    throw error;
  }
}

function closeLogs(logs: readonly ViewedLog[]): void {
  for (const { reader } of logs) reader.close();
}

/** Throws UsageError if there is nothing to show. */
async function requireFirstPart(maker: PageSource, isAll: boolean): Promise<PagePart | null> {
  const part = await maker.part({ isAll });
  if (part === null)
    throw new UsageError('the logs contain no run yet', ['orchestrate run SCENARIO plays one']);
  return part;
}

async function writePage(
  maker: PageSource,
  { out, force }: ViewOptions & { out: string },
  io: Io,
): Promise<ExitCode> {
  const path = fromCwd(io, out);
  requireFree(path, { force });
  const files = readPageFiles();
  const parts: PagePart[] = [];
  for (
    let part: PagePart | null = await requireFirstPart(maker, true);
    part !== null;
    part = await maker.part({ isAll: true })
  )
    parts.push(part);
  const bytes = Buffer.from(pageHtml(files, parts));
  writeOut(path, bytes);
  const steps = parts.flatMap(({ runs }) => runs).reduce((sum, run) => sum + run.steps.length, 0);
  const size =
    bytes.length < 1e6 ? `${Math.ceil(bytes.length / 1e3)} kB` : `${(bytes.length / 1e6).toFixed(1)} MB`;
  io.out.write(`${painter(io, io.out)('cyan', out)}  ${counted(steps, 'step')}, ${size}\n`);
  return 0;
}

/** A page of all runs, until Ctrl-C. */
async function servePage(maker: PageSource, options: ViewOptions, io: Io): Promise<ExitCode> {
  const files = readPageFiles();
  // Errors of the logs are reported here, before the browser opens the page.
  let first = await requireFirstPart(maker, false);
  const next = async () => {
    const part = first ?? (await maker.part({ isAll: false }));
    first = null;
    return part;
  };
  await serveUntilInterrupt({ files, next, annotate: (said) => maker.annotate(said) }, options, io);
  return 0;
}

/** A list of runs that grows while the logs are read, and a page for each run, until Ctrl-C. */
async function serveList(store: ViewedStore, options: ViewOptions, io: Io): Promise<ExitCode> {
  const served = {
    files: readPageFiles('list'),
    next: () => store.list.next(),
    annotate: () => {
      throw new UsageError('a list of runs has no steps', ['open a run to annotate its steps']);
    },
    runs: { files: readPageFiles(), feed: (run: number) => Promise.resolve(store.feed(run)) },
  };
  const stopping = new AbortController();
  const { signal } = stopping;
  const wanted = playerFilter(options);
  const reads = {
    spec: { kind: 'figures', forks: true, search: null },
    workers: options.workers,
    modules: [],
  } as const;
  // Errors are printed, and leave the list incomplete.
  const reading = eachReadRun(options.logs, io, reads, ({ address, run, value }) => {
    signal.throwIfAborted();
    if (value !== null && isPlayedBy(value.figures.names, wanted))
      store.add({ address, run, figures: value.figures });
    return 0;
  }).then(
    (code) => store.list.end({ isIncomplete: code !== 0 }),
    (error: unknown) => {
      if (!signal.aborted) printError(error, io);
      store.list.end({ isIncomplete: true });
    },
  );
  try {
    await serveUntilInterrupt(served, options, io);
  } finally {
    stopping.abort();
    await reading;
    store.close();
  }
  return 0;
}

async function serveUntilInterrupt(
  served: Omit<PageServerOptions, 'port' | 'onError'>,
  { port = 0, open }: ViewOptions,
  io: Io,
): Promise<void> {
  const server = new PageServer({ ...served, port, onError: (error) => void printError(error, io) });
  const address = await server.open();
  const stopped = new Promise<void>((resolve) => {
    const stopListening = io.onInterrupt(() => {
      stopListening();
      resolve();
    });
  });
  io.out.write(
    `${painter(io, io.out)('cyan', address)}\nOpen it in a browser on this machine; Ctrl-C stops it.\n`,
  );
  const close = open && io.out.isTerminal ? openInBrowser(address) : () => undefined;
  try {
    await stopped;
  } finally {
    close();
    await server.close();
  }
}
