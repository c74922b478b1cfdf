/** Leases: one holder at a time, epochs that never repeat, no intent of a former holder, whatever happens in whatever order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Leases } from '../../src/serve/leases.js';
import type { Lease, LeaseEvent, LeaseRequest } from '../../src/serve/leases.js';
import { ServeError } from '../../src/serve/serve-error.js';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';

const TTL = 10_000;

let made = 0;

function leasesOf(
  entities: readonly string[],
  storeEvent: (event: LeaseEvent) => void = () => undefined,
): Leases {
  return new Leases({
    epochs: new Map(entities.map((id) => [id, 0])),
    secret: () => `secret-${(made += 1)}`,
    storeEvent,
  });
}

function wish(entity: string, change: Partial<LeaseRequest> = {}): LeaseRequest {
  return {
    entity,
    controller: 'tester',
    principal: 'anybody',
    ttlMs: TTL,
    supersedeEpoch: 0,
    requestId: '',
    ...change,
  };
}

function reasonOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ServeError) return error.reason;
    throw error;
  }
  return 'none';
}

describe('a lease', () => {
  it('ends exactly after its time to live', () => {
    for (const [after, ends] of [
      [TTL - 1, 'none'],
      [TTL, 'LEASE_EXPIRED'],
      [TTL + 1, 'LEASE_EXPIRED'],
    ] as const) {
      const leases = leasesOf(['ann']);
      const { secret } = leases.acquire(wish('ann'), 0);
      expect(reasonOf(() => leases.require(secret, after))).toBe(ends);
      expect(reasonOf(() => leases.renew(secret, after))).toBe(ends);
    }
  });

  it('decides from the next tick on, and no longer than to the end of the one it ends in', () => {
    const leases = leasesOf(['ann']);
    leases.openTick(1, 0);
    const first = leases.acquire(wish('ann'), 10);
    expect(first.firstTick).toBe(2);
    expect(leases.decidingLease('ann')).toBeNull();
    leases.openTick(2, 20);
    expect(leases.decidingLease('ann')?.epoch).toBe(1);
    leases.release(first.secret, 30);
    const second = leases.acquire(wish('ann'), 40);
    expect(leases.decidingLease('ann')?.epoch).toBe(1);
    expect([second.epoch, second.firstTick]).toEqual([2, 3]);
    leases.openTick(3, 50);
    expect(leases.decidingLease('ann')?.epoch).toBe(2);
  });

  it('is granted once for a request that is made again, and refused for another of the same id', () => {
    const leases = leasesOf(['ann', 'bob']);
    const first = leases.acquire(wish('ann', { requestId: 'r' }), 0);
    expect(leases.acquire(wish('ann', { requestId: 'r' }), 5)).toEqual(first);
    for (const change of [
      { entity: 'bob' },
      { controller: 'another' },
      { principal: 'somebody' },
      { ttlMs: TTL + 1 },
      { supersedeEpoch: 1 },
    ])
      expect(
        reasonOf(() => leases.acquire(wish('ann', { requestId: 'r', ...change }), 5)),
        JSON.stringify(change),
      ).toBe('REQUEST_ID_REUSED');
    expect(leases.acquire(wish('bob', { requestId: 'other' }), 5).entity).toBe('bob');
    // Sent again after its lease has ended, it must not take the entity from whoever holds it next.
    leases.release(first.secret, 6);
    expect(reasonOf(() => leases.acquire(wish('ann', { requestId: 'r' }), 7))).toBe('LEASE_EXPIRED');
    expect(leases.epoch('ann')).toBe(first.epoch);
  });

  it('is taken over only by whoever names its epoch', () => {
    const leases = leasesOf(['ann']);
    const first = leases.acquire(wish('ann'), 0);
    expect(reasonOf(() => leases.acquire(wish('ann'), 1))).toBe('LEASE_HELD');
    expect(reasonOf(() => leases.acquire(wish('ann', { supersedeEpoch: 2 }), 1))).toBe('EPOCH_CHANGED');
    expect(leases.acquire(wish('ann', { supersedeEpoch: 1 }), 1).epoch).toBe(2);
    expect(reasonOf(() => leases.renew(first.secret, 2))).toBe('LEASE_SUPERSEDED');
    expect(reasonOf(() => leases.acquire(wish('ann', { supersedeEpoch: 1 }), 3))).toBe('EPOCH_CHANGED');
  });

  it('is kept before it is answered: where it can not be, it is not granted', () => {
    const leases = leasesOf(['ann'], () => {
      throw new Error('the disk is full');
    });
    expect(() => leases.acquire(wish('ann'), 0)).toThrow('the disk is full');
    expect(leases.currentLease('ann')).toBeNull();
    expect(leases.epoch('ann')).toBe(0);
  });

  it('of an unknown entity is refused', () => {
    expect(reasonOf(() => leasesOf(['ann']).acquire(wish('constructor'), 0))).toBe('ENTITY_NOT_FOUND');
  });
});

type Action =
  | { kind: 'acquire' | 'supersede'; who: number }
  | { kind: 'renew' | 'release' | 'intend'; who: number }
  | { kind: 'pass'; ms: number }
  | { kind: 'tick' }
  | { kind: 'restart' };

const who = fc.nat(2);
const ACTION: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('acquire' as const, 'supersede' as const), who }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('renew' as const, 'release' as const), who }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('intend' as const), who }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      ms: fc.constantFrom(1, 2500, 2500, TTL - 1, TTL, TTL + 1),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('tick' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);

/** What three controllers of one entity may do, and a plain account of who may act: the last that was granted, for as long as it is renewed. */
class Account {
  /** Intents that counted. */
  taken = 0;
  /** As a log keeps them: what a restart counts on from. */
  readonly #kept: LeaseEvent[] = [];
  leases = leasesOf(['ann'], (event) => this.#kept.push(event));
  readonly #held: (Lease | null)[] = [null, null, null];
  readonly #until = new Map<string, number>();
  #epochs: number[] = [];
  #now = 0;
  #tick = 0;
  #deciders = new Set<number>();

  do(action: Action): void {
    if (action.kind === 'pass') this.#now += action.ms;
    else if (action.kind === 'tick') this.#open();
    else if (action.kind === 'restart') this.#restart();
    else if (action.kind === 'acquire' || action.kind === 'supersede') this.#acquire(action.kind, action.who);
    else this.#use(action.kind, action.who);
  }

  #open(): void {
    this.#tick += 1;
    this.#deciders = new Set();
    this.leases.openTick(this.#tick, this.#now);
  }

  /** The server was killed and starts again from what it had kept: every lease has ended, and no epoch comes again. */
  #restart(): void {
    const epoch = Math.max(0, ...this.#kept.map((event) => event.epoch));
    this.#until.clear();
    this.#deciders = new Set();
    this.leases = new Leases({
      epochs: new Map([['ann', epoch]]),
      tick: this.#tick,
      secret: () => `secret-${(made += 1)}`,
      storeEvent: (event) => this.#kept.push(event),
    });
  }

  #acquire(kind: 'acquire' | 'supersede', who: number): void {
    const supersedeEpoch = kind === 'supersede' ? this.leases.epoch('ann') : 0;
    try {
      const lease = this.leases.acquire(wish('ann', { supersedeEpoch, controller: `c${who}` }), this.#now);
      expect(lease.epoch).toBeGreaterThan(Math.max(0, ...this.#epochs));
      expect(lease.firstTick).toBe(this.#tick + 1);
      this.#epochs.push(lease.epoch);
      this.#until.clear();
      this.#until.set(lease.secret, this.#now + TTL);
      this.#held[who] = lease;
    } catch (error) {
      expect(error).toBeInstanceOf(ServeError);
      // Refused only while somebody holds it.
      if (kind === 'acquire') expect([...this.#until.values()].some((end) => this.#now < end)).toBe(true);
    }
  }

  #use(kind: 'renew' | 'release' | 'intend', who: number): void {
    const lease = this.#held[who];
    if (lease == null) return;
    const isLive = this.#now < (this.#until.get(lease.secret) ?? 0);
    if (kind === 'release') {
      expect(reasonOf(() => this.leases.release(lease.secret, this.#now)) === 'none').toBe(isLive);
      this.#until.delete(lease.secret);
    } else if (kind === 'renew') {
      expect(reasonOf(() => this.leases.renew(lease.secret, this.#now)) === 'none').toBe(isLive);
      if (isLive) this.#until.set(lease.secret, this.#now + TTL);
    } else this.#intend(lease, isLive);
  }

  /** An intent counts only from the live lease that the open tick is of; one tick never holds those of two. */
  #intend(lease: Lease, isLive: boolean): void {
    const isKnown = reasonOf(() => this.leases.require(lease.secret, this.#now)) === 'none';
    const isTaken = isKnown && this.leases.decidingLease('ann')?.epoch === lease.epoch;
    if (isTaken) {
      expect(isLive).toBe(true);
      expect(lease.firstTick).toBeLessThanOrEqual(this.#tick);
      this.#deciders.add(lease.epoch);
      this.taken += 1;
    }
    expect(this.#deciders.size).toBeLessThanOrEqual(1);
  }
}

describe('any sequence of requests, pauses, restarts and ticks', () => {
  it('takes no intent of a former holder, and no two holders in one tick', SIZED, () => {
    const numRuns = sizeOf('leaseSequences');
    let taken = 0;
    fc.assert(
      fc.property(fc.array(ACTION, { maxLength: 60, size: 'max' }), (actions) => {
        const account = new Account();
        for (const action of actions) account.do(action);
        taken += account.taken;
      }),
      { numRuns },
    );
    expect(taken).toBeGreaterThan(numRuns / 2);
    reached(
      'fencing',
      `${grouped(numRuns)} sequences, ${grouped(taken)} intents taken, none of a former holder`,
    );
  });
});
