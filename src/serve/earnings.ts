/**
 * The rewards of entities, as sent to their holders: each tick's first observation has the sum since the
 * previous tick, and the last message has the rest.
 */
import { lookUp } from '../base/look-up.js';
import { rounded6 } from '../base/rounded.js';
import type { StepRecord } from '../trajectory/records.js';

export interface NamedAmount {
  name: string;
  amount: number;
}

/** What an entity got. */
export interface EntityRewards {
  /** Since the previous tick; 0 if the tick's reward was already sent. */
  reward: number;
  /** The same by name, without names that are 0. */
  byName: readonly NamedAmount[];
  /** Since the run began. */
  total: number;
}

/** How the run ended for an entity: by the world's rules, or by a limit such as its turns. */
export interface EntityEnding extends EntityRewards {
  terminated: boolean;
  truncated: boolean;
}

export class Earnings {
  readonly #sums = new Map<string, RewardSums>();
  /** The sums at the newest tick in which the entity was asked. */
  readonly #reported = new Map<string, RewardSums>();

  readonly #decided = new Set<string>();

  /** `past` are the earlier steps of a continued run: the open tick is sent again. */
  constructor(past: Iterable<Pick<StepRecord, 'agent' | 'rewards'>> = []) {
    for (const step of past) {
      this.#reported.set(step.agent, this.#sumsOf(step.agent));
      this.add(step);
    }
  }

  /** Entities for whom the run is over. */
  get decided(): ReadonlySet<string> {
    return this.#decided;
  }

  add({ rewards }: Pick<StepRecord, 'rewards'>): void {
    for (const agent of Object.keys(rewards?.outcomes ?? {})) this.#decided.add(agent);
    const { paid = {}, byName: named = {} } = rewards ?? {};
    for (const agent of new Set([...Object.keys(paid), ...Object.keys(named)])) {
      const { total, byName } = this.#sumsOf(agent);
      const parts = Object.entries(lookUp(named, agent) ?? {});
      const sums = parts.map(([name, part]) => [name, rounded6((byName.get(name) ?? 0) + part)] as const);
      const sum = rounded6(total + (lookUp(paid, agent) ?? 0));
      this.#sums.set(agent, { total: sum, byName: new Map([...byName, ...sums]) });
    }
  }

  /** For a tick's first observation. */
  takeUnreported(entity: string): EntityRewards {
    const earned = this.unreported(entity);
    this.#reported.set(entity, this.#sumsOf(entity));
    return earned;
  }

  /** `isOver`: the world's rules ended the run. */
  ending(entity: string, isOver: boolean): EntityEnding {
    const terminated = isOver || this.#decided.has(entity);
    return { ...this.unreported(entity), terminated, truncated: !terminated };
  }

  /** For the last message, which may have several readers. */
  unreported(entity: string): EntityRewards {
    const { total, byName } = this.#sumsOf(entity);
    const reported = this.#reported.get(entity) ?? NOTHING;
    const unreportedParts = [...byName].map(([name, sum]) => ({
      name,
      amount: rounded6(sum - (reported.byName.get(name) ?? 0)),
    }));
    return {
      reward: rounded6(total - reported.total),
      byName: unreportedParts.filter(({ amount }) => amount !== 0),
      total,
    };
  }

  /** For a further attempt in the same tick. */
  nothingNew(entity: string): EntityRewards {
    return { reward: 0, byName: [], total: this.#sumsOf(entity).total };
  }

  #sumsOf(agent: string): RewardSums {
    return this.#sums.get(agent) ?? NOTHING;
  }
}

interface RewardSums {
  total: number;
  byName: ReadonlyMap<string, number>;
}

const NOTHING: RewardSums = { total: 0, byName: new Map() };
