/**
 * A table of a scenario's agents, if it has several: the figures of each with each of its players. In: cells;
 * out: a table of texts for terminal and page.
 */
import { whole } from '../base/counted.js';
import type { TextTable } from './overview-text.js';
import type { ReportCell } from './report.js';
import { probeWords, shareWords, tokensWords } from './words.js';

const AGENTS_LEGEND =
  'first try: first replies that were accepted; not understood: replies without a usable action; refused: actions that the world refused; waits: forced WAITs, when no usable answer came. A run succeeds or fails for all of its agents.';
const OUTCOMES_LEGEND =
  ' Agents with conditions of their own are an exception: for them, succeeded counts the runs that the agent won.';

/** Null if no cell has more than one agent: then everything is in the cells' own table. */
export function agentsTable(cells: readonly ReportCell[]): TextTable | null {
  const several = cells.filter(({ agents }) => agents.length > 1);
  if (several.length === 0) return null;
  const hasProbes = several.some(({ probes }) => probes > 0);
  const hasRewards = several.some((cell) => cell.return !== null);
  const hasOutcomes = several.some(({ agents }) => agents.some(({ succeeded }) => succeeded > 0));
  return {
    legend: `${AGENTS_LEGEND}${hasOutcomes ? OUTCOMES_LEGEND : ''}`,
    heads: [
      'agent · players',
      'steps',
      'first try',
      'not understood',
      'refused',
      'waits',
      'said',
      'tokens',
      ...(hasOutcomes ? ['succeeded'] : []),
      ...(hasRewards ? ['return'] : []),
      ...(hasProbes ? ['questions right'] : []),
    ],
    lines: several.flatMap(({ players, agents, runs, open }) =>
      agents.map((one) => [
        `${one.agent} · ${players}`,
        whole(one.steps),
        shareWords(one.firstTries, one.steps),
        countWords(one.unread),
        countWords(one.refused),
        countWords(one.standIns),
        countWords(one.said),
        tokensWords(one),
        ...(hasOutcomes ? [countWords(one.succeeded)] : []),
        ...(hasRewards ? [(one.reward / Math.max(1, runs + open)).toFixed(2)] : []),
        ...(hasProbes ? [probeWords(one)] : []),
      ]),
    ),
  };
}

function countWords(count: number): string {
  return count === 0 ? '–' : whole(count);
}
