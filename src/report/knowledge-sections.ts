/** What agents knew, as sections of text, the same in the terminal and on a page. */
import { amount } from '../base/counted.js';
import { oneLine } from '../base/text.js';
import { knowingTotals } from './knowledge-totals.js';
import type { AgentTotal, FactTotal, KnowingRun, KnowingTotal } from './knowledge-totals.js';
import type { ActedOn, Fact, LearntName } from './knowledge.js';

export interface KnowledgeSection {
  readonly title: string;
  /** Further text about everything; '' for none. */
  readonly lead: string;
  readonly facts: readonly { readonly name: string; readonly lines: readonly string[] }[];
}

/** First over several runs of a scenario by the same players, then for each run. */
export function knowledgeSections(runs: readonly KnowingRun[]): readonly KnowledgeSection[] {
  return [...knowingTotals(runs).map(totalSection), ...runs.map(runSection)];
}

function totalSection(total: KnowingTotal): KnowledgeSection {
  const [commonFacts, lead] = factsOfSeveralRuns(total);
  const facts = commonFacts.map((fact) => ({
    name: factText(fact),
    lines: fact.agents.map((one) => totalText(one, total.runs)),
  }));
  return { title: totalTitle(total), lead, facts };
}

function runSection(run: KnowingRun): KnowledgeSection {
  const facts = run.facts.map((fact) => ({ name: factText(fact), lines: factLines(fact) }));
  return { title: knowingTitle(run), lead: knowingSource(run), facts };
}

/** The title of a run's facts: "crypt, seed 7, played by qwen". */
function knowingTitle({ scenario, seed, players }: KnowingRun): string {
  return oneLine(`${scenario}, seed ${seed}, played by ${players}`);
}

/**
 * The line below it, beginning with the run's address: "runs.sqlite#crypt-1: succeeded: the crown is safe".
 */
function knowingSource({ log, run, outcome }: KnowingRun): string {
  return oneLine(`${log.includes('#') ? log : `${log}#${run}`}: ${outcome}`);
}

/** "crypt, played by qwen: 10 runs" */
function totalTitle({ scenario, players, runs }: KnowingTotal): string {
  return oneLine(`${scenario}, played by ${players}: ${amount(runs, 'run')}`);
}

function factsOfSeveralRuns({ facts }: KnowingTotal): readonly [readonly FactTotal[], string] {
  const commonFacts = facts.filter(({ runs }) => runs > 1);
  const others = facts.length - commonFacts.length;
  return [
    commonFacts,
    others === 0 ? '' : `facts in several runs; ${amount(others, 'other')} in one run each`,
  ];
}

/** "miner: learnt in 9 of 10 runs (heard from monk 7, seen 2), acted on it in 8" */
function totalText({ agent, learnt, acted, ways }: AgentTotal, runs: number): string {
  const sources = ways.map((way) => `${sourceText(way)} ${way.runs}`).join(', ');
  return `${agent}: learnt in ${learnt} of ${amount(runs, 'run')} (${sources}), acted on it in ${acted}`;
}

function sourceText({ how, from }: Pick<LearntName, 'how' | 'from'>): string {
  if (from === null) return how;
  return `${how} ${how === 'heard' ? 'from' : 'on'} ${from}`;
}

function factText({ kind, words }: Pick<Fact, 'kind' | 'words'>): string {
  return kind === 'words' ? `“${oneLine(words)}”` : oneLine(words);
}

/** "miner heard it from monk" */
function learntText({ agent, how, from, place }: LearntName, { kind }: Pick<Fact, 'kind'>): string {
  const it = kind === 'words' ? 'it' : 'of it';
  switch (how) {
    case 'said':
      return `${agent} said it`;
    case 'heard':
      return `${agent} heard ${it} from ${from ?? 'somebody'}`;
    case 'read':
      return `${agent} read ${it}${from === null ? '' : ` on the ${from}`}`;
    case 'seen':
      return `${agent} ${place === null ? 'holds it' : `saw it at (${place.x}, ${place.y})`}`;
  }
}

function actedText({ agent, words }: ActedOn): string {
  return `${agent}: ${oneLine(words)} (acted)`;
}

/** A line each, turn by turn: "T2 miner heard it from monk", "T3 miner: USE green-lever (acted)". */
function factLines(fact: Fact): readonly string[] {
  const learnt = fact.learnt.map((one) => ({ ...one, rank: 0, told: learntText(one, fact) }));
  const acted = fact.acted.map((one) => ({ ...one, rank: 1, told: actedText(one) }));
  return [...learnt, ...acted]
    .toSorted((a, b) => a.turn - b.turn || a.step - b.step || a.rank - b.rank)
    .map(({ turn, told }) => `T${turn} ${told}`);
}
