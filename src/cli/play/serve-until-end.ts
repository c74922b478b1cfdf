/** A world served from its first run until it ends: the port with all that stands behind it, and what the user is told. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { counted, loggedSteps } from '../../base/counted.js';
import { UsageError } from '../../base/errors.js';
import type { ExitCode } from '../../base/errors.js';
import { shellWord } from '../../base/shell-words.js';
import { systemWords } from '../../base/system-words.js';
import { openMcpDoor } from '../../mcp/door.js';
import { aborted } from '../../model/abort.js';
import { systemClock } from '../../model/dependencies.js';
import { ApiPort } from '../../serve/port.js';
import type { MovedPage, ServedPage } from '../../serve/port.js';
import type { ServedRun } from '../../serve/served-run.js';
import { ServedWorld } from '../../serve/served-world.js';
import type { OpenRun, RunRequest } from '../../serve/served-world.js';
import { pageHeaders, readPageFiles, seatHtml } from '../../view/html.js';
import { paceOf, parseListenAddress, protectionOf, ttlOf } from '../options/serve-options.js';
import { printError } from '../text/error-text.js';
import { listenForInterrupts } from '../terminal/interrupt.js';
import { servedAddress } from './served-runs.js';
import type { ServeHost } from './served-runs.js';

/**
 * Serves until the run has ended, or the user stops it; with `whileServed` until that has ended, and then the run begins with the
 * first player that takes a seat. `whileServed` gets the port's address and a signal for the user's stop. Nothing is logged before
 * the port is open.
 */
export async function serveUntilEnd(
  host: ServeHost,
  openerFor: (signal: AbortSignal) => OpenRun,
  whileServed?: (address: string, signal: AbortSignal) => Promise<void>,
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
    const run = await world.prepare(OWN_RUN);
    const seatFiles = readPageFiles('seat');
    const pages = new Map<string, ServedPage | MovedPage>([
      ['/seat', { html: seatHtml(seatFiles), headers: pageHeaders(seatFiles) }],
      ['/seat/', { location: '../seat' }],
      ['/', { location: 'seat' }],
    ]);
    const api = {
      world,
      identity,
      clock: systemClock,
      ttlMs,
      onError: (error: unknown) => void printError(error, io),
    };
    const door = openMcpDoor(api);
    const port = await ApiPort.open({
      ...listenAddress,
      ...api,
      allowedHosts: options['allow-host'] ?? [],
      tls,
      pages,
      mcp: door.answer,
    }).catch(async (error: unknown) => {
      await world.close();
      throw new UsageError(
        `can't listen on ${listenAddress.host}:${listenAddress.port}: ${systemWords(error)}`,
        ['choose another port with --listen, or 0 for any free one'],
      );
    });
    const { soft } = interrupts.stop;
    try {
      if (whileServed === undefined) await run.begin();
      announce(run, port, { host, isSecure: tls !== null });
      if (whileServed !== undefined) await whileServed(port.address, soft);
      else if (options.runs > 1) await aborted(soft);
      // How the run ended, or why not, is reported below.
      else await Promise.race([aborted(soft), Promise.allSettled([run.ended]).then(() => door.untilTold())]);
    } finally {
      await world.close();
      await port.close();
    }
    if (!run.hasBegun) {
      io.out.write('nothing was played: no tool was called\n');
      return soft.aborted ? 130 : 0;
    }
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

/** The run that the server was started for. */
export const OWN_RUN: RunRequest = { scenario: '', seed: '', set: [], from: null };

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
  const url = `${isSecure ? 'https' : 'http'}://${browserAddress}`;
  io.out.write(
    `${scenario.title}: ${pace}\n` +
      `serving ${port.address}, run ${run.record.runId}${run.begunAt === 1 ? '' : `, continuing with turn ${run.begunAt}`}\n` +
      `${counted(run.served.length, 'entity', 'entities')} to control: ${run.served.join(', ')}\n` +
      `seats in the browser: ${url}/seat\n` +
      `seats for agent harnesses (MCP): ${url}/mcp/ENTITY\n` +
      `watch it: ${io.program} view ${shellWord(servedAddress(host, run.record.runId))}\n`,
  );
}
