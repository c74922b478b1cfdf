/** Who knew what as words, the same in the terminal and on a page. In: facts; out: short texts. */
import { amount } from '../base/counted.js';
import { oneLine } from '../base/text.js';
import type { AgentTotal, FactTotal, KnowingRun, KnowingTotal } from './knowledge-totals.js';
import type { ActedOn, Fact, Learnt } from './knowledge.js';

/** What a run is called above its facts: "crypt, seed 7, played by qwen". */
export function knowingTitle({ scenario, seed, players }: KnowingRun): string {
  return oneLine(`${scenario}, seed ${seed}, played by ${players}`);
}

/** Below it, the run's address first: "runs.sqlite#crypt-1: succeeded: the crown is safe". */
export function knowingSource({ log, run, outcome }: KnowingRun): string {
  return oneLine(`${log.includes('#') ? log : `${log}#${run}`}: ${outcome}`);
}

/** "crypt, played by qwen: 10 runs" */
export function totalTitle({ scenario, players, runs }: KnowingTotal): string {
  return oneLine(`${scenario}, played by ${players}: ${amount(runs, 'run')}`);
}

/** Facts of more than one run, and how many others there are. */
export function toldFacts({ facts }: KnowingTotal): readonly [readonly FactTotal[], string] {
  const told = facts.filter(({ runs }) => runs > 1);
  const rest = facts.length - told.length;
  return [told, rest === 0 ? '' : `and ${amount(rest, 'fact')} of one run each`];
}

/** "miner: learnt in 9 of 10 runs (heard from monk 7, seen 2), acted on it in 8" */
export function totalWords({ agent, learnt, acted, ways }: AgentTotal, runs: number): string {
  const how = ways.map((way) => `${wayWords(way)} ${way.runs}`).join(', ');
  return `${agent}: learnt in ${learnt} of ${amount(runs, 'run')} (${how}), acted on it in ${acted}`;
}

function wayWords({ how, from }: Pick<Learnt, 'how' | 'from'>): string {
  if (from === null) return how;
  return `${how} ${how === 'heard' ? 'from' : 'on'} ${from}`;
}

export function factWords({ kind, words }: Pick<Fact, 'kind' | 'words'>): string {
  return kind === 'words' ? `“${oneLine(words)}”` : oneLine(words);
}

/** "miner heard it from monk" */
function learntWords({ agent, how, from, place }: Learnt, { kind }: Pick<Fact, 'kind'>): string {
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

function actedWords({ agent, words }: ActedOn): string {
  return `${agent}: ${oneLine(words)} (acted)`;
}

/** A line each, turn by turn: "T2 miner heard it from monk", "T3 miner: USE green-lever (acted)". */
export function factLines(fact: Fact): readonly string[] {
  const learnt = fact.learnt.map((one) => ({ ...one, rank: 0, told: learntWords(one, fact) }));
  const acted = fact.acted.map((one) => ({ ...one, rank: 1, told: actedWords(one) }));
  return [...learnt, ...acted]
    .toSorted((a, b) => a.turn - b.turn || a.step - b.step || a.rank - b.rank)
    .map(({ turn, told }) => `T${turn} ${told}`);
}
