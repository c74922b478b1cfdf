/**
 * What entities were rewarded, as their holders are told: with each tick's first observation what came since the one before it, and at the end
 * what came after the last. In: steps as they become durable; out: amounts.
 */
import { rounded6 } from '../base/rounded.js';
import type { StepRecord } from '../trajectory/records.js';

/** What an entity got. */
export interface Earned {
  /** Since the tick before; 0 where the same tick was told it already. */
  readonly reward: number;
  /** Since the run began. */
  readonly total: number;
}

/** How the run ended for an entity: by the world's rules, or by a limit such as its turns. */
export interface EntityEnding extends Earned {
  readonly terminated: boolean;
  readonly truncated: boolean;
}

export class Earnings {
  readonly #total = new Map<string, number>();
  /** The total as of the newest tick in which the entity was asked. */
  readonly #told = new Map<string, number>();

  readonly #decided = new Set<string>();

  /** `past` are the steps of a run that goes on: the tick that was open is told again. */
  constructor(past: Iterable<Pick<StepRecord, 'agent' | 'rewards'>> = []) {
    for (const step of past) {
      this.#told.set(step.agent, this.#of(step.agent));
      this.add(step);
    }
  }

  /** Entities for whom the run is over. */
  get decided(): ReadonlySet<string> {
    return this.#decided;
  }

  add({ rewards }: Pick<StepRecord, 'rewards'>): void {
    for (const agent of Object.keys(rewards?.outcomes ?? {})) this.#decided.add(agent);
    for (const [agent, amount] of Object.entries(rewards?.paid ?? {}))
      this.#total.set(agent, rounded6(this.#of(agent) + amount));
  }

  /** For a tick's first observation. */
  tell(entity: string): Earned {
    const earned = this.rest(entity);
    this.#told.set(entity, earned.total);
    return earned;
  }

  /** `isOver`: the world's rules ended the run. */
  ending(entity: string, isOver: boolean): EntityEnding {
    const terminated = isOver || this.#decided.has(entity);
    return { ...this.rest(entity), terminated, truncated: !terminated };
  }

  /** For the last message, of which there may be several readers. */
  rest(entity: string): Earned {
    const total = this.#of(entity);
    return { reward: rounded6(total - (this.#told.get(entity) ?? 0)), total };
  }

  /** For a further attempt in the same tick. */
  again(entity: string): Earned {
    return { reward: 0, total: this.#of(entity) };
  }

  #of(agent: string): number {
    return this.#total.get(agent) ?? 0;
  }
}
