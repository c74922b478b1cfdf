/**
 * Only one batch at a time may use a store: it alone counts spending and admits requests. Its claim in Redis
 * expires by itself when the batch is gone.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from '../../base/errors.js';
import type { QueueLink } from './redis.js';

const CLAIM_MS = 12_000;
const RENEW_MS = 4000;
const TRY_MS = 500;

export class BatchClaim {
  readonly #link: QueueLink;
  readonly #token = randomUUID();
  readonly #timer: ReturnType<typeof setInterval>;
  #onLost: (error: UsageError) => void = () => undefined;

  /** Waits as long as the claim of a killed batch may last. Throws UsageError if another batch is alive. */
  static async acquire(link: QueueLink): Promise<BatchClaim> {
    const claim = new BatchClaim(link);
    const untilMs = performance.now() + CLAIM_MS + RENEW_MS;
    while (!(await claim.#acquire())) {
      if (performance.now() > untilMs) {
        clearInterval(claim.#timer);
        throw alreadyClaimed();
      }
      await wait(TRY_MS);
    }
    return claim;
  }

  private constructor(link: QueueLink) {
    this.#link = link;
    this.#timer = setInterval(() => void this.#renew(), RENEW_MS);
  }

  onLost(listener: (error: UsageError) => void): void {
    this.#onLost = listener;
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    const { redis } = this.#link;
    if (redis.status !== 'ready') return;
    if ((await redis.get(this.#key)) === this.#token) await redis.del(this.#key);
  }

  async #renew(): Promise<void> {
    if (this.#link.redis.status !== 'ready') return;
    const isHeld = await this.#acquire().catch(() => true);
    if (!isHeld) this.#onLost(alreadyClaimed());
  }

  /** Takes the claim if no one has it, for example after Redis was emptied. */
  async #acquire(): Promise<boolean> {
    const { redis } = this.#link;
    if ((await redis.set(this.#key, this.#token, 'PX', CLAIM_MS, 'NX')) === 'OK') return true;
    if ((await redis.get(this.#key)) !== this.#token) return false;
    await redis.pexpire(this.#key, CLAIM_MS);
    return true;
  }

  get #key(): string {
    return `${this.#link.name}:batch`;
  }
}

function alreadyClaimed(): UsageError {
  return new UsageError('another batch is using this store and this queue', [
    'wait until that batch has finished, or choose another store with --store',
  ]);
}
