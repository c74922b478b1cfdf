/**
 * What agents knew over many runs of one scenario by the same players: in how many runs each agent learnt a
 * fact, how, and acted on it.
 */
import { compareText } from '../base/ids.js';
import { grouped } from '../base/grouped.js';
import type { Fact, LearntName } from './knowledge.js';

/** A run with what its agents knew. */
export interface KnowingRun {
  /** As given on the command line. */
  log: string;
  run: string;
  scenario: string;
  seed: string;
  players: string;
  /** How it ended, in words: "succeeded: the crown is safe". */
  outcome: string;
  facts: readonly Fact[];
}

export interface KnowingTotal {
  scenario: string;
  players: string;
  runs: number;
  /** Facts of the most runs come first. */
  facts: readonly FactTotal[];
}

/** Facts of several runs count as one if they have the same kind and words, and things the same id. */
export interface FactTotal extends Pick<Fact, 'kind' | 'words' | 'about'> {
  /** In how many runs any agent learnt it. */
  runs: number;
  /** For the agents that ever learnt it, by id. */
  agents: readonly AgentTotal[];
}

export interface AgentTotal {
  agent: string;
  /** Numbers of runs. */
  learnt: number;
  acted: number;
  /** By how the agent first learnt it. */
  ways: readonly (Pick<LearntName, 'how' | 'from'> & { runs: number })[];
}

/** Only for scenarios and players with several runs. */
export function knowingTotals(runs: readonly KnowingRun[]): readonly KnowingTotal[] {
  const groups = grouped(runs, ({ scenario, players }) => JSON.stringify([scenario, players]));
  return groups.flatMap((group) => {
    const [{ scenario, players }] = group;
    return group.length < 2 ? [] : [{ scenario, players, runs: group.length, facts: factTotals(group) }];
  });
}

function factTotals(runs: readonly KnowingRun[]): readonly FactTotal[] {
  const runFacts = runs.flatMap(({ facts }, run) => facts.map((fact) => ({ run, fact })));
  const identityOf = ({ kind, words, about }: Fact): string =>
    JSON.stringify(kind === 'thing' ? [kind, words, about] : [kind, words]);
  return grouped(runFacts, ({ fact }) => identityOf(fact))
    .map((same) => {
      const { kind, words, about } = same[0].fact;
      const runIndices = [...new Set(same.map(({ run }) => run))];
      const inRuns = runIndices.map((run) => same.flatMap((one) => (one.run === run ? [one.fact] : [])));
      return { kind, words, about, runs: runIndices.length, agents: agentTotals(inRuns) };
    })
    .toSorted((a, b) => b.runs - a.runs);
}

/** The facts of each run that count as one. */
function agentTotals(runs: readonly (readonly Fact[])[]): readonly AgentTotal[] {
  const all = runs.flat().flatMap(({ learnt }) => learnt.map(({ agent }) => agent));
  return [...new Set(all)].toSorted(compareText).map((agent) => {
    const learnt = runs.flatMap(
      (facts) =>
        facts
          .flatMap((fact) => fact.learnt.filter((one) => one.agent === agent))
          .toSorted((a, b) => a.step - b.step)[0] ?? [],
    );
    const acted = runs.filter((facts) => facts.some((fact) => fact.acted.some((one) => one.agent === agent)));
    const ways = grouped(learnt, ({ how, from }) => JSON.stringify([how, from]))
      .map((same) => ({ how: same[0].how, from: same[0].from, runs: same.length }))
      .toSorted((a, b) => b.runs - a.runs);
    return { agent, learnt: learnt.length, acted: acted.length, ways };
  });
}
