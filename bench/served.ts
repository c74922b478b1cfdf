/**
 * `npm run bench -- served`: what a served world costs. The server is a process of its own; this one plays all of its entities over gRPC and decides
 * WAIT at once. Processor time is the server's alone. Needs the built program (`npm run build`).
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { create, toBinary } from '@bufbuild/protobuf';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { ObservationSchema } from '../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { median, table } from './figures.js';
import { connectionTo } from './grpc-client.js';
import type { Connection } from './grpc-client.js';

export interface ServedAmounts {
  /** Ticks of each crowd. */
  readonly ticks: number;
  /** Worlds of two agents at once, in lockstep, and the turns of each. */
  readonly worlds: number;
  readonly turns: number;
  /** How long an idle world is watched. */
  readonly idleMs: number;
}

interface Server {
  readonly address: string;
  readonly child: ChildProcess;
}

/** What became of the intents of a crowd, ticks after the first. */
interface Crowd {
  readonly intents: number;
  readonly late: number;
  readonly cpuMsATick: number;
  readonly bytes: number;
  /** From the first observation of a tick to the last. */
  readonly spreadMs: number;
}

const USUAL = ['PART_FACTS', 'PART_OFFERS', 'PART_EVENTS'];
const PICTURE = 'PART_FRAME';
const WITH_PICTURES = [...USUAL, 'PART_TEXT', PICTURE];
/** A connection has 64 streams, and each entity needs two. */
const ENTITIES_A_CONNECTION = 24;

export async function servedReport(amounts: ServedAmounts): Promise<string> {
  // First, while this process holds nothing else: later, the collection of what the crowds left would count.
  const encoding = encodingTimes();
  const folder = mkdtempSync(join(tmpdir(), 'orchestrate-bench-'));
  try {
    const { ticks } = amounts;
    const pictures = await crowd(folder, { agents: 64, ticks, parts: WITH_PICTURES, windowMs: 500 });
    const facts = await crowd(folder, { agents: 256, ticks, parts: USUAL, windowMs: 500 });
    const longer = await crowd(folder, { agents: 256, ticks, parts: USUAL, windowMs: 900 });
    const rows = [
      crowdRow('64 agents, with pictures and text', 64, pictures),
      crowdRow('256 agents, facts and offers', 256, facts),
      crowdRow('256 agents, --window 900', 256, longer),
    ];
    const head = [
      'at 1 tick a second',
      'intents',
      'late',
      'ms a tick',
      'µs an observation',
      'bytes',
      'spread ms',
    ];
    const idle = await idleShare(folder, amounts.idleMs);
    const lockstep = await lockstepRatio(folder, amounts);
    return `${table(head, rows)}\n\nAn idle world: ${(100 * idle).toFixed(2)} % of a core.\n\n${lockstep}\n\n${encoding}\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function crowdRow(what: string, agents: number, { intents, late, cpuMsATick, bytes, spreadMs }: Crowd) {
  const share = `${((100 * late) / intents).toFixed(1)} %`;
  const each = Math.round((1000 * cpuMsATick) / agents);
  return [
    what,
    String(intents),
    share,
    cpuMsATick.toFixed(0),
    String(each),
    String(bytes),
    spreadMs.toFixed(0),
  ];
}

/** A hall with so many agents, who all act at once. */
function hall(agents: number, turns: number, render: string): string {
  const columns = Math.ceil(Math.sqrt(agents));
  const side = 3 * columns + 1;
  const row = `  #${'.'.repeat(side)}#\n`;
  const wall = `  ${'#'.repeat(side + 2)}\n`;
  const at = (i: number): string => `[${2 + 3 * (i % columns)}, ${2 + 3 * Math.floor(i / columns)}]`;
  const ids = Array.from({ length: agents }, (_, i) => `  - { id: a${i}, sprite: knight, at: ${at(i)} }\n`);
  return `title: A hall\nmap: |\n${wall}${row.repeat(side)}${wall}agents:\n${ids.join('')}turns: { max: ${turns}, order: simultaneous }\n${render}\n`;
}

async function serve(
  folder: string,
  name: string,
  scenario: string,
  words: readonly string[],
): Promise<Server> {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, scenario);
  const place = ['--listen', '127.0.0.1:0', '--out', `${folder}/`];
  const child = spawn(process.execPath, ['dist/cli/main.js', 'serve', file, ...place, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => {
      said += data.toString();
      const found = /serving (\S+),/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
  return { address, child };
}

async function ended({ child }: Server): Promise<void> {
  if (child.exitCode !== null) return;
  const over = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await Promise.race([over, wait(2000)]);
  child.kill('SIGKILL');
}

/** Processor time of a process so far, in milliseconds: clock ticks are hundredths of a second. */
function processorMs({ child }: Server): number {
  const words = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return 10 * (Number(words[11]) + Number(words[12]));
}

interface Played {
  readonly tick: number;
  readonly at: number;
  readonly accepted: boolean;
  readonly bytes: number;
}

/** Plays an entity to the end of its run, and tells each tick. */
async function waits(
  connection: Connection,
  lease: string,
  parts: readonly string[],
  told: (one: Played) => void,
): Promise<void> {
  for await (const seen of connection.observations(lease, parts)) {
    if (seen.isFinal) return;
    if (seen.tick === '0') continue;
    const at = performance.now();
    const { tick, frame } = seen;
    const accepted = await connection.waits(lease, seen);
    told({ tick: Number(tick), at, accepted: accepted === true, bytes: frame?.png.length ?? 0 });
    if (accepted === null) return;
  }
}

interface CrowdPlan {
  readonly agents: number;
  readonly ticks: number;
  readonly parts: readonly string[];
  /** Of each tick of a second, how long it takes intents. */
  readonly windowMs: number;
}

/** The first tick is cold and not counted. */
async function crowd(folder: string, { agents, ticks, parts, windowMs }: CrowdPlan): Promise<Crowd> {
  const render = parts.includes(PICTURE) ? '' : 'render: { channel: text }';
  const scenario = hall(agents, ticks + 1, render);
  const pace = ['--pace', 'clock', '--wait', 'all', '--ttl', '60000', '--window', String(windowMs)];
  const server = await serve(folder, `hall-${agents}`, scenario, pace);
  const count = Math.ceil(agents / ENTITIES_A_CONNECTION);
  const connections = Array.from({ length: count }, () => connectionTo(server.address));
  const played: Played[] = [];
  const busy = new Map<number, number>();
  const told = (one: Played): void => {
    // All are told of a tick at once, when it is settled.
    if (!busy.has(one.tick)) busy.set(one.tick, processorMs(server));
    played.push(one);
  };
  const entities = Array.from({ length: agents }, (_, i) => `a${i}`);
  const playing = entities.map(async (entity, i) => {
    const connection = connections[i % count] ?? connectionTo(server.address);
    const lease = await connection.acquireLease({ entity });
    await waits(connection, lease, parts, told);
  });
  await Promise.all(playing);
  await ended(server);
  const counted = played.filter(({ tick }) => tick > 1);
  const spreads = Array.from({ length: ticks }, (_, i) => {
    const times = counted.filter(({ tick }) => tick === i + 2).map(({ at }) => at);
    return Math.max(...times) - Math.min(...times);
  });
  return {
    intents: counted.length,
    late: counted.filter(({ accepted }) => !accepted).length,
    cpuMsATick: ((busy.get(ticks + 1) ?? 0) - (busy.get(1) ?? 0)) / ticks,
    bytes: Math.round(median(counted.map(({ bytes }) => bytes))),
    spreadMs: median(spreads),
  };
}

/** The share of a core that a world takes in which nobody holds anything. */
async function idleShare(folder: string, watchedMs: number): Promise<number> {
  const server = await serve(folder, 'idle', hall(4, 10, ''), ['--pace', 'clock']);
  await wait(2000);
  const before = processorMs(server);
  await wait(watchedMs);
  const share = (processorMs(server) - before) / watchedMs;
  await ended(server);
  return share;
}

interface Speed {
  /** Steps a second of agents. */
  readonly rate: number;
  /** Microseconds of processor time a step: of the server alone, where there is one. */
  readonly cpuUs: number;
}

/**
 * Worlds of two agents at once, played over the wire and without one, by turns. Both count from the first observation to the last step, with the logs
 * closed, and both answer WAIT at once: in this process, or in the one that plays the worlds.
 */
async function lockstepRatio(folder: string, { worlds, turns }: ServedAmounts): Promise<string> {
  const scenario = hall(2, turns, '');
  const [served, local]: [Speed[], Speed[]] = [[], []];
  for (let round = 0; round < LOCKSTEP_ROUNDS; round++) {
    local.push(await localSpeed(folder, scenario, worlds));
    served.push(await servedSpeed(folder, scenario, worlds));
  }
  const of = (speeds: readonly Speed[], what: keyof Speed): number => median(speeds.map((one) => one[what]));
  const row = (what: string, speeds: readonly Speed[]): readonly string[] => [
    what,
    of(speeds, 'rate').toFixed(0),
    of(speeds, 'cpuUs').toFixed(0),
  ];
  const ratio = of(served, 'rate') / of(local, 'rate');
  const work = of(local, 'cpuUs') / of(served, 'cpuUs');
  const rows = [row('over the wire', served), row('in one process', local)];
  const head = [`${worlds} worlds of two agents in lockstep`, 'steps a second', 'µs a step'];
  return `${table(head, rows)}\n\n${ratio.toFixed(2)} times as many steps a second; as many as ${work.toFixed(2)} times for the same processor time.`;
}

const LOCKSTEP_ROUNDS = 3;

async function servedSpeed(folder: string, scenario: string, worlds: number): Promise<Speed> {
  const pace = ['--pace', 'lockstep', '--wait', 'all', '--ttl', '60000', '--runs', String(worlds)];
  const server = await serve(folder, 'lockstep', scenario, pace);
  const connections = Array.from({ length: Math.ceil(worlds / 12) }, () => connectionTo(server.address));
  const [first] = connections;
  if (first === undefined) throw new Error('no connection');
  const runs = [await first.firstRun()];
  while (runs.length < worlds) runs.push(await first.createRun());
  const seats: { readonly connection: Connection; readonly lease: string }[] = [];
  for (const [i, run] of runs.entries())
    for (const entity of ['a0', 'a1']) {
      const connection = connections[i % connections.length] ?? first;
      const lease = await connection.acquireLease({ run, entity });
      seats.push({ connection, lease });
    }
  let steps = 0;
  const [began, before] = [performance.now(), processorMs(server)];
  await Promise.all(
    seats.map(({ connection, lease }) => waits(connection, lease, USUAL, () => (steps += 1))),
  );
  const seconds = (performance.now() - began) / 1000;
  const cpuUs = (1000 * (processorMs(server) - before)) / steps;
  await ended(server);
  return { rate: steps / seconds, cpuUs };
}

/** The same worlds, logs and observations, with a controller in the process that plays them. */
async function localSpeed(folder: string, scenario: string, worlds: number): Promise<Speed> {
  const file = join(folder, 'local.yaml');
  writeFileSync(file, scenario);
  const words = ['bench/local-worlds.mjs', file, String(worlds), folder];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (data: Buffer) => (said += data.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  return JSON.parse(said) as Speed;
}

/** What it takes to make the bytes of an observation. */
function encodingTimes(): string {
  const rows = [16, 270].map((bodies) => {
    const init = observationWith(bodies);
    const bytes = (): Uint8Array => toBinary(ObservationSchema, create(ObservationSchema, init));
    return [`${(bytes().length / 1024).toFixed(1)} KB of facts and offers`, cpuUsOf(bytes).toFixed(0)];
  });
  return table(['an observation as bytes', 'µs'], rows);
}

const ENCODED_TIMES = 1000;

/** Microseconds of processor time that one takes, once it is warm. */
function cpuUsOf(work: () => unknown): number {
  for (let i = 0; i < ENCODED_TIMES; i++) work();
  const before = process.cpuUsage();
  for (let i = 0; i < ENCODED_TIMES; i++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / ENCODED_TIMES;
}

function observationWith(bodies: number): MessageInitShape<typeof ObservationSchema> {
  const position = { x: 3, y: 4 };
  const values = ['red key', 'blue key', 'oak door'];
  return {
    run: 'hall-1bd850fa',
    tick: 7n,
    entity: 'a0',
    offers: Array.from({ length: 12 }, (_, i) => ({
      action: `ACTION${i}`,
      choices: [{ slot: 'item', values }],
    })),
    facts: {
      self: { position, room: 'hall', carryMax: 3 },
      window: { origin: position, rows: Array.from({ length: 13 }, () => '.'.repeat(13)) },
      bodies: Array.from({ length: bodies }, (_, i) => {
        return {
          entity: `a${i}`,
          name: `Knight ${i}`,
          type: 'knight',
          position,
          status: 'idle',
          distance: i,
          facing: 4,
        };
      }),
    },
  };
}
