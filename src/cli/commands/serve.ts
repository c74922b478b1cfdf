/**
 * `serve <scenario>`: serves the scenario as a world that programs on any machine play over gRPC, gRPC-Web or
 * JSON; its runs are logged like any other.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { withClaimedRun } from '../../assembly/claimed-run.js';
import { isDatabase } from '../../log/file.js';
import type { LogReader } from '../../log/reader.js';
import { counted, loggedSteps } from '../../base/counted.js';
import { UsageError } from '../../base/errors.js';
import type { ExitCode } from '../../base/errors.js';
import { shellWord } from '../../base/shell-words.js';
import { systemWords } from '../../base/system-words.js';
import { aborted } from '../../model/abort.js';
import { systemClock } from '../../model/dependencies.js';
import { ApiPort } from '../../serve/port.js';
import type { MovedPage, ServedPage } from '../../serve/port.js';
import type { ServedRun } from '../../serve/served-run.js';
import { ServedLogs } from '../../serve/served-logs.js';
import { ServedWorld } from '../../serve/served-world.js';
import type { OpenRun } from '../../serve/served-world.js';
import { pageHeaders, readPageFiles, seatHtml } from '../../view/html.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { isOver } from '../../replay/restored-history.js';
import { chooseRun, splitAddress } from '../logs/run-address.js';
import { command } from '../options/command-line.js';
import { loadOwnParts } from '../options/modules.js';
import { fromCwd } from '../options/paths.js';
import {
  withPreviousServing,
  parseListenAddress,
  paceOf,
  protectionOf,
  ttlOf,
  SERVE_OPTIONS,
  SERVED,
} from '../options/serve-options.js';
import {
  openServed,
  reopenServed,
  requireOnlyServing,
  requireUnended,
  servedAddress,
} from '../play/served-runs.js';
import type { ServeHost } from '../play/served-runs.js';
import { printError } from '../text/error-text.js';
import { listenForInterrupts } from '../terminal/interrupt.js';

export function serveCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      ['$0 serve scenarios/crypt.yaml', 'one tick a second, on 127.0.0.1:50051'],
      ['$0 serve crypt.yaml --pace lockstep --wait all', 'a tick ends as soon as all have decided'],
      ['$0 serve crypt.yaml --keep wizard', 'the server plays the wizard itself, as the scenario says'],
      [
        '$0 serve crypt.yaml --keep wizard --base-url http://localhost:8000/v1',
        'the server plays the wizard with a model',
      ],
      [
        '$0 serve crypt.yaml --listen 0.0.0.0:50051 --tokens tokens.txt --tls-cert c.pem --tls-key k.pem',
        'for other machines',
      ],
    ],
    arguments: SERVED,
    options: SERVE_OPTIONS,
    run: async (options, io) => {
      const parts = await loadOwnParts(options.modules, io, modules);
      const host = { options, io, parts, logs: new ServedLogs() };
      const { scenario, resume } = options;
      const { path: typedPath, runId } = splitAddress(scenario, (name) => existsSync(fromCwd(io, name)));
      const path = fromCwd(io, typedPath);
      const isLog = isDatabase(path);
      if (isLog && !resume) throw new UsageError(`${scenario} is a log: add --resume`);
      if (resume && !isLog && /\.ya?ml$/i.test(path) && existsSync(path))
        throw new UsageError(`${scenario} is a scenario: leave out --resume`);
      if (!resume) return serveUntilEnd(host, (signal) => (request) => openServed(host, request, signal));
      requireOnlyServing(options);
      const choose = (reader: LogReader): string => chooseServedRun(reader, { runId, address: scenario });
      const check = (reader: LogReader): void => requireUnended(reader, choose(reader), host);
      return withClaimedRun(path, { choose, check, modules: parts.modules }, (claimedRun) => {
        const before = claimedRun.reader.serving(claimedRun.run.runId);
        const resumedHost = { ...host, options: withPreviousServing(options, before) };
        const waits = options.wait !== undefined;
        return serveUntilEnd(
          resumedHost,
          (signal) => () => reopenServed(resumedHost, claimedRun, { waits, signal }),
        );
      });
    },
  });
}

/** The named run; otherwise the log's only served run that has not ended, or its only run. */
function chooseServedRun(
  reader: LogReader,
  { runId, address }: { runId: string | null; address: string },
): string {
  const runs = reader.runs();
  const open = runs.filter((run) => !isOver(run.status) && reader.serving(run.runId) !== null);
  const [only] = open;
  if (runId === null && only !== undefined && open.length === 1) return only.runId;
  return chooseRun(runs, runId, address).runId;
}

/** Serves until the run has ended, or the user stops it. */
async function serveUntilEnd(
  host: ServeHost,
  openerFor: (signal: AbortSignal) => OpenRun,
): Promise<ExitCode> {
  const { options, io } = host;
  const listenAddress = parseListenAddress(options.listen);
  const ttlMs = ttlOf(options, paceOf(options));
  const { identity, tls } = protectionOf(options, listenAddress, io);
  const instance = randomBytes(8).toString('hex');
  const interrupts = listenForInterrupts(io, () => undefined);
  const world = new ServedWorld({ instance, limit: options.runs, open: openerFor(interrupts.stop.soft) });
  const stopListening = io.onTerminate(interrupts.stopSoftly);
  // So that a second Ctrl-C ends the process, like a second SIGTERM: a call to a model may still be pending.
  interrupts.stop.soft.addEventListener('abort', interrupts.close, { once: true });
  try {
    const run = await world.create({ scenario: '', seed: '', set: [], from: null });
    const seatFiles = readPageFiles('seat');
    const pages = new Map<string, ServedPage | MovedPage>([
      ['/seat', { html: seatHtml(seatFiles), headers: pageHeaders(seatFiles) }],
      ['/seat/', { location: '../seat' }],
      ['/', { location: 'seat' }],
    ]);
    const port = await ApiPort.open({
      ...listenAddress,
      allowedHosts: options['allow-host'] ?? [],
      tls,
      world,
      identity,
      clock: systemClock,
      ttlMs,
      pages,
      onError: (error) => void printError(error, io),
    }).catch(async (error: unknown) => {
      await world.close();
      throw new UsageError(
        `can't listen on ${listenAddress.host}:${listenAddress.port}: ${systemWords(error)}`,
        ['choose another port with --listen, or 0 for any free one'],
      );
    });
    announce(run, port, { host, isSecure: tls !== null });
    // How the run ended, or why not, is reported below.
    const ended = Promise.allSettled([run.ended]);
    await Promise.race([aborted(interrupts.stop.soft), ...(options.runs === 1 ? [ended] : [])]);
    await world.close();
    await port.close();
    const { status, reason, turns, steps } = await run.ended;
    io.out.write(
      `${status}: ${reason}\n${counted(turns, 'turn')}, ${loggedSteps(steps)}, run ${run.record.runId}\n`,
    );
    if (status === 'interrupted') return 130;
    return status === 'succeeded' || status === 'ended' ? 0 : 1;
  } finally {
    stopListening();
    interrupts.close();
  }
}

function announce(
  run: ServedRun,
  port: ApiPort,
  { host, isSecure }: { host: ServeHost; isSecure: boolean },
): void {
  const { io } = host;
  const { scenario } = run.opened;
  const { kind, periodMs, windowMs } = run.pace;
  const pace =
    kind === 'clock'
      ? `a tick every ${periodMs} ms, which accepts intents for ${windowMs} ms`
      : `lockstep, at most ${windowMs} ms a tick`;
  // For a browser, a server that listens on all addresses has the machine's name.
  const browserAddress = port.address.replace(/^(?:0\.0\.0\.0|\[::\])(?=:)/, hostname());
  io.out.write(
    `${scenario.title}: ${pace}\n` +
      `serving ${port.address}, run ${run.record.runId}${run.begunAt === 1 ? '' : `, continuing with turn ${run.begunAt}`}\n` +
      `${counted(run.served.length, 'entity', 'entities')} to control: ${run.served.join(', ')}\n` +
      `seats in the browser: ${isSecure ? 'https' : 'http'}://${browserAddress}/seat\n` +
      `watch it: ${io.program} view ${shellWord(servedAddress(host, run.record.runId))}\n`,
  );
}
