/**
 * How much each promise is tested: little enough for `npm test`, more under `npm run test:soak` (PROMISES=soak). A size can be set by hand as
 * well: `PROMISES_SIZES=leakTextPairs=100000`. Figures that were reached go to the file PROMISES_REPORT, a line a promise.
 */
import { appendFileSync } from 'node:fs';

interface Size {
  readonly test: number;
  readonly soak: number;
}

const TABLE = {
  /** Seeds a shipped scenario, each played in two processes. */
  determinismSeeds: { test: 8, soak: 200 },
  /** Agents' steps after which those runs end. */
  determinismSteps: { test: 24, soak: 100_000 },
  /** Seeds of the pure core under --jitless and on another Node. */
  coreSeeds: { test: 3, soak: 20 },
  /** Seeds of the heavy mode, for each shipped scenario. */
  heavySeeds: { test: 3, soak: 100 },
  /** Games whose order of things, keys and intents is shuffled. */
  orderGames: { test: 10, soak: 500 },
  /** Runs of YAML files whose keys are shuffled, for each shipped scenario. */
  orderFiles: { test: 3, soak: 40 },
  leakTextPairs: { test: 8_000, soak: 400_000 },
  /** Pairs of worlds that differ in what an agent has not perceived, held against each other in all that is offered and refused. */
  offerPairs: { test: 300, soak: 10_000 },
  leakPixelPairs: { test: 400, soak: 40_000 },
  /** Pairs of worlds whose observations are compared as bytes of the wire. */
  leakWirePairs: { test: 1_000, soak: 40_000 },
  /** Whole runs that differ only in what one of the agents can't perceive. */
  leakRuns: { test: 10, soak: 400 },
  /** Made-up replies that a constraint of guided decoding allows, for each scenario, protocol and language of constraints. */
  guidedReplies: { test: 150, soak: 5_000 },
  parserReplies: { test: 100_000, soak: 2_000_000 },
  /** The longest reply, in characters, whose visits are counted. */
  parserCharacters: { test: 20_000, soak: 1_000_000 },
  /** Scenarios of hostile names and words, played on the command line. */
  hostileRuns: { test: 10, soak: 300 },
  hostileTexts: { test: 100_000, soak: 2_000_000 },
  /** Commands on logs of which one cell or field is hostile, and with everything else that is. */
  terminalLogs: { test: 250, soak: 12_000 },
  terminalOthers: { test: 250, soak: 6_000 },
  /** Processes killed, at named points and at random instants. */
  kills: { test: 40, soak: 600 },
  /** Calls of the system after which each of four commands is killed in its first moments. */
  firstMoments: { test: 10, soak: 100_000 },
  /** Disks of growing size on which a batch is begun. */
  fullDisks: { test: 14, soak: 120 },
  /** Disks that a power cut may have left. */
  powerCuts: { test: 2000, soak: 40_000 },
  /** Logs with bytes, pages or rows changed. */
  corruptions: { test: 2000, soak: 100_000 },
  /** Logs with a cell or a row changed, each put through the commands that read logs. */
  changedLogs: { test: 60, soak: 4000 },
  /** Faults of a server at places of a run, played in real time. */
  faultCells: { test: 12, soak: 100_000 },
  /** Servers that behave as none should, put together at random, besides each oddity by itself. */
  oddServers: { test: 100, soak: 5000 },
  /** Turns over which a server's prefix cache is watched. */
  prefixTurns: { test: 50, soak: 300 },
  /** Ways to write a reference, for each secret-like name and place of a stranger's scenario. */
  strangerForms: { test: 1, soak: 3 },
  /** Those names: at most as many as are listed. */
  strangerNames: { test: 26, soak: 1000 },
  /** Reads by the file tools while another process swaps what they read. */
  fileRaces: { test: 14_000, soak: 2_000_000 },
  /** Limits of open files under which every command is started, from the smallest that none may fail under. */
  openFileLimits: { test: 1, soak: 10 },
  /** Ids that are methods of every list or function, each through every command. */
  objectWords: { test: 2, soak: 100 },
  /** Orders of requests, pauses, restarts and ticks of leases. */
  leaseSequences: { test: 20_000, soak: 200_000 },
  /** Pauses of processes that hold leases. */
  leasePauses: { test: 200, soak: 2000 },
  /** Ticks of a served world whose memory is watched. */
  servedTicks: { test: 2_000, soak: 100_000 },
  /** Times that a served world is killed. */
  servedKills: { test: 12, soak: 200 },
  /** Runs of a batch on a queue, and how often one of its workers is killed or stopped meanwhile. */
  queueRuns: { test: 24, soak: 2000 },
  queueBlows: { test: 5, soak: 500 },
  /** Seeds of the whole system in one process, with faults. */
  simulations: { test: 200, soak: 20_000 },
} as const satisfies Readonly<Record<string, Size>>;

export type SizeName = keyof typeof TABLE;

export const isSoak = process.env['PROMISES'] === 'soak';

export function sizeOf(name: SizeName): number {
  const given = new RegExp(`(?:^|,)${name}=(\\d+)(?:,|$)`).exec(process.env['PROMISES_SIZES'] ?? '')?.[1];
  return given === undefined ? TABLE[name][isSoak ? 'soak' : 'test'] : Number(given);
}

/** No promise's test is given longer, in milliseconds; a soak takes hours on a slow machine. */
export const PROMISE_TIMEOUT_MS = isSoak ? 6 * 3_600_000 : 600_000;

/** Tells what was reached: `7 no leaks: 20,000 text pairs, 0 differ`. */
export function reached(promise: string, figure: string): void {
  const path = process.env['PROMISES_REPORT'];
  if (path !== undefined) appendFileSync(path, `${promise}: ${figure}\n`);
}

/** `20,000`, whatever the locale. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
