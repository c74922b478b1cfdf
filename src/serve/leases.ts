/**
 * Who controls which entity of one run, and for how long. A lease is exclusive, ends by itself after its time to live, and has an epoch
 * that grows with each lease of the entity and never repeats, so that a late message of a former holder is refused (fencing).
 * Control changes hands only between ticks: what begins or ends within a tick counts from the next one, so one tick never holds intents
 * of two holders. Time is handed in: `now` in milliseconds of one monotonic clock.
 */
import { ServeError } from './serve-error.js';

/** One lease, as it was granted. */
export interface Lease {
  /** 128 random bits in hexadecimal: whoever has them holds the lease. */
  readonly secret: string;
  readonly entity: string;
  readonly epoch: number;
  /** The first tick that it may decide. */
  readonly firstTick: number;
  readonly ttlMs: number;
  /** The holder's own name for itself. */
  readonly controller: string;
  /** The holder's identity, from its token or certificate. */
  readonly principal: string;
}

export type LeaseEnd = 'released' | 'expired' | 'superseded' | 'restarted';

/** What happens to leases, in order: kept in the log, outside every hash. */
export interface LeaseEvent {
  readonly entity: string;
  readonly epoch: number;
  readonly kind: 'granted' | LeaseEnd;
  readonly controller: string;
  readonly principal: string;
  /** The tick that is open or comes next. */
  readonly tick: number;
}

export interface LeaseRequest {
  readonly entity: string;
  readonly controller: string;
  readonly principal: string;
  readonly ttlMs: number;
  /** Ends exactly this lease; 0: none. */
  readonly supersedeEpoch: number;
  /** Empty: none. */
  readonly requestId: string;
}

export interface LeasesOptions {
  /** The last tick that is over, in a run that goes on; 0 before the first. */
  readonly tick?: number;
  /** Entities that may be controlled, each with the newest epoch that it had before; 0 for none. */
  readonly epochs: ReadonlyMap<string, number>;
  /** Makes a secret. */
  readonly secret: () => string;
  /** Keeps an event. A grant is answered only after this has returned. */
  readonly keep: (event: LeaseEvent) => void;
  /** Control of an entity has changed. */
  readonly changed?: (entity: string) => void;
}

interface LiveLease {
  readonly lease: Lease;
  expiresAt: number;
}

interface AnsweredRequest {
  readonly content: string;
  readonly secret: string;
}

export class Leases {
  readonly #options: LeasesOptions;
  readonly #epochs: Map<string, number>;
  /** By entity: the lease that has not ended. */
  readonly #live = new Map<string, LiveLease>();
  readonly #bySecret = new Map<string, LiveLease>();
  /** How leases ended that a holder may still ask about, newest last. */
  readonly #ended = new Map<string, LeaseEnd>();
  /** By entity: who decides in the open tick. */
  readonly #seated = new Map<string, Lease>();
  readonly #requests = new Map<string, AnsweredRequest>();
  /** No lease ends before this: renewing only puts it off. Every call asks, so that few of them look through all leases. */
  #noneBefore = Infinity;
  #tick = 0;
  #isOpen = false;

  constructor(options: LeasesOptions) {
    this.#options = options;
    this.#epochs = new Map(options.epochs);
    this.#tick = options.tick ?? 0;
  }

  /** The tick that is open, or the next one. */
  get nextTick(): number {
    return this.#isOpen ? this.#tick : this.#tick + 1;
  }

  /** A tick begins: whoever holds a lease now decides in it, and nobody else. */
  openTick(tick: number, now: number): void {
    this.expire(now);
    this.#tick = tick;
    this.#isOpen = true;
    this.#seated.clear();
    for (const { lease } of this.#live.values()) this.#seated.set(lease.entity, lease);
  }

  closeTick(): void {
    this.#isOpen = false;
  }

  /** Who decides for the entity in the open tick; null for nobody. */
  seated(entity: string): Lease | null {
    return this.#seated.get(entity) ?? null;
  }

  /** The lease that holds the entity now, whether or not it may decide yet; null for none. */
  held(entity: string): Lease | null {
    return this.#live.get(entity)?.lease ?? null;
  }

  /** The newest epoch of the entity; 0 before the first lease. */
  epoch(entity: string): number {
    return this.#epochs.get(entity) ?? 0;
  }

  /** Whether the secret was ever given out here. */
  knows(secret: string): boolean {
    return this.#bySecret.has(secret) || this.#ended.has(secret);
  }

  get heldCount(): number {
    return this.#live.size;
  }

  /** When the lease ends if nothing renews it; null if it has ended. */
  expiresAt({ secret }: Lease): number | null {
    return this.#bySecret.get(secret)?.expiresAt ?? null;
  }

  /** When the next lease ends if nothing renews it; Infinity where none is held. */
  get nextExpiry(): number {
    return Math.min(Infinity, ...[...this.#live.values()].map(({ expiresAt }) => expiresAt));
  }

  acquire(request: LeaseRequest, now: number): Lease {
    this.expire(now);
    const { entity, controller, principal, ttlMs, supersedeEpoch } = request;
    const before = this.#epochs.get(entity);
    if (before === undefined) throw new ServeError('ENTITY_NOT_FOUND', this.#unknown(entity));
    const answered = this.#answered(request);
    if (answered !== null) return answered;
    const live = this.#live.get(entity);
    this.#requireSuperseded(entity, live, supersedeEpoch, now);
    const epoch = before + 1;
    // A new holder never decides in a tick that has begun.
    const firstTick = this.#tick + 1;
    const lease = {
      secret: this.#options.secret(),
      entity,
      epoch,
      firstTick,
      ttlMs,
      controller,
      principal,
    };
    if (live !== undefined) this.#end(live, 'superseded');
    this.#options.keep(this.#event(lease, 'granted'));
    this.#epochs.set(entity, epoch);
    const granted = { lease, expiresAt: now + ttlMs };
    this.#live.set(entity, granted);
    this.#noneBefore = Math.min(this.#noneBefore, granted.expiresAt);
    this.#bySecret.set(lease.secret, granted);
    this.#remember(request, lease);
    this.#options.changed?.(entity);
    return lease;
  }

  renew(secret: string, now: number): Lease {
    const live = this.#require(secret, now);
    live.expiresAt = now + live.lease.ttlMs;
    return live.lease;
  }

  release(secret: string, now: number): void {
    this.#end(this.#require(secret, now), 'released');
  }

  /** The lease of the secret; throws if there is none or it has ended. */
  require(secret: string, now: number): Lease {
    return this.#require(secret, now).lease;
  }

  /** Ends every lease whose time is over. */
  expire(now: number): void {
    if (now < this.#noneBefore) return;
    for (const live of this.#live.values()) if (now >= live.expiresAt) this.#end(live, 'expired');
    this.#noneBefore = this.nextExpiry;
  }

  #require(secret: string, now: number): LiveLease {
    this.expire(now);
    const live = this.#bySecret.get(secret);
    if (live !== undefined) return live;
    if (this.#ended.get(secret) === 'superseded')
      throw new ServeError('LEASE_SUPERSEDED', 'another controller has taken over this entity');
    throw new ServeError('LEASE_EXPIRED', 'the lease has ended: acquire another one');
  }

  #unknown(entity: string): string {
    const known = [...this.#epochs.keys()];
    const more = known.length > NAMED ? ', …' : '';
    return `there is no entity "${entity}"; there are ${known.slice(0, NAMED).join(', ')}${more}`;
  }

  #requireSuperseded(entity: string, live: LiveLease | undefined, supersedeEpoch: number, now: number): void {
    if (live === undefined) {
      if (supersedeEpoch === 0 || supersedeEpoch === this.epoch(entity)) return;
      throw new ServeError(
        'EPOCH_CHANGED',
        `${supersedeEpoch} is not the epoch of the newest lease of "${entity}"`,
      );
    }
    if (supersedeEpoch === live.lease.epoch) return;
    if (supersedeEpoch !== 0)
      throw new ServeError('EPOCH_CHANGED', `"${entity}" is held by lease ${live.lease.epoch}`);
    const words = `"${entity}" is held by ${live.lease.controller}`;
    throw new ServeError('LEASE_HELD', words, Math.max(1, live.expiresAt - now));
  }

  #end(live: LiveLease, kind: LeaseEnd): void {
    const { lease } = live;
    this.#options.keep(this.#event(lease, kind));
    this.#live.delete(lease.entity);
    this.#bySecret.delete(lease.secret);
    this.#ended.set(lease.secret, kind);
    forgetOldest(this.#ended, REMEMBERED);
    this.#options.changed?.(lease.entity);
  }

  #event({ entity, epoch, controller, principal }: Lease, kind: LeaseEvent['kind']): LeaseEvent {
    return { entity, epoch, kind, controller, principal, tick: this.nextTick };
  }

  /** A request that is made again, since its answer was lost, gets the same answer. */
  #answered(request: LeaseRequest): Lease | null {
    const answered = this.#requests.get(request.requestId);
    if (request.requestId === '' || answered === undefined) return null;
    if (answered.content !== contentOf(request))
      throw new ServeError('REQUEST_ID_REUSED', 'the request id was already used with different content');
    return this.#bySecret.get(answered.secret)?.lease ?? null;
  }

  #remember(request: LeaseRequest, { secret }: Lease): void {
    if (request.requestId === '') return;
    this.#requests.set(request.requestId, { content: contentOf(request), secret });
    forgetOldest(this.#requests, REMEMBERED);
  }
}

/** Entities that a message names. */
const NAMED = 16;

/** Ended leases and answered requests that are remembered: more than any honest client asks again about. */
const REMEMBERED = 4096;

function forgetOldest(map: Map<string, unknown>, limit: number): void {
  for (const key of map.keys()) {
    if (map.size <= limit) return;
    map.delete(key);
  }
}

function contentOf({ entity, controller, principal, ttlMs, supersedeEpoch }: LeaseRequest): string {
  return JSON.stringify([entity, controller, principal, ttlMs, supersedeEpoch]);
}
