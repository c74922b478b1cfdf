/** The agents' rewards of a run, in words; '' if the scenario has none. */
import { counted } from '../../base/counted.js';
import { rounded6 } from '../../base/rounded.js';
import type { StepRecord } from '../../trajectory/records.js';

/** Sums up the rewards of a run, step by step. */
export class ReturnSums {
  readonly #sums = new Map<string, number>();
  readonly #outcomes = new Map<string, string>();
  #searched = 0;
  #unknown = 0;

  add({ rewards }: StepRecord): void {
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
