/**
 * Intents that came at the wrong time, counted until the next step is written to the log. The number of
 * different counts is bounded (a few for each entity, and one for each of its newest missed ticks), so a
 * client that sends the same intent again and again does not make the log grow.
 */
import type { UntimelyCount } from '../trajectory/record-values.js';

export class UntimelyCounts {
  #counts = new Map<string, UntimelyCount>();

  add(intent: Omit<UntimelyCount, 'count'>): void {
    const key = `${intent.entity} ${intent.reason} ${intent.missed ?? ''}`;
    this.#counts.set(key, { ...intent, count: (this.#counts.get(key)?.count ?? 0) + 1 });
  }

  /** In the order in which the first of each came; counting begins again. */
  take(): readonly UntimelyCount[] {
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    return counts;
  }
}
