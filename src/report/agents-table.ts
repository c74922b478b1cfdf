/**
 * A table of a scenario's agents, if it has several: the figures of each with each of its players. In: cells;
 * out: a table of texts for terminal and page.
 */
import { whole } from '../base/counted.js';
import type { TextTable } from './overview-text.js';
import type { ReportCell } from './report-cell.js';
import { probeText, ratioText, cellTokensText } from './figure-text.js';

const AGENTS_LEGEND =
  'steps: of the agent, without those of the world at the end of turns; first try: first replies that were accepted; not understood: replies without a usable action; refused: actions that the world refused; waits: forced WAITs, when no usable answer came. A run succeeds or fails for all of its agents.';
const UNANSWERED_LEGEND =
  ' No answer: requests at which the server failed or held the answer back, or the model declined.';
const OUTCOMES_LEGEND =
  ' Agents with conditions of their own are an exception: for them, succeeded counts the runs that the agent won.';

/** Null if no cell has more than one agent: then everything is in the cells' own table. */
export function agentsTable(cells: readonly ReportCell[]): TextTable | null {
  const multiAgentCells = cells.filter(({ agents }) => agents.length > 1);
  if (multiAgentCells.length === 0) return null;
  const hasProbes = multiAgentCells.some(({ probes }) => probes > 0);
  const hasRewards = multiAgentCells.some((cell) => cell.return !== null);
  const hasUnanswered = multiAgentCells.some(({ agents }) => agents.some(({ unanswered }) => unanswered > 0));
  const hasOutcomes = multiAgentCells.some(({ agents }) => agents.some(({ succeeded }) => succeeded > 0));
  return {
    legend: `${AGENTS_LEGEND}${hasUnanswered ? UNANSWERED_LEGEND : ''}${hasOutcomes ? OUTCOMES_LEGEND : ''}`,
    heads: [
      'agent · players',
      'steps',
      'first try',
      ...(hasUnanswered ? ['no answer'] : []),
      'not understood',
      'refused',
      'waits',
      'said',
      'tokens',
      ...(hasOutcomes ? ['succeeded'] : []),
      ...(hasRewards ? ['return'] : []),
      ...(hasProbes ? ['questions right'] : []),
    ],
    lines: multiAgentCells.flatMap(({ players, agents, runs, open }) =>
      agents.map((figures) => [
        `${figures.agent} · ${players}`,
        whole(figures.steps),
        ratioText(figures.firstTries, figures.steps),
        ...(hasUnanswered ? [countText(figures.unanswered)] : []),
        countText(figures.unread),
        countText(figures.refused),
        countText(figures.standIns),
        countText(figures.said),
        cellTokensText(figures),
        ...(hasOutcomes ? [countText(figures.succeeded)] : []),
        ...(hasRewards ? [(figures.reward / Math.max(1, runs + open)).toFixed(2)] : []),
        ...(hasProbes ? [probeText(figures)] : []),
      ]),
    ),
  };
}

function countText(count: number): string {
  return count === 0 ? '–' : whole(count);
}
