/** The agents' rewards, in words. '' if the scenario has no rewards. */
import { lookUp } from '../../base/look-up.js';
import { counted } from '../../base/counted.js';
import { rounded6 } from '../../base/rounded.js';
import type { StepRecord } from '../../trajectory/records.js';

type RewardedStep = Pick<StepRecord, 'rewards'>;

/** Sums up the rewards of a run, step by step. */
export class ReturnSums {
  readonly #sums = new Map<string, number>();
  readonly #outcomes = new Map<string, string>();
  #searched = 0;
  #unknown = 0;

  add({ rewards }: RewardedStep): void {
    if (rewards === undefined) return;
    for (const [agent, amount] of Object.entries(rewards.paid))
      this.#sums.set(agent, (this.#sums.get(agent) ?? 0) + amount);
    for (const [agent, outcome] of Object.entries(rewards.outcomes ?? {})) this.#outcomes.set(agent, outcome);
    if (rewards.distance === undefined) return;
    this.#searched += 1;
    if (rewards.distance === null) this.#unknown += 1;
  }

  /** A line with each agent's total, and one for turns whose progress the solver did not find. */
  text(): string {
    const agents = [...new Set([...this.#sums.keys(), ...this.#outcomes.keys()])];
    const lines = agents.map((agent) => {
      const outcome = this.#outcomes.get(agent);
      const sum = rounded6(this.#sums.get(agent) ?? 0);
      return `${agent} ${sum}${outcome === undefined ? '' : ` (${outcome})`}`;
    });
    if (lines.length === 0 && this.#unknown === 0) return '';
    const unknown =
      this.#unknown === 0
        ? ''
        : `progress not rewarded after ${this.#unknown} of ${counted(this.#searched, 'turn')}: the solver gave up (rewards.effort)\n`;
    return `returns  ${lines.join(', ')}\n${unknown}`;
  }
}

/** The rewards of one step; none if the scenario has no rewards. */
export function rewardLines({ rewards }: RewardedStep): readonly string[] {
  if (rewards === undefined) return [];
  const paid = Object.entries(rewards.paid).map(([agent, amount]) => {
    const parts = Object.entries(lookUp(rewards.byName, agent) ?? {});
    const named = parts.map(([name, part]) => `${name} ${part}`).join(' + ');
    return `${agent} ${amount}${named === '' ? '' : ` (${named})`}`;
  });
  const distanceNote =
    rewards.distance === undefined ? [] : [`turns to success: ${rewards.distance ?? 'the solver gave up'}`];
  return [[`rewards ${paid.length === 0 ? 'none' : paid.join(', ')}`, ...distanceNote].join('; ')];
}
