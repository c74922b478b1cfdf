/**
 * Selects the samples of an export: those that meet all conditions. Runs that can't contain a selected sample
 * are not read.
 */
import { columnsOf } from './columns.js';
import { condition } from './expression.js';
import { isPlayedBy } from '../trajectory/player-names.js';
import type { PlayerFilter } from '../trajectory/player-names.js';
import type { PickedRun } from './picked-runs.js';
import type { ExportSample, SampleRange } from './sample.js';

/** Null and false mean that nothing is filtered. */
export interface SampleFilter extends SampleRange, PlayerFilter {
  scenarios: readonly string[] | null;
  outcomes: readonly string[] | null;
  /** Only replies whose action was carried out. */
  ok: boolean;
  /** Only the first call of a step. */
  firstAttempt: boolean;
  where: string | null;
  /** The human verdict; null for everything except rejected replies. A corrected reply counts as accepted. */
  only: OutcomeFilter | null;
}

export const ONLY = ['accepted', 'rejected', 'any'] as const;
export type OutcomeFilter = (typeof ONLY)[number];

export const EVERYTHING: SampleFilter = {
  turns: null,
  agents: null,
  players: null,
  models: null,
  scenarios: null,
  outcomes: null,
  ok: false,
  firstAttempt: false,
  where: null,
  only: null,
};

/** Whether a run may contain selected samples. */
export function mayContainRows(selection: SampleFilter, { summary }: Pick<PickedRun, 'summary'>): boolean {
  const { scenarios, outcomes } = selection;
  if (scenarios !== null && !scenarios.includes(summary.name)) return false;
  return outcomes === null || outcomes.includes(summary.status);
}

/** Throws UsageError for a condition that can't be parsed. */
export function filter(selection: SampleFilter): (sample: ExportSample) => boolean {
  const { agents, turns, ok, firstAttempt, scenarios, outcomes } = selection;
  const matchesWhere = selection.where === null ? null : condition(selection.where);
  return (sample) => {
    if (scenarios !== null && !scenarios.includes(sample.scenario)) return false;
    if (outcomes !== null && !outcomes.includes(sample.outcome.status)) return false;
    if (!hasVerdict(selection.only, sample)) return false;
    if (ok && sample.result?.ok !== true) return false;
    if (firstAttempt && sample.attempt !== 1) return false;
    if (
      !isPlayedBy(
        {
          players: [sample.player, ...(sample.lineup === null ? [] : [sample.lineup])],
          models: sample.model === null ? [] : [sample.model],
          seats: {},
        },
        selection,
      )
    )
      return false;
    if (agents !== null && !agents.includes(sample.agent)) return false;
    if (turns !== null && (sample.turn < turns.from || sample.turn > turns.to)) return false;
    return matchesWhere === null || matchesWhere(columnsOf(sample));
  };
}

/**
 * Why a reply is no training target: the code of its problem; null if it was understood and carried out, or
 * is a person's correction.
 */
export function problemOf({ result }: ExportSample): string | null {
  return result === null || result.ok ? null : (result.code ?? 'refused');
}

function hasVerdict(only: OutcomeFilter | null, { mark }: ExportSample): boolean {
  if (only === 'any') return true;
  if (only === 'rejected') return mark?.verdict === 'rejected';
  if (only === 'accepted') return mark?.verdict === 'accepted' || mark?.verdict === 'corrected';
  return mark?.verdict !== 'rejected';
}
