/**
 * The figures of each agent of a run: its steps, its unusable replies, its usage, and its answers about what
 * it saw. The end of a run concerns all agents together. The cost of tokens is not counted here, because it
 * follows from their sum.
 */
import { WORLD_ID, compareText } from '../base/ids.js';
import { isUnanswered } from '../base/problem.js';
import { rounded6 } from '../base/rounded.js';
import { SAID } from '../environment/spoken.js';
import { firstAnswered, lastFailure } from './attempts.js';
import type { ProbeRecord, StepRecord } from './records.js';
import type { Tokens } from './cost.js';
import { isLostToServer, isUncontrolled } from './uncontrolled.js';

/** The parts of a step that are counted. */
export type PlayedActs = Pick<
  StepRecord,
  'step' | 'turn' | 'agent' | 'acts' | 'events' | 'rewards' | 'timing' | 'untimely'
>;

/**
 * What is added up for each agent. A further figure needs only its line here and the line that counts it: the
 * log stores it, and JSON and CSV have it; a column of `report/figures.ts` shows it.
 */
const NOTHING_COUNTED = {
  /** Steps in which a controller decided; those lost to a model's server are not counted. */
  steps: 0,
  /** Steps whose first reply was understood and accepted. */
  firstTries: 0,
  /** Replies in which no action could be understood. */
  unread: 0,
  /** Requests to which no answer came: the server failed or held it back, or the model declined. */
  unanswered: 0,
  /** Actions that were understood and refused. */
  refused: 0,
  /** Steps with a forced wait, because no attempt succeeded. */
  standIns: 0,
  /** How many of those followed an action that was read and refused (`attempts.ts`). */
  standInsRefused: 0,
  said: 0,
  /** The sum of its rewards, which may be fractions; 0 if the scenario has none. */
  reward: 0,
  /**
   * Runs that succeeded for it, by its own conditions or the run's; counted only if the log has outcomes by
   * agent.
   */
  succeeded: 0,
  promptTokens: 0,
  replyTokens: 0,
  /** Questions with a known answer that it was asked. */
  probes: 0,
  probesRight: 0,
} satisfies Tokens & Record<string, number>;

type Counts = typeof NOTHING_COUNTED;

export interface AgentCounts extends Counts {
  agent: string;
}

export const AGENT_COUNTS = Object.keys(NOTHING_COUNTED) as readonly (keyof Counts)[];

/** A live sum: steps are added one by one. */
export class AgentSums {
  readonly #counts = new Map<string, Counts>();

  /** Rewards may come with the steps of others and of the world, which don't count as the agent's. */
  rewards({ rewards }: Pick<PlayedActs, 'rewards'>): void {
    for (const [agent, reward] of Object.entries(rewards?.paid ?? {})) this.add(agent, { reward });
    for (const [agent, outcome] of Object.entries(rewards?.outcomes ?? {}))
      this.add(agent, { succeeded: outcome === 'succeeded' ? 1 : 0 });
  }

  step(step: PlayedActs): void {
    const { agent, acts, events } = step;
    if (agent === WORLD_ID) return;
    if (isUncontrolled(step)) {
      this.add(agent, {});
      return;
    }
    const tries = acts.filter(({ insteadOf }) => insteadOf === null);
    const failed = tries.filter(({ result }) => !result.ok);
    const unanswered = failed.filter(({ result }) => !result.ok && isUnanswered(result.problem.code)).length;
    const unread = failed.filter(({ intent }) => intent === null).length - unanswered;
    this.add(agent, {
      steps: isLostToServer(step) ? 0 : 1,
      firstTries: isFirstTry(step) ? 1 : 0,
      unread,
      unanswered,
      refused: failed.length - unread - unanswered,
      standIns: acts.length - tries.length,
      standInsRefused: lastFailure(step)?.reading?.ok === true ? 1 : 0,
      said: events.filter(({ kind, actor }) => kind === SAID && actor === agent).length,
    });
  }

  probe({ agent, verdict }: Pick<ProbeRecord, 'verdict'> & { agent: string }): void {
    this.add(agent, { probes: 1, probesRight: verdict === 'right' ? 1 : 0 });
  }

  /** By id. */
  figures(): readonly AgentCounts[] {
    return [...this.#counts]
      .toSorted(([a], [b]) => compareText(a, b))
      .map(([agent, counts]) => ({ agent, ...counts }));
  }

  add(agent: string, added: Partial<Counts>): void {
    const sums = { ...(this.#counts.get(agent) ?? NOTHING_COUNTED) };
    for (const [name, value] of Object.entries(added) as [keyof Counts, number][]) sums[name] += value;
    this.#counts.set(agent, { ...sums, reward: rounded6(sums.reward) });
  }
}

/** Whether the first reply of the step was accepted; requests that its server did not answer had none. */
export function isFirstTry(step: Pick<PlayedActs, 'acts'>): boolean {
  return firstAnswered(step)?.result.ok === true;
}

/** The same agents over several runs, or parts of one, by id. */
export function sumCounts(all: readonly (readonly AgentCounts[])[]): readonly AgentCounts[] {
  const sums = new AgentSums();
  for (const { agent, ...counts } of all.flat()) sums.add(agent, counts);
  return sums.figures();
}
