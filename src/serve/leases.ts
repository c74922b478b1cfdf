/**
 * Who controls which entity of one run, and for how long. A lease is exclusive, ends by itself after its time
 * to live, and has an epoch that increases with each lease of the entity and is never reused, so that a late
 * message of a former holder is refused (fencing). Control changes only between ticks: a lease that begins or
 * ends within a tick counts from the next one, so a tick never has intents of two holders. Time is passed in:
 * `now` in milliseconds of one monotonic clock.
 */
import { ServeError } from './serve-error.js';

/** One lease, as it was granted. */
export interface Lease {
  /** 128 random bits in hexadecimal; a request that contains them comes from the holder. */
  secret: string;
  entity: string;
  epoch: number;
  /** The first tick in which it may decide. */
  firstTick: number;
  ttlMs: number;
  /** The holder's own name. */
  controller: string;
  /** The holder's identity, from its token or certificate. */
  principal: string;
}

export type LeaseEnd = 'released' | 'expired' | 'superseded' | 'restarted';

/** Events of leases, in order: stored in the log, outside every hash. */
export interface LeaseEvent {
  entity: string;
  epoch: number;
  kind: 'granted' | LeaseEnd;
  controller: string;
  principal: string;
  /** The open tick or the next one. */
  tick: number;
}

export interface LeaseRequest {
  entity: string;
  controller: string;
  principal: string;
  ttlMs: number;
  /** Ends exactly this lease; 0: none. */
  supersedeEpoch: number;
  /** Empty: none. */
  requestId: string;
}

export interface LeasesOptions {
  /** The last finished tick of a continued run; 0 before the first. */
  tick?: number;
  /** Entities that may be controlled, each with its newest earlier epoch; 0 for none. */
  epochs: ReadonlyMap<string, number>;
  /** Makes a secret. */
  secret: () => string;
  /** Stores an event. A grant is answered only after this has returned. */
  storeEvent: (event: LeaseEvent) => void;
  /** Control of an entity has changed. */
  onChange?: (entity: string) => void;
}

interface ActiveLease {
  lease: Lease;
  expiresAt: number;
}

interface AnsweredRequest {
  content: string;
  secret: string;
}

export class Leases {
  readonly #options: LeasesOptions;
  readonly #epochs: Map<string, number>;
  /** By entity: its active lease. */
  readonly #active = new Map<string, ActiveLease>();
  readonly #bySecret = new Map<string, ActiveLease>();
  /** How leases ended, for holders that may still ask, newest last. */
  readonly #ended = new Map<string, LeaseEnd>();
  /** By entity: the holder in the open tick. */
  readonly #deciding = new Map<string, Lease>();
  readonly #requests = new Map<string, AnsweredRequest>();
  /**
   * No lease ends before this time; renewing only postpones it. Every call checks it, so that few calls
   * search all leases.
   */
  #noExpiryBefore = Infinity;
  #tick = 0;
  #isOpen = false;

  constructor(options: LeasesOptions) {
    this.#options = options;
    this.#epochs = new Map(options.epochs);
    this.#tick = options.tick ?? 0;
  }

  /** The open tick, or the next one. */
  get nextTick(): number {
    return this.#isOpen ? this.#tick : this.#tick + 1;
  }

  /** A tick begins: only the current holder of a lease decides in it. */
  openTick(tick: number, now: number): void {
    this.expire(now);
    this.#tick = tick;
    this.#isOpen = true;
    this.#deciding.clear();
    for (const { lease } of this.#active.values()) this.#deciding.set(lease.entity, lease);
  }

  closeTick(): void {
    this.#isOpen = false;
  }

  /** The holder that decides for the entity in the open tick; null for none. */
  decidingLease(entity: string): Lease | null {
    return this.#deciding.get(entity) ?? null;
  }

  /** The lease that holds the entity now, whether or not it may already decide; null for none. */
  currentLease(entity: string): Lease | null {
    return this.#active.get(entity)?.lease ?? null;
  }

  /** The newest epoch of the entity; 0 before the first lease. */
  epoch(entity: string): number {
    return this.#epochs.get(entity) ?? 0;
  }

  /** Whether this secret was ever issued here. */
  knows(secret: string): boolean {
    return this.#bySecret.has(secret) || this.#ended.has(secret);
  }

  /** The number of these entities that are held now. */
  countHeld(entities: readonly string[]): number {
    return entities.filter((entity) => this.#active.has(entity)).length;
  }

  /** When the lease ends unless it is renewed; null if it has ended. */
  expiresAt({ secret }: Lease): number | null {
    return this.#bySecret.get(secret)?.expiresAt ?? null;
  }

  /** Milliseconds until the lease ends unless it is renewed. */
  timeToLive(lease: Lease, now: number): number {
    return Math.max(0, (this.expiresAt(lease) ?? now) - now);
  }

  /** When the next lease ends unless it is renewed; Infinity if there is none. */
  get nextExpiry(): number {
    return Math.min(Infinity, ...[...this.#active.values()].map(({ expiresAt }) => expiresAt));
  }

  acquire(request: LeaseRequest, now: number): Lease {
    this.expire(now);
    const { entity, controller, principal, ttlMs, supersedeEpoch } = request;
    const previousEpoch = this.#epochs.get(entity);
    if (previousEpoch === undefined) throw this.unknownEntity(entity);
    const answered = this.#answered(request);
    if (answered !== null) return answered;
    const active = this.#active.get(entity);
    this.#requireSuperseded(entity, active, supersedeEpoch, now);
    const epoch = previousEpoch + 1;
    // A new holder never decides in a tick that has already begun.
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
    if (active !== undefined) this.#end(active, 'superseded');
    this.#options.storeEvent(this.#event(lease, 'granted'));
    this.#epochs.set(entity, epoch);
    const granted = { lease, expiresAt: now + ttlMs };
    this.#active.set(entity, granted);
    this.#noExpiryBefore = Math.min(this.#noExpiryBefore, granted.expiresAt);
    this.#bySecret.set(lease.secret, granted);
    this.#remember(request, lease);
    this.#options.onChange?.(entity);
    return lease;
  }

  renew(secret: string, now: number): Lease {
    const active = this.#require(secret, now);
    active.expiresAt = now + active.lease.ttlMs;
    return active.lease;
  }

  release(secret: string, now: number): void {
    this.#end(this.#require(secret, now), 'released');
  }

  /** The lease with this secret; throws if there is none or it has ended. */
  require(secret: string, now: number): Lease {
    return this.#require(secret, now).lease;
  }

  /** Ends every expired lease. */
  expire(now: number): void {
    if (now < this.#noExpiryBefore) return;
    for (const active of this.#active.values()) if (now >= active.expiresAt) this.#end(active, 'expired');
    this.#noExpiryBefore = this.nextExpiry;
  }

  #require(secret: string, now: number): ActiveLease {
    this.expire(now);
    const active = this.#bySecret.get(secret);
    if (active !== undefined) return active;
    if (this.#ended.get(secret) === 'superseded')
      throw new ServeError('LEASE_SUPERSEDED', 'another controller has taken over this entity');
    throw new ServeError('LEASE_EXPIRED', 'the lease has ended: acquire another one');
  }

  unknownEntity(entity: string): ServeError {
    const names = [...this.#epochs.keys()];
    const ellipsis = names.length > LISTED_ENTITIES ? ', …' : '';
    return new ServeError(
      'ENTITY_NOT_FOUND',
      `there is no entity "${entity}"; the entities are ${names.slice(0, LISTED_ENTITIES).join(', ')}${ellipsis}`,
    );
  }

  #requireSuperseded(
    entity: string,
    active: ActiveLease | undefined,
    supersedeEpoch: number,
    now: number,
  ): void {
    if (supersedeEpoch === (active?.lease.epoch ?? this.epoch(entity))) return;
    if (supersedeEpoch !== 0) {
      const changed =
        active === undefined
          ? `which is not the epoch of the newest lease of "${entity}"`
          : `but "${entity}" is held by the lease with epoch ${active.lease.epoch}`;
      throw new ServeError('EPOCH_CHANGED', `supersede_epoch is ${supersedeEpoch}, ${changed}`);
    }
    if (active === undefined) return;
    const message = `"${entity}" is held by ${active.lease.controller}`;
    throw new ServeError('LEASE_HELD', message, Math.max(1, active.expiresAt - now));
  }

  #end(active: ActiveLease, kind: LeaseEnd): void {
    const { lease } = active;
    this.#options.storeEvent(this.#event(lease, kind));
    this.#active.delete(lease.entity);
    this.#bySecret.delete(lease.secret);
    this.#ended.set(lease.secret, kind);
    forgetOldest(this.#ended, REMEMBERED);
    this.#options.onChange?.(lease.entity);
  }

  #event({ entity, epoch, controller, principal }: Lease, kind: LeaseEvent['kind']): LeaseEvent {
    return { entity, epoch, kind, controller, principal, tick: this.nextTick };
  }

  /** A request that is repeated because its answer was lost gets the same answer. */
  #answered(request: LeaseRequest): Lease | null {
    const answered = this.#requests.get(request.requestId);
    if (request.requestId === '' || answered === undefined) return null;
    if (answered.content !== contentOf(request))
      throw new ServeError('REQUEST_ID_REUSED', 'the request id was already used with different content');
    const held = this.#bySecret.get(answered.secret);
    if (held !== undefined) return held.lease;
    throw new ServeError(
      'LEASE_EXPIRED',
      'the lease that this request_id acquired has ended: acquire another one with a new request_id',
    );
  }

  #remember(request: LeaseRequest, { secret }: Lease): void {
    if (request.requestId === '') return;
    this.#requests.set(request.requestId, { content: contentOf(request), secret });
    forgetOldest(this.#requests, REMEMBERED);
  }
}

/** The number of entities that a message lists. */
const LISTED_ENTITIES = 16;

/**
 * The number of ended leases and answered requests that are remembered: more than any honest client asks
 * about again.
 */
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
