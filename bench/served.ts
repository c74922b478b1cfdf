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
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import {
  LeaseService,
  Part,
  PlayService,
  WorldService,
} from '../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { median, table } from './figures.js';

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

const USUAL = [Part.FACTS, Part.OFFERS, Part.EVENTS];
const WITH_PICTURES = [...USUAL, Part.TEXT, Part.FRAME];
/** A connection has 64 streams, and each entity needs two. */
const ENTITIES_A_CONNECTION = 24;

export async function servedReport(amounts: ServedAmounts): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'orchestrate-bench-'));
  try {
    const { ticks } = amounts;
    const pictures = await crowd(folder, { agents: 64, ticks, parts: WITH_PICTURES });
    const facts = await crowd(folder, { agents: 256, ticks, parts: USUAL });
    const rows = [
      crowdRow('64 agents, with pictures and text', 64, pictures),
      crowdRow('256 agents, facts and offers', 256, facts),
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
    return `${table(head, rows)}\n\nAn idle world: ${(100 * idle).toFixed(2)} % of a core.\n\n${lockstep}\n`;
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

function connectionTo(address: string) {
  const transport = createGrpcTransport({ baseUrl: `http://${address}` });
  return {
    worlds: createClient(WorldService, transport),
    leases: createClient(LeaseService, transport),
    play: createClient(PlayService, transport),
  };
}
type Connection = ReturnType<typeof connectionTo>;

interface Played {
  readonly tick: number;
  readonly at: number;
  readonly accepted: boolean;
  readonly bytes: number;
}

/** Plays an entity to the end of its run, and tells each tick. */
async function waits(
  { leases, play }: Connection,
  run: string,
  entity: string,
  parts: readonly Part[],
  told: (one: Played) => void,
) {
  const { lease } = await leases.acquireLease({ run, entity, controller: 'bench' });
  for await (const seen of play.streamObservations({ lease, parts: [...parts] })) {
    if (seen.isFinal) return;
    if (seen.tick === 0n) continue;
    const at = performance.now();
    const { tick, attempt, frame } = seen;
    const wish = { lease, tick, attempt, intent: { case: 'wait' as const, value: {} } };
    // A server that has ended its run and gone took nothing.
    const ack = await play.submitIntent(wish).catch(() => null);
    told({ tick: Number(tick), at, accepted: ack?.accepted === true, bytes: frame?.png.length ?? 0 });
    if (ack === null) return;
  }
}

interface CrowdPlan {
  readonly agents: number;
  readonly ticks: number;
  readonly parts: readonly Part[];
}

/** The first tick is cold and not counted. */
async function crowd(folder: string, { agents, ticks, parts }: CrowdPlan): Promise<Crowd> {
  const render = parts.includes(Part.FRAME) ? '' : 'render: { channel: text }';
  const scenario = hall(agents, ticks + 1, render);
  const server = await serve(folder, `hall-${agents}`, scenario, ['--pace', 'clock', '--wait', 'all']);
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
  const playing = entities.map((entity, i) =>
    waits(connections[i % count] ?? connectionTo(server.address), '', entity, parts, told),
  );
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

/** Worlds of two agents at once, played over the wire and without one, by turns. */
async function lockstepRatio(folder: string, { worlds, turns }: ServedAmounts): Promise<string> {
  const scenario = hall(2, turns, '');
  const [served, local]: [number[], number[]] = [[], []];
  for (let round = 0; round < LOCKSTEP_ROUNDS; round++) {
    local.push(await localRate(folder, scenario, worlds));
    served.push(await servedRate(folder, scenario, worlds));
  }
  const [ours, bare] = [median(served), median(local)];
  return (
    `${worlds} worlds of two agents in lockstep: ${Math.round(ours)} steps a second over the wire, ` +
    `${Math.round(bare)} in one process without it: ${(ours / bare).toFixed(2)} ×`
  );
}

const LOCKSTEP_ROUNDS = 3;

async function servedRate(folder: string, scenario: string, worlds: number): Promise<number> {
  const pace = ['--pace', 'lockstep', '--wait', 'all', '--runs', String(worlds)];
  const server = await serve(folder, 'lockstep', scenario, pace);
  const connections = Array.from({ length: Math.ceil(worlds / 12) }, () => connectionTo(server.address));
  const [first] = connections;
  if (first === undefined) throw new Error('no connection');
  const runs = [(await first.worlds.getWorld({})).run];
  while (runs.length < worlds) runs.push((await first.worlds.createRun({})).run);
  let steps = 0;
  const began = performance.now();
  await Promise.all(
    runs.flatMap((run, i) =>
      ['a0', 'a1'].map((entity) =>
        waits(connections[i % connections.length] ?? first, run, entity, USUAL, () => (steps += 1)),
      ),
    ),
  );
  const seconds = (performance.now() - began) / 1000;
  await ended(server);
  return steps / seconds;
}

/** The same worlds, logs and observations, with a controller in the process that plays them. */
async function localRate(folder: string, scenario: string, worlds: number): Promise<number> {
  const file = join(folder, 'local.yaml');
  writeFileSync(file, scenario);
  const words = ['bench/local-worlds.mjs', file, String(worlds), folder];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (data: Buffer) => (said += data.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  return Number(said);
}
