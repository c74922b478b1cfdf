/**
 * The other side of the wire, for this program's own agents: takes a lease and keeps it alive, reads observations and sends intents. What any
 * client needs, in any language, is the API alone; nothing here knows more than it says.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, Code, ConnectError } from '@connectrpc/connect';
import type { Client } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { durationMs } from '@bufbuild/protobuf/wkt';
import { UsageError } from '../../base/errors.js';
import { lookUp } from '../../base/look-up.js';
import { ErrorInfoSchema, RetryInfoSchema } from '../gen/google/rpc/error_details_pb.js';
import { LeaseService, PlayService, WorldService } from '../gen/orchestrate/world/v1/world_pb.js';
import type {
  Entity,
  EntityEvent,
  IntentAck,
  Lease,
  Observation,
  Part,
  SubmitIntentRequest,
  World,
} from '../gen/orchestrate/world/v1/world_pb.js';

/** What makes a connection TLS. */
export interface ClientCertificates {
  /** Of whom to trust (PEM); null: whom the system trusts. */
  readonly ca: Buffer | null;
  /** For a server that asks for one (PEM). */
  readonly own: { readonly cert: Buffer; readonly key: Buffer } | null;
}

export interface WorldAddress {
  /** `HOST:PORT`, or a URL. */
  readonly address: string;
  /** What says who asks; null where the server wants none. */
  readonly token: string | null;
  /** Null: TLS only where the address says so, with the system's certificates. */
  readonly certificates?: ClientCertificates | null;
}

export interface LeaseWish {
  /** Empty: the only run, or the newest. */
  readonly run: string;
  readonly entity: string;
  /** What the controller calls itself. */
  readonly controller: string;
}

/** What an observation is answered with. */
export type IntentInit = SubmitIntentRequest['intent'];

export class WorldClient {
  readonly #worlds: Client<typeof WorldService>;
  readonly #leases: Client<typeof LeaseService>;
  readonly #play: Client<typeof PlayService>;

  constructor({ address, token, certificates = null }: WorldAddress) {
    const scheme = certificates === null ? 'http' : 'https';
    const transport = createGrpcTransport({
      baseUrl: /^https?:\/\//.test(address) ? address : `${scheme}://${address}`,
      nodeOptions:
        certificates === null
          ? {}
          : { ...(certificates.ca === null ? {} : { ca: certificates.ca }), ...certificates.own },
      interceptors:
        token === null
          ? []
          : [
              (next) => (request) => {
                request.header.set('authorization', `Bearer ${token}`);
                return next(request);
              },
            ],
    });
    this.#worlds = createClient(WorldService, transport);
    this.#leases = createClient(LeaseService, transport);
    this.#play = createClient(PlayService, transport);
  }

  world(run: string, signal: AbortSignal): Promise<World> {
    return heard(() => this.#worlds.getWorld({ run }, { signal }));
  }

  async listEntities(run: string): Promise<readonly Entity[]> {
    return (await heard(() => this.#worlds.listEntities({ run, pageSize: 1000 }))).entities;
  }

  /** Every entity of a run once, then each that changed; ends with the run. */
  entities(run: string, signal: AbortSignal): AsyncIterable<EntityEvent> {
    return this.#worlds.watchEntities({ run }, { signal });
  }

  /** Waits while somebody else holds the entity. Throws UsageError where it can't be had. */
  async acquire(wish: LeaseWish, signal: AbortSignal): Promise<Lease> {
    for (;;) {
      try {
        return await this.#leases.acquireLease({ ...wish }, { signal });
      } catch (error) {
        if (reasonOf(error) !== 'LEASE_HELD') throw usageError(error);
        await wait(retryMs(error), undefined, { signal });
      }
    }
  }

  /** Renews the lease until the signal is aborted; calls back once where it has ended. */
  keep({ lease, ttl }: Lease, ended: (error: unknown) => void, signal: AbortSignal): void {
    const period = Math.max(MIN_RENEWAL_MS, (ttl === undefined ? 0 : durationMs(ttl)) / 3);
    const renew = async (): Promise<void> => {
      while (!signal.aborted) {
        await wait(period, undefined, { signal });
        await this.#leases.renewLease({ lease }, { signal });
      }
    };
    renew().catch((error: unknown) => {
      if (!signal.aborted) ended(usageError(error));
    });
  }

  async release({ lease }: Lease): Promise<void> {
    await this.#leases.releaseLease({ lease });
  }

  observations({ lease }: Lease, parts: readonly Part[], signal: AbortSignal): AsyncIterable<Observation> {
    return this.#play.streamObservations({ lease, parts: [...parts] }, { signal });
  }

  /** `to`: what the intent answers, by tick and attempt. */
  submit(
    { lease, entity, epoch }: Lease,
    to: Pick<Observation, 'tick' | 'attempt'> & { readonly basedOnTick: bigint },
    { intent, requestId }: { readonly intent: IntentInit; readonly requestId: string },
    signal: AbortSignal,
  ): Promise<IntentAck> {
    const { tick, attempt, basedOnTick } = to;
    return this.#play.submitIntent(
      { lease, entity, epoch, tick, attempt, basedOnTick, requestId, intent },
      { signal },
    );
  }
}

const MIN_RENEWAL_MS = 100;

/** The reason of a refusal; null where it is none of this API. */
export function reasonOf(error: unknown): string | null {
  if (!(error instanceof ConnectError)) return null;
  return error.findDetails(ErrorInfoSchema)[0]?.reason ?? null;
}

function retryMs(error: unknown): number {
  const delay = error instanceof ConnectError ? error.findDetails(RetryInfoSchema)[0]?.retryDelay : undefined;
  return delay === undefined ? 1000 : Math.max(MIN_RENEWAL_MS, durationMs(delay));
}

async function heard<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw usageError(error);
  }
}

/** What the user is told of a refusal. */
export function usageError(error: unknown): unknown {
  if (!(error instanceof ConnectError)) return error;
  if (error.code === Code.Canceled) return error;
  if (error.code === Code.Unavailable && reasonOf(error) === null)
    return new UsageError(`the served world can't be reached: ${error.rawMessage}`, [
      'start one with orchestrate serve SCENARIO, and pass its address with --world',
    ]);
  const hint = lookUp(HINTS, reasonOf(error) ?? '');
  return new UsageError(`the served world refused: ${error.rawMessage}`, hint === undefined ? [] : [hint]);
}

/** What the user can do, by the reason of a refusal. */
const HINTS: Readonly<Record<string, string>> = {
  TOKEN_MISSING: "set WORLD_TOKEN, or name another variable with --token-env (token_env in a runner's file)",
  TOKEN_UNKNOWN: "the server's file --tokens has the SHA-256 of each token: printf %s TOKEN | sha256sum",
};
