/** A served world for a test, in this process on a real port: the scenario's text goes in, clients of every protocol can come. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createClient } from '@connectrpc/connect';
import type { Client, Transport } from '@connectrpc/connect';
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';
import { openScenario } from '../../src/assembly/open.js';
import { systemClock } from '../../src/model/dependencies.js';
import { scenarioFile } from '../../src/scenario/folder.js';
import type { ScenarioSource } from '../../src/scenario/folder.js';
import { Identity } from '../../src/serve/identity.js';
import type { KnownToken, TlsFiles } from '../../src/serve/identity.js';
import {
  LeaseService,
  PlayService,
  ViewerService,
  WorldService,
} from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { ApiPort } from '../../src/serve/port.js';
import type { MovedPage, ServedPage } from '../../src/serve/port.js';
import { openStore } from '../../src/serve/run-store.js';
import type { ServeClock } from '../../src/serve/clock.js';
import type { SchedulePace } from '../../src/serve/schedule.js';
import { ServedLogs } from '../../src/serve/served-logs.js';
import { ServedRun } from '../../src/serve/served-run.js';
import { ServedWorld } from '../../src/serve/served-world.js';
import { openMcpDoor } from '../../src/mcp/door.js';
import { MODULES } from '../../src/worlds/registry.js';

export const LOCKSTEP: SchedulePace = { kind: 'lockstep', periodMs: 0, windowMs: 30_000 };

export interface ServedOptions {
  pace?: SchedulePace;
  clock?: ServeClock;
  waitFor?: number;
  own?: readonly string[];
  ttlMs?: number;
  staleness?: number;
  tokens?: readonly KnownToken[];
  tls?: TlsFiles;
  set?: readonly string[];
  runs?: number;
  pages?: ReadonlyMap<string, ServedPage | MovedPage>;
  allowedHosts?: readonly string[];
  port?: number;
  lastWordsMs?: number;
}

export interface Served {
  run: ServedRun;
  world: ServedWorld;
  address: string;
  /** Of the first run. */
  log: string;
  /** Our own errors, which the port kept from ending the process. */
  faults: readonly unknown[];
  close(): Promise<void>;
}

export async function served(
  source: ScenarioSource,
  folder: string,
  options: ServedOptions = {},
): Promise<Served> {
  const {
    pace = LOCKSTEP,
    clock = systemClock,
    waitFor = 1,
    own = [],
    ttlMs = 10_000,
    staleness = 0,
    tokens,
    tls,
    set = [],
    runs = 1,
    pages = new Map<string, ServedPage | MovedPage>(),
    allowedHosts = [],
  } = options;
  const logs = new ServedLogs();
  const world = new ServedWorld({
    instance: 'test',
    limit: runs,
    open: async (request) => {
      const seed = request.seed === '' ? {} : { seed: request.seed };
      const opened = await openScenario(scenarioFile(source), {
        modules: MODULES,
        set: [...set, ...request.set],
        ...seed,
      });
      return new ServedRun({
        opened,
        pace,
        clock,
        waitFor,
        own,
        ttlMs,
        staleness,
        secret: () => randomBytes(16).toString('hex'),
        openStore: (record, how) =>
          openStore(record, {
            path: join(folder, `${record.runId}.sqlite`),
            environment: opened.environment,
            logs,
            now: () => Date.now(),
            ...how,
          }),
      });
    },
  });
  const run = await world.create({ scenario: '', seed: '', set: [], from: null });
  const identity = new Identity(tokens ?? null);
  const faults: unknown[] = [];
  const api = { world, identity, clock, ttlMs, onError: (error: unknown) => void faults.push(error) };
  const port = await ApiPort.open({
    host: '127.0.0.1',
    port: options.port ?? 0,
    tls: tls ?? null,
    ...api,
    mcp: openMcpDoor(api).answer,
    pages,
    allowedHosts,
    ...(options.lastWordsMs === undefined ? {} : { lastWordsMs: options.lastWordsMs }),
  });
  return {
    run,
    world,
    address: `${tls === undefined ? 'http' : 'https'}://${port.address}`,
    log: join(folder, `${run.record.runId}.sqlite`),
    faults,
    close: async () => {
      await world.close();
      await port.close();
    },
  };
}

export interface Clients {
  worlds: Client<typeof WorldService>;
  leases: Client<typeof LeaseService>;
  play: Client<typeof PlayService>;
  viewers: Client<typeof ViewerService>;
}

export type Wire = 'grpc' | 'grpc-web' | 'json';

export function clientsOf(baseUrl: string, wire: Wire = 'grpc', token?: string): Clients {
  const interceptors =
    token === undefined
      ? []
      : [
          (next: (request: never) => never) => (request: { header: Headers }) => {
            request.header.set('authorization', `Bearer ${token}`);
            return next(request as never);
          },
        ];
  const transport = transportOf(baseUrl, wire, interceptors as never);
  return {
    worlds: createClient(WorldService, transport),
    leases: createClient(LeaseService, transport),
    play: createClient(PlayService, transport),
    viewers: createClient(ViewerService, transport),
  };
}

function transportOf(baseUrl: string, wire: Wire, interceptors: []): Transport {
  if (wire === 'grpc') return createGrpcTransport({ baseUrl, interceptors });
  if (wire === 'grpc-web') return createGrpcWebTransport({ baseUrl, httpVersion: '1.1', interceptors });
  return createConnectTransport({ baseUrl, httpVersion: '1.1', useBinaryFormat: false, interceptors });
}
