/**
 * The client side of the API, for this program's own agents: it takes a lease and keeps it alive, reads
 * observations and sends intents. A client in any language needs only the API; this one uses nothing else.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, Code, ConnectError } from '@connectrpc/connect';
import type { Client } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { durationMs } from '@bufbuild/protobuf/wkt';
import { UsageError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { unlessAborted } from '../../model/abort.js';
import { withCloseReason, connectionFailure } from './connection-failures.js';
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

/** The settings of a TLS connection. */
export interface ClientCertificates {
  /** The trusted authorities (PEM); null: those that the system trusts. */
  ca: Buffer | null;
  /** For a server that requires one (PEM). */
  own: { cert: Buffer; key: Buffer } | null;
}

export interface WorldAddress {
  /** `HOST:PORT`, or a URL. */
  address: string;
  /** The token that identifies the client; null if the server requires none. */
  token: string | null;
  /** Null: TLS only if the address requires it, with the system's certificates. */
  certificates?: ClientCertificates | null;
  /** How long the server may owe an answer, a stream's first message or a pong; PATIENCE_MS by default. */
  patienceMs?: number;
}

export interface LeaseWish {
  /** Empty: the only run, or the newest. */
  run: string;
  entity: string;
  /** The controller's name. */
  controller: string;
}

/** The answer to an observation. */
export type IntentInit = SubmitIntentRequest['intent'];

/** The URL of a served world's port. */
export function worldUrl({ address, certificates = null }: WorldAddress): string {
  const scheme = certificates === null ? 'http' : 'https';
  return /^https?:\/\//.test(address) ? address : `${scheme}://${address}`;
}

export class WorldClient {
  readonly #worlds: Client<typeof WorldService>;
  readonly #leases: Client<typeof LeaseService>;
  readonly #play: Client<typeof PlayService>;
  readonly #patienceMs: number;

  constructor({ address, token, certificates = null, patienceMs = PATIENCE_MS }: WorldAddress) {
    this.#patienceMs = patienceMs;
    const transport = createGrpcTransport({
      // A server that is stopped, or whose machine is gone, closes nothing: it is noticed by its silence.
      pingIntervalMs: patienceMs / 2,
      pingTimeoutMs: patienceMs,
      pingIdleConnection: true,
      readMaxBytes: LIMITS.servedMessageBytes,
      baseUrl: worldUrl({ address, token, certificates }),
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
    return withUsageErrors(() =>
      this.#call(signal, (callSignal) => this.#worlds.getWorld({ run }, { signal: callSignal })),
    );
  }

  async listEntities(run: string, signal: AbortSignal): Promise<readonly Entity[]> {
    const { entities } = await withUsageErrors(() =>
      this.#call(signal, (callSignal) =>
        this.#worlds.listEntities({ run, pageSize: 1000 }, { signal: callSignal }),
      ),
    );
    return entities;
  }

  /** First every entity of a run, then each that changed; ends with the run. */
  entities(run: string, signal: AbortSignal): AsyncIterable<EntityEvent> {
    return this.#stream(signal, (callSignal) => this.#worlds.watchEntities({ run }, { signal: callSignal }));
  }

  /** Waits while someone else holds the entity. Throws UsageError if it can't be leased. */
  async acquire(request: LeaseWish, signal: AbortSignal): Promise<Lease> {
    for (;;) {
      try {
        return await this.#call(signal, (callSignal) =>
          this.#leases.acquireLease({ ...request }, { signal: callSignal }),
        );
      } catch (error) {
        if (reasonOf(error) !== 'LEASE_HELD') throw usageError(error);
        await wait(retryMs(error), undefined, { signal });
      }
    }
  }

  /**
   * Renews the lease until the signal is aborted; calls back once if the lease has ended. A renewal without
   * an answer ends nothing: the next one may get through, and a server that closes refuses it before the
   * agent has read how the run ended. After a pause of this process, the lease may have expired: this is
   * noticed before anything is sent in its name.
   */
  keepAlive({ lease, ttl }: Lease, onEnded: (error: unknown) => void, signal: AbortSignal): void {
    const ttlMs = ttl === undefined ? 0 : durationMs(ttl);
    const period = withinRenewal(ttlMs / 3);
    const renew = async (): Promise<void> => {
      while (!signal.aborted) {
        const begun = performance.now();
        await wait(period, undefined, { signal });
        if (performance.now() - begun > Math.max(ttlMs, 2 * period)) throw new LeaseExpired();
        await this.#call(signal, (callSignal) =>
          this.#leases.renewLease({ lease }, { signal: callSignal }),
        ).catch((error: unknown) => {
          if (isAnswer(error)) throw error;
        });
      }
    };
    renew().catch((error: unknown) => {
      if (!signal.aborted) onEnded(usageError(error));
    });
  }

  async release({ lease }: Lease): Promise<void> {
    await this.#leases.releaseLease({ lease }, { timeoutMs: RELEASE_MS });
  }

  observations({ lease }: Lease, parts: readonly Part[], signal: AbortSignal): AsyncIterable<Observation> {
    return this.#stream(signal, (callSignal) =>
      this.#play.streamObservations({ lease, parts: [...parts] }, { signal: callSignal }),
    );
  }

  /** `target`: the tick and attempt that the intent answers. */
  submit(
    { lease, entity, epoch }: Lease,
    target: Pick<Observation, 'tick' | 'attempt'> & { basedOnTick: bigint },
    { intent, requestId }: { intent: IntentInit; requestId: string },
    signal: AbortSignal,
  ): Promise<IntentAck> {
    const { tick, attempt, basedOnTick } = target;
    const request = { lease, entity, epoch, tick, attempt, basedOnTick, requestId, intent };
    // The acknowledgement comes when the tick is settled: how long that takes is the world's to say.
    return this.#call(signal, (callSignal) => this.#play.submitIntent(request, { signal: callSignal }), null);
  }

  /**
   * A call whose server has a limited time to answer; null: no limit. The wait ends with the signal even if the
   * library never settles, as after an answer that no server should send.
   */
  async #call<T>(
    signal: AbortSignal,
    call: (callSignal: AbortSignal) => Promise<T>,
    limitMs: number | null = this.#patienceMs,
  ): Promise<T> {
    const { callSignal, release, stop } = signalForCall(signal);
    const timer = limitMs === null ? undefined : setTimeout(() => stop(silence(limitMs)), limitMs);
    try {
      return await unlessAborted(call(callSignal), callSignal);
    } catch (error) {
      throw withCloseReason(error, signal);
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  /** Each stream of this API begins with a message at once; later ones may take any time. */
  async *#stream<T>(
    signal: AbortSignal,
    call: (callSignal: AbortSignal) => AsyncIterable<T>,
  ): AsyncGenerator<T, void, undefined> {
    const { callSignal, release, stop } = signalForCall(signal);
    const timer = setTimeout(() => stop(silence(this.#patienceMs)), this.#patienceMs);
    try {
      const messages = call(callSignal)[Symbol.asyncIterator]();
      for (;;) {
        const next = await unlessAborted(messages.next(), callSignal);
        clearTimeout(timer);
        if (next.done === true) return;
        yield next.value;
      }
    } catch (error) {
      throw withCloseReason(error, signal);
    } finally {
      clearTimeout(timer);
      release();
    }
  }
}

/** The lease can't be valid any more, by this process's own clock. */
export class LeaseExpired extends Error {
  override readonly name = 'LeaseExpired';
}

/** Whether the entity may be acquired again: its lease ended because it was not renewed in time. */
export function isLeaseExpired(error: unknown): boolean {
  return error instanceof LeaseExpired || reasonOf(refusalOf(error)) === 'LEASE_EXPIRED';
}

const MIN_RENEWAL_MS = 100;
/** A third of the longest time that a lease may last; a longer one comes from no server of this program. */
const MAX_RENEWAL_MS = 20_000;

function withinRenewal(ms: number): number {
  return Math.min(Math.max(MIN_RENEWAL_MS, ms), MAX_RENEWAL_MS);
}

const PATIENCE_MS = 20_000;
const RELEASE_MS = 2000;

/**
 * A signal for one call, and a function that releases it. The library listens to a call's signal until the
 * call is over, and a stream that is not read to its end is never over: on a signal that lives as long as the
 * client, listeners would accumulate, and the server would continue to send.
 */
function signalForCall(signal: AbortSignal): {
  callSignal: AbortSignal;
  release: () => void;
  stop: (reason: unknown) => void;
} {
  const call = new AbortController();
  const stop = (reason: unknown): void => call.abort(reason);
  const stopWithClient = (): void => stop(signal.reason);
  signal.addEventListener('abort', stopWithClient, { once: true });
  if (signal.aborted) stopWithClient();
  const release = (): void => {
    signal.removeEventListener('abort', stopWithClient);
    call.abort();
  };
  return { callSignal: call.signal, release, stop };
}

function silence(ms: number): ConnectError {
  return new ConnectError(`it did not answer within ${ms / 1000} s`, Code.Unavailable);
}

/** The reason of a refusal; null if it is not one of this API. */
export function reasonOf(error: unknown): string | null {
  if (!(error instanceof ConnectError)) return null;
  return error.findDetails(ErrorInfoSchema)[0]?.reason ?? null;
}

/** Whether the server decided about the request; false if it may be sent again. */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof ConnectError)) return true;
  return reasonOf(error) !== null && ![Code.Unavailable, Code.ResourceExhausted].includes(error.code);
}

function retryMs(error: unknown): number {
  const delay = error instanceof ConnectError ? error.findDetails(RetryInfoSchema)[0]?.retryDelay : undefined;
  return delay === undefined ? 1000 : withinRenewal(durationMs(delay));
}

async function withUsageErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw usageError(error);
  }
}

/** What the user can do about a refusal, in terms of a command's options or a file's keys. */
export interface RefusalHints {
  unreachable: string;
  /** For a connection that the TLS settings of one side prevent. */
  secured: string;
  tokenMissing: string;
}

const OPTION_HINTS: RefusalHints = {
  unreachable: 'start one with orchestrate serve SCENARIO and pass its address with --world',
  secured:
    'for a server with TLS, pass its CA certificate with --tls-ca; if the server requires client certificates, pass yours with --tls-cert and --tls-key',
  tokenMissing: 'set WORLD_TOKEN, or choose another variable with --token-env',
};

/** The message to the user about a refusal, also if it already has other hints. */
export function usageError(failure: unknown, hints: RefusalHints = OPTION_HINTS): unknown {
  const error = refusalOf(failure);
  if (!(error instanceof ConnectError)) return failure;
  if (error.code === Code.Canceled) return error;
  const reason = reasonOf(error);
  const fault = reason === null ? connectionFailure(error) : null;
  if (fault !== null)
    return new UsageError(
      `the served world can't be reached: ${fault.reason}`,
      fault.hints.map((hint) => hints[hint]),
      { cause: error },
    );
  const refusalHints =
    reason === 'TOKEN_MISSING' ? [hints.tokenMissing] : reason === 'TOKEN_UNKNOWN' ? [TOKEN_UNKNOWN] : [];
  return new UsageError(`the served world refused the request: ${error.rawMessage}`, refusalHints, {
    cause: error,
  });
}

/**
 * Whether the same request may succeed later: an unreachable server may come back, but a token stays invalid.
 */
export function mayRecover(error: unknown): boolean {
  const refusal = refusalOf(error);
  return !(refusal instanceof ConnectError) || !LASTING_CODES.includes(refusal.code);
}

function refusalOf(error: unknown): unknown {
  return error instanceof UsageError && error.cause !== undefined ? error.cause : error;
}

const LASTING_CODES: readonly Code[] = [
  Code.Unauthenticated,
  Code.PermissionDenied,
  Code.NotFound,
  Code.FailedPrecondition,
  Code.InvalidArgument,
  Code.Unimplemented,
];

const TOKEN_UNKNOWN = 'the server accepts only tokens whose SHA-256 is in its --tokens file';
