/** What agents knew, as sections of text, the same in the terminal and on a page. */
import { amount } from '../base/counted.js';
import { oneLine } from '../base/text.js';
import { knowingTotals } from './knowledge-totals.js';
import type { KnowingRun, KnowingTotal } from './knowledge-totals.js';
import type { Fact, LearntName } from './knowledge.js';

export interface KnowledgeSection {
  title: string;
  /** Further text about everything; '' for none. */
  lead: string;
  facts: readonly { name: string; lines: readonly string[] }[];
}

/** First over several runs of a scenario by the same players, then for each run. */
export function knowledgeSections(runs: readonly KnowingRun[]): readonly KnowledgeSection[] {
  return [...knowingTotals(runs).map(totalSection), ...runs.map(runSection)];
}

function totalSection({ scenario, players, runs, facts }: KnowingTotal): KnowledgeSection {
  const commonFacts = facts.filter((fact) => fact.runs > 1);
  const others = facts.length - commonFacts.length;
  return {
    title: oneLine(`${scenario}, played by ${players}: ${amount(runs, 'run')}`),
    lead: others === 0 ? '' : `facts in several runs; ${amount(others, 'other')} in one run each`,
    facts: commonFacts.map((fact) => ({
      name: factText(fact, facts),
      // "miner: learnt in 9 of 10 runs (heard from monk 7, seen 2), acted on it in 8"
      lines: fact.agents.map(({ agent, learnt, acted, ways }) => {
        const sources = ways.map(({ how, from, runs: times }) => {
          const source = from === null ? '' : ` ${how === 'heard' ? 'from' : 'on'} ${from}`;
          return `${how}${source} ${times}`;
        });
        return `${agent}: learnt in ${learnt} of ${amount(runs, 'run')} (${sources.join(', ')}), acted on it in ${acted}`;
      }),
    })),
  };
}

function runSection({ scenario, seed, players, log, run, outcome, facts }: KnowingRun): KnowledgeSection {
  return {
    title: oneLine(`${scenario}, seed ${seed}, played by ${players}`),
    lead: oneLine(`${log.includes('#') ? log : `${log}#${run}`}: ${outcome}`),
    facts: facts.map((fact) => ({ name: factText(fact, facts), lines: factLines(fact) })),
  };
}

type NamedFact = Pick<Fact, 'kind' | 'words' | 'about'>;

/** Things of one name have their ids too. */
function factText({ kind, words, about }: NamedFact, all: readonly NamedFact[]): string {
  if (kind === 'words') return `“${oneLine(words)}”`;
  const alike = all.filter((one) => one.kind === 'thing' && one.words === words);
  return oneLine(alike.length > 1 ? `${words} (${about.join(', ')})` : words);
}

/** "miner heard it from monk" */
function learntText({ agent, how, from, place }: LearntName, { kind }: Fact): string {
  const it = kind === 'words' ? 'it' : 'of it';
  switch (how) {
    case 'said':
      return `${agent} said it`;
    case 'heard':
      return `${agent} heard ${it} from ${from ?? 'somebody'}`;
    case 'told':
      return `${agent} was told ${it}`;
    case 'read':
      return `${agent} read ${it}${from === null ? '' : ` on the ${from}`}`;
    case 'seen':
      return `${agent} ${place === null ? 'holds it' : `saw it at (${place.x}, ${place.y})`}`;
  }
}

/** A line each, turn by turn: "T2 miner heard it from monk", "T3 miner: USE green-lever (acted)". */
function factLines(fact: Fact): readonly string[] {
  const learnt = fact.learnt.map((one) => ({ ...one, rank: 0, told: learntText(one, fact) }));
  const acted = fact.acted.map((one) => ({
    ...one,
    rank: 1,
    told: `${one.agent}: ${oneLine(one.words)} (acted)`,
  }));
  return [...learnt, ...acted]
    .toSorted((a, b) => a.turn - b.turn || a.step - b.step || a.rank - b.rank)
    .map(({ turn, told }) => `T${turn} ${told}`);
}
