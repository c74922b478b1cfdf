/**
 * How often each test of a promise, and each property over random cases, is repeated: one row of the table per test, one column per ring
 * (vitest.config.ts). `SIZES=leakTextPairs=100000` sets one by hand. Figures that were reached go to the file PROMISES_REPORT, a line a promise.
 */
import { appendFileSync } from 'node:fs';

/** In `npm test` (null: not there), in `npm run test:all`, and in `npm run test:soak`. */
type Sizes = readonly [first: number | null, all: number, soak: number];

const TABLE = {
  /** Scenarios, of a list of them, that a test goes through one by one. */
  scenarios: [2, 100, 100],
  /** Seeds a shipped scenario, each played in two processes. */
  determinismSeeds: [1, 3, 200],
  /** Embedded controllers with which a promise is played. */
  controllers: [1, 2, 2],
  /** Agents' steps after which those runs end. */
  determinismSteps: [12, 24, 100_000],
  /** Seeds of the pure core under --jitless and on another Node. */
  coreSeeds: [null, 2, 20],
  /** Seeds of the heavy mode, for each shipped scenario. */
  heavySeeds: [1, 2, 100],
  /** Games whose order of things, keys and intents is shuffled. */
  orderGames: [1, 6, 500],
  /** Runs of YAML files whose keys are shuffled, for each shipped scenario. */
  orderFiles: [1, 3, 40],
  leakTextPairs: [60, 2_000, 400_000],
  /** Pairs of worlds that differ in what an agent has not perceived, held against each other in all that is offered and refused. */
  offerPairs: [3, 200, 10_000],
  leakPixelPairs: [20, 400, 40_000],
  /** Pairs of worlds whose observations are compared as bytes of the wire. */
  leakWirePairs: [80, 1_000, 40_000],
  /** Whole runs that differ only in what one of the agents can't perceive. */
  leakRuns: [null, 6, 400],
  /** Made-up replies that a constraint of guided decoding allows, for each scenario, protocol and language of constraints. */
  guidedReplies: [2, 50, 5_000],
  /** Random cases for each property of a reading. */
  replyFuzz: [40, 3_000, 60_000],
  namedFuzz: [50, 1_500, 30_000],
  guidedFuzz: [30, 1_000, 20_000],
  turnsFuzz: [50, 400, 10_000],
  parserReplies: [2_000, 15_000, 2_000_000],
  /** Families of hostile replies whose visited characters are counted, over all protocols. */
  parserFamilies: [10, 1000, 1000],
  /** The longest reply, in characters, whose visits are counted. */
  parserCharacters: [5_000, 5_000, 1_000_000],
  /** Scenarios of hostile names and words, played on the command line. */
  hostileRuns: [2, 10, 300],
  hostileTexts: [2_000, 100_000, 2_000_000],
  /** Commands on logs of which one cell or field is hostile, and with everything else that is. */
  terminalLogs: [6, 250, 12_000],
  terminalOthers: [10, 250, 6_000],
  /** Answers of servers, each cut at every byte: as many of each of the six kinds of server. */
  cutAnswers: [6, 24, 120],
  /** Processes killed, at named points and at random instants. */
  kills: [2, 40, 600],
  /** Pauses after which a batch is killed. */
  batchKills: [1, 4, 4],
  /** How often each batch is killed. */
  batchBlows: [1, 3, 3],
  /** Commands of which the first moments are watched. */
  firstCommands: [1, 4, 4],
  /** Calls of the system after which each of those commands is killed in its first moments. */
  firstMoments: [1, 10, 100_000],
  /** Random worlds of which only the picture is sent. */
  imageWorlds: [5, 60, 2_000],
  /** Pairs of worlds that differ in what the picture shows, played with the same replies. */
  picturedPairs: [4, 150, 10_000],
  /** Seeds of each task that players without pictures or without words play. */
  blindSeeds: [5, 60, 1_000],
  /** Limits of a file's size under which a run is begun. */
  fileLimits: [1, 3, 3],
  /** Disks of growing size on which a batch is begun. */
  fullDisks: [null, 14, 120],
  /** Disks that a power cut may have left. */
  powerCuts: [24, 1_000, 40_000],
  /** Logs with bytes, pages or rows changed. */
  corruptions: [16, 400, 100_000],
  /** Logs with a cell or a row changed, each put through the commands that read logs. */
  changedLogs: [2, 60, 4_000],
  /** Faults of the table of faults, each at every place of a run, in virtual time. */
  faultRows: [10, 1000, 1000],
  /** Faults of a server at places of a run, played in real time. */
  faultCells: [3, 12, 100_000],
  /** Servers that behave as none should, put together at random, besides each oddity by itself. */
  oddServers: [1, 100, 5000],
  /** Turns over which a server's prefix cache is watched. */
  prefixTurns: [50, 50, 300],
  /** Ways to write a reference, for each secret-like name and place of a stranger's scenario. */
  strangerForms: [1, 1, 3],
  /** Those names: at most as many as are listed. */
  strangerNames: [1, 26, 1_000],
  /** Reads by the file tools while another process swaps what they read. */
  fileRaces: [2_500, 14_000, 2_000_000],
  /** Commands of the program, of a list of them, that a test starts one by one. */
  commands: [5, 100, 100],
  /** Limits of open files under which every command is started, from the smallest that none may fail under. */
  openFileLimits: [null, 1, 10],
  /** Shipped scenarios in which a look-up beyond the record throws. */
  trapWorlds: [1, 100, 100],
  /** Texts that are methods of every object. */
  objectTexts: [1, 100, 100],
  /** Limits of open files that are too low for any command. */
  tooFewFiles: [1, 100, 100],
  /** Ids that are methods of every list or function, each through every command. */
  objectWords: [1, 2, 100],
  /** Orders of requests, pauses, restarts and ticks of leases. */
  leaseSequences: [500, 20_000, 200_000],
  /** Pauses of processes that hold leases. */
  leasePauses: [6, 200, 2000],
  /** Ticks of a served world whose memory is watched. */
  servedTicks: [null, 2_000, 100_000],
  /** Connections of strangers whose bytes are hostile, to each server. */
  strangersBytes: [160, 6_000, 400_000],
  /** Times that a served world is killed. */
  servedKills: [2, 12, 200],
  /** Runs of a batch on a queue, and how often one of its workers is killed or stopped meanwhile. */
  queueRuns: [6, 24, 2000],
  queueBlows: [1, 5, 500],
  /** Seeds of the whole system in one process, with faults. */
  simulations: [3, 60, 20_000],
  /** Games of random actions in a grid, and in a workcell. */
  gridGames: [null, 8, 500],
  workcellGames: [6, 60, 2_000],
  /** Tiny worlds in which every way is tried. */
  bruteForces: [null, 14, 300],
  /** Scenarios and seeds that the embedded player wins. */
  scriptedWins: [3, 23, 23],
  /** Programs that stay silent, each in its own way, until their time is over. */
  hangs: [1, 100, 100],
  /** Ways to export boxes of things. */
  boxes: [1, 100, 100],
  /** Families of generated worlds in examples/train. */
  families: [null, 100, 100],
  /** Programs of examples/. */
  examples: [1, 100, 100],
  /** Limits on scenarios, of the table of limits. */
  limits: [4, 100, 100],
  /** Scenario files of which the worst is known. */
  hostileFiles: [3, 1000, 1000],
  /** Shipped scenarios with changed characters. */
  changedScenarios: [20, 400, 20_000],
  /** Worlds with a bug that the conformance suite must find. */
  conformanceBugs: [2, 100, 100],
  /** Ways to cut off a run, of a list of them. */
  cutOffs: [1, 100, 100],
  /** Moments at which each such run is cut off. */
  cuts: [6, 10_000, 10_000],
  /** Formats that several processes write. */
  workerFormats: [1, 100, 100],
  /** Formats whose files may grow no more. */
  diskFormats: [1, 100, 100],
  /** Pairs of a scenario and a way of guided decoding, read and played. */
  guidedForms: [1, 24, 24],
  guidedRuns: [null, 10, 24],
} as const satisfies Readonly<Record<string, Sizes>>;

export type SizeName = keyof typeof TABLE;

const COLUMN: Readonly<Record<string, 0 | 1 | 2>> = { first: 0, all: 1, soak: 2 };

const RING = COLUMN[process.env['RING'] ?? 'first'] ?? 0;

export const isSoak = RING === 2;

/** The options of a test whose size differs from ring to ring: `test:all` runs it again, although `npm test` ran it. */
export const SIZED = { tags: ['sized'] };

/** The same, of a test that takes too long for `npm test`. */
export const LONG_SIZED = { tags: ['long', 'sized'] };

export function sizeOf(name: SizeName): number {
  const given = new RegExp(`(?:^|,)${name}=(\\d+)(?:,|$)`).exec(process.env['SIZES'] ?? '')?.[1];
  return given === undefined ? (TABLE[name][RING] ?? TABLE[name][1]) : Number(given);
}

/** As many of the list as the ring tries: the middle one of each of so many equal parts. */
export function someOf<T>(list: readonly T[], name: SizeName): readonly T[] {
  const every = Math.max(1, list.length / sizeOf(name));
  const middle = (i: number): number => Math.floor((i - Math.floor(every / 2)) / every);
  return list.filter((_, i) => middle(i) !== middle(i - 1));
}

/** Tells what was reached: `7 no leaks: 20,000 text pairs, 0 differ`. */
export function reached(promise: string, figure: string): void {
  const path = process.env['PROMISES_REPORT'];
  if (path !== undefined) appendFileSync(path, `${promise}: ${figure}\n`);
}

/** `20,000`, whatever the locale. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
