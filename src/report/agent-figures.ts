/**
 * The figures of each agent in a run: its steps, its useless replies, its usage, and how well it answered
 * what it saw. In: steps, calls and probes, one by one; out: a readonly record for each agent. The end of a
 * run concerns all of them together.
 */
import { WORLD_ID, compareText } from '../base/ids.js';
import { rounded6 } from '../base/rounded.js';
import type { ProbeRecord, StepRecord } from '../trajectory/records.js';
import { NO_COST, summedCost } from '../trajectory/cost.js';
import type { Cost } from '../trajectory/cost.js';
import { isUncontrolled } from '../trajectory/uncontrolled.js';

export interface AgentFigures extends Cost {
  readonly agent: string;
  /** Those in which somebody controlled it. */
  readonly steps: number;
  /** Steps whose first reply was understood and accepted. */
  readonly firstTries: number;
  /** Replies in which no action could be understood. */
  readonly unread: number;
  /** Actions that were understood and refused. */
  readonly refused: number;
  /** Steps with a forced wait, because no attempt succeeded. */
  readonly standIns: number;
  readonly said: number;
  /** What it was paid, all together; 0 where nothing is rewarded. */
  readonly reward: number;
  /** Runs that succeeded for it, by its own conditions or the run's; counted only where the log has outcomes by agent. */
  readonly succeeded: number;
  /** Questions with a known answer that it was asked. */
  readonly probes: number;
  readonly probesRight: number;
}

type Counts = Omit<AgentFigures, 'agent'>;

const NONE: Counts = {
  steps: 0,
  firstTries: 0,
  unread: 0,
  refused: 0,
  standIns: 0,
  said: 0,
  reward: 0,
  succeeded: 0,
  ...NO_COST,
  probes: 0,
  probesRight: 0,
};

/** A live sum: steps go in one by one. */
export class AgentSums {
  readonly #counts = new Map<string, Counts>();

  /** Rewards come with the steps of others too, and with the world's, which count for no agent. */
  rewards({ rewards }: Pick<StepRecord, 'rewards'>): void {
    for (const [agent, reward] of Object.entries(rewards?.paid ?? {})) this.#add(agent, { reward });
    for (const [agent, outcome] of Object.entries(rewards?.outcomes ?? {}))
      this.#add(agent, { succeeded: outcome === 'succeeded' ? 1 : 0 });
  }

  step(step: StepRecord): void {
    const { agent, acts, events } = step;
    if (agent === WORLD_ID) return;
    if (isUncontrolled(step)) {
      this.#add(agent, {});
      return;
    }
    const tries = acts.filter(({ insteadOf }) => insteadOf === null);
    const failed = tries.filter(({ result }) => !result.ok);
    const unread = failed.filter(({ intent }) => intent === null).length;
    const [first] = acts;
    this.#add(agent, {
      steps: 1,
      firstTries: first?.result.ok === true && first.insteadOf === null ? 1 : 0,
      unread,
      refused: failed.length - unread,
      standIns: acts.length - tries.length,
      said: events.filter(({ kind, actor }) => kind === 'said' && actor === agent).length,
    });
  }

  spent(agent: string, spend: (before: Counts) => Counts): void {
    this.#counts.set(agent, spend(this.#counts.get(agent) ?? NONE));
  }

  probe({ agent, verdict }: Pick<ProbeRecord, 'verdict'> & { readonly agent: string }): void {
    this.#add(agent, { probes: 1, probesRight: verdict === 'right' ? 1 : 0 });
  }

  /** By id. */
  figures(): readonly AgentFigures[] {
    return [...this.#counts]
      .toSorted(([a], [b]) => compareText(a, b))
      .map(([agent, counts]) => ({ agent, ...counts }));
  }

  #add(agent: string, more: Partial<Counts>): void {
    this.#counts.set(agent, summed(this.#counts.get(agent) ?? NONE, more));
  }
}

/** The same agents over several runs, by id. */
export function summedAgents(runs: readonly (readonly AgentFigures[])[]): readonly AgentFigures[] {
  const sums = new Map<string, Counts>();
  for (const { agent, ...counts } of runs.flat()) sums.set(agent, summed(sums.get(agent) ?? NONE, counts));
  return [...sums].toSorted(([a], [b]) => compareText(a, b)).map(([agent, counts]) => ({ agent, ...counts }));
}

function summed(one: Counts, more: Partial<Counts>): Counts {
  return {
    steps: one.steps + (more.steps ?? 0),
    firstTries: one.firstTries + (more.firstTries ?? 0),
    unread: one.unread + (more.unread ?? 0),
    refused: one.refused + (more.refused ?? 0),
    standIns: one.standIns + (more.standIns ?? 0),
    said: one.said + (more.said ?? 0),
    reward: rounded6(one.reward + (more.reward ?? 0)),
    succeeded: one.succeeded + (more.succeeded ?? 0),
    ...summedCost(one, { ...NO_COST, ...more }),
    probes: one.probes + (more.probes ?? 0),
    probesRight: one.probesRight + (more.probesRight ?? 0),
  };
}
