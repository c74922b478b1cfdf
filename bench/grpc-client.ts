/**
 * The client of the bench of served worlds: grpc-js, which takes half the processor time of Connect's client for a call, and shares the machine with
 * the server that is measured. It decodes every message whole, as any client does.
 */
import grpc from '@grpc/grpc-js';
import type { ServiceClientConstructor } from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';

/** What the bench reads of an observation. */
export interface SeenObservation {
  readonly tick: string;
  readonly attempt: number;
  readonly isFinal: boolean;
  readonly frame: { readonly png: Uint8Array } | null;
}

export interface Connection {
  /** The id of the world's first run. */
  firstRun(): Promise<string>;
  createRun(): Promise<string>;
  acquireLease(request: { readonly run?: string; readonly entity: string }): Promise<string>;
  observations(lease: string, parts: readonly string[]): AsyncIterable<SeenObservation>;
  /** Whether the server accepted it; null where it has ended its run and gone. */
  waits(lease: string, seen: SeenObservation): Promise<boolean | null>;
}

interface Answers {
  readonly run?: string;
  readonly lease?: string;
  readonly accepted?: boolean;
}

type Call = (
  request: object,
  done: (error: Error | null, answer: Answers) => void,
) => AsyncIterable<SeenObservation>;
type Client = Readonly<Record<string, Call>>;

const FILE = 'orchestrate/world/v1/world.proto';
/** Otherwise all clients of an address share one connection. */
const OWN_CONNECTION = { 'grpc.use_local_subchannel_pool': 1 };

export function connectionTo(address: string): Connection {
  const worlds = clientOf('WorldService', address);
  const leases = clientOf('LeaseService', address);
  const play = clientOf('PlayService', address);
  return {
    firstRun: async () => (await answer(worlds, 'GetWorld', {})).run ?? '',
    createRun: async () => (await answer(worlds, 'CreateRun', {})).run ?? '',
    acquireLease: async (request) =>
      (await answer(leases, 'AcquireLease', { ...request, controller: 'bench' })).lease ?? '',
    observations: (lease, parts) => method(play, 'StreamObservations')({ lease, parts }, () => undefined),
    waits: (lease, { tick, attempt }) =>
      answer(play, 'SubmitIntent', { lease, tick, attempt, wait: {} }).then(
        ({ accepted }) => accepted === true,
        () => null,
      ),
  };
}

function clientOf(service: string, address: string): Client {
  const options = { includeDirs: ['proto'], longs: String, enums: String, defaults: true };
  const known = grpc.loadPackageDefinition(loader.loadSync(FILE, options)) as unknown as {
    readonly orchestrate: {
      readonly world: { readonly v1: Readonly<Record<string, ServiceClientConstructor>> };
    };
  };
  const Service = known.orchestrate.world.v1[service];
  if (Service === undefined) throw new Error(`no service ${service}`);
  return new Service(address, grpc.credentials.createInsecure(), OWN_CONNECTION) as unknown as Client;
}

function method(client: Client, name: string): Call {
  const call = client[name];
  if (call === undefined) throw new Error(`no method ${name}`);
  return call.bind(client);
}

function answer(client: Client, name: string, request: object): Promise<Answers> {
  return new Promise((resolve, reject) => {
    method(client, name)(request, (error, found) => (error === null ? resolve(found) : reject(error)));
  });
}
