/**
 * The rewards of agents: a function of what a step's record proves, which are the states before and after it
 * and its acts. Payments to all agents (success, failure, progress) come with the last step of a tick, so all
 * payments to an agent from one of its steps up to its next belong to the first of them. Agents never see
 * rewards.
 */
import { WORLD_ID } from '../base/ids.js';
import { isServerFault } from '../base/problem.js';
import { rounded6 } from '../base/rounded.js';
import type { Environment, Outcome } from '../environment/environment.js';
import { runOutcome, agentOutcome } from '../environment/outcome.js';
import type { RewardSpec, TurnSpec } from '../scenario/scenario.js';
import { solve } from '../solve/solve.js';
import type { ActRecord } from '../trajectory/act.js';
import type { StepRecord } from '../trajectory/records.js';
import type { RewardName, StepRewards } from '../trajectory/record-values.js';

export interface SettledStep<S> {
  turn: number;
  /** The agent of the step, or the world. */
  agent: string;
  acts: readonly ActRecord[];
  /** Whether a controller decided. */
  isDecided: boolean;
  /** The state before the step or its tick, and after it; null if other steps of the tick follow. */
  change: { before: S; after: S } | null;
}

/** For a scenario without rewards, whose agents may still have their own outcomes. */
export const NO_REWARDS: RewardSpec = {
  success: '0',
  failure: '0',
  step: '0',
  refused: '0',
  unreadable: '0',
  progress: '0',
  discount: '1',
  effort: 1,
};

type Distance = NonNullable<StepRewards['distance']>;

type PayReward = (agent: string, name: RewardName, amount: number) => void;

export class RewardCount<S> {
  readonly #environment: Environment<S>;
  readonly #turns: TurnSpec;
  readonly #spec: RewardSpec;
  readonly #initialState: () => S;
  /** The last known distance to success; null: never known. Undefined: not computed. */
  #distance: Distance | null | undefined = undefined;

  constructor(
    environment: Environment<S>,
    { rewards, turns, initialState }: { rewards: RewardSpec; turns: TurnSpec; initialState: () => S },
  ) {
    this.#environment = environment;
    this.#turns = turns;
    this.#spec = rewards;
    this.#initialState = initialState;
  }

  /** A past step, whose rewards were already paid. */
  recall({ agent, rewards }: StepRecord): void {
    if (agent === WORLD_ID) this.#distance = rewards?.distance ?? this.#distance ?? null;
  }

  rewardsFor(step: SettledStep<S>): StepRewards {
    const paid = new Map<string, Map<RewardName, number>>();
    const pay: PayReward = (agent, name, amount) => {
      if (amount === 0) return;
      const ownAmounts = paid.get(agent) ?? new Map<RewardName, number>();
      paid.set(agent, ownAmounts.set(name, (ownAmounts.get(name) ?? 0) + amount));
    };
    if (step.agent !== WORLD_ID) this.#payActs(step, pay);
    const shared = step.change === null ? {} : this.#payChange(step, step.change, pay);
    return { ...amountsOf(paid), ...shared };
  }

  #payActs({ agent, acts, isDecided }: SettledStep<S>, pay: PayReward): void {
    const { step, refused, unreadable } = this.#spec;
    const failedActs = acts.filter(isOwnFailure);
    const unreadableCount = failedActs.filter(({ intent }) => intent === null).length;
    pay(agent, 'step', isDecided ? Number(step) : 0);
    pay(agent, 'unreadable', unreadableCount * Number(unreadable));
    pay(agent, 'refused', (failedActs.length - unreadableCount) * Number(refused));
  }

  /** Pays every agent that was still in the run. */
  #payChange(
    { agent, turn }: SettledStep<S>,
    { before, after }: { before: S; after: S },
    pay: PayReward,
  ): Omit<StepRewards, 'paid' | 'byName'> {
    const { agents } = this.#environment;
    const runningAgents = agents.filter((id) => agentOutcome(this.#environment, before, id) === 'running');
    const isOver = runOutcome(this.#environment, after) !== 'running';
    const progress = this.#progressReward({ isOver, isTurnOver: agent === WORLD_ID, turn }, after);
    const outcomes: Record<string, Exclude<Outcome['status'], 'running'>> = {};
    for (const id of runningAgents) {
      const outcome = agentOutcome(this.#environment, after, id);
      if (outcome !== 'running') outcomes[id] = outcome;
      if (outcome === 'succeeded') pay(id, 'success', Number(this.#spec.success));
      if (outcome === 'failed') pay(id, 'failure', Number(this.#spec.failure));
      pay(id, 'progress', progress.amount);
    }
    return {
      ...(Object.keys(outcomes).length === 0 ? {} : { outcomes }),
      ...(progress.distance === undefined ? {} : { distance: progress.distance }),
    };
  }

  /**
   * The reward for progress since the distance to success was last known: γΦ(s′) − Φ(s), where the potential
   * Φ of a state is minus the weight for each turn to success, and 0 once the run is over. Nothing is paid
   * while the solver gives up. `distance` is absent where it was not searched.
   */
  #progressReward(
    { isOver, isTurnOver, turn }: { isOver: boolean; isTurnOver: boolean; turn: number },
    state: S,
  ): { amount: number; distance?: Distance | null } {
    const weight = Number(this.#spec.progress);
    if (weight === 0 || !this.#environment.hasGoal || !(isOver || isTurnOver)) return { amount: 0 };
    if (this.#distance === undefined) this.#distance = this.#search(this.#initialState(), 1);
    const before = this.#distance;
    const after = isOver ? 0 : this.#search(state, turn + 1);
    this.#distance = after ?? before;
    const potential = (distance: Distance): number => -weight * this.#turnsOf(distance);
    const amount =
      before === null || after === null
        ? 0
        : Number(this.#spec.discount) * potential(after) - potential(before);
    return isOver ? { amount } : { amount, distance: after };
  }

  /** An unreachable success counts as a distance of the whole run. */
  #turnsOf(distance: Distance): number {
    const { max } = this.#turns;
    return distance === 'never' ? max : Math.min(distance, max);
  }

  /**
   * Turns until success, including the one that begins; null if the solver gave up. The horizon is the whole
   * run, because the number of turns left says nothing about the state.
   */
  #search(state: S, turn: number): Distance | null {
    const { order, max, freeActs } = this.#turns;
    const options = { order, turnsMax: turn + max - 1, freeActs, effort: this.#spec.effort };
    const { verdict, turn: wonTurn } = solve(this.#environment, { state, turn }, options);
    if (verdict === 'impossible') return 'never';
    return wonTurn === null ? null : Math.max(0, wonTurn - turn + 1);
  }
}

/** The agent is not paid for what its server did. */
function isOwnFailure({ result, insteadOf }: ActRecord): boolean {
  return !result.ok && insteadOf === null && !isServerFault(result.problem.code);
}

/** Sums and their parts, without those that are 0. */
function amountsOf(paid: ReadonlyMap<string, ReadonlyMap<RewardName, number>>): StepRewards {
  const sums = [...paid].map(
    ([agent, amounts]) => [agent, [...amounts.values()].reduce((sum, amount) => sum + amount, 0)] as const,
  );
  const partsByAgent = [...paid].map(([agent, amounts]) => [agent, roundedAmounts(amounts)] as const);
  const nonEmptyParts = partsByAgent.filter(([, amounts]) => Object.keys(amounts).length > 0);
  return {
    paid: roundedAmounts(sums),
    ...(nonEmptyParts.length === 0 ? {} : { byName: Object.fromEntries(nonEmptyParts) }),
  };
}

function roundedAmounts<K extends string>(amounts: Iterable<readonly [K, number]>): Record<K, number> {
  const rounded = [...amounts].map(([name, amount]) => [name, rounded6(amount)] as const);
  return Object.fromEntries(rounded.filter(([, amount]) => amount !== 0)) as Record<K, number>;
}
