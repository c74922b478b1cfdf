/**
 * Where figures come from: the batch and its plan, when and with which versions its runs were played, and the
 * models that played with their settings. A table without this can't be repeated or checked. In: a report;
 * out: sentences for below a table.
 */
import { amount } from '../base/counted.js';
import { compareText } from '../base/ids.js';
import type { RunReport } from './report.js';
import type { RunMetrics } from './run-metrics.js';

const PLAN_DIGITS = 12;
const VERSIONS = ['program', 'rules', 'prompt', 'parser', 'render', 'log', 'node'] as const;

/** Nothing if there are no runs. */
export function provenanceTexts({ runs, batches }: RunReport): readonly string[] {
  if (runs.length === 0) return [];
  const starts = runs.map(({ startedAt }) => startedAt);
  const ends = runs.map(({ startedAt, origin }) => origin.lastAt ?? startedAt);
  const versions = VERSIONS.map((name) => {
    const values = distinct(runs.map(({ origin }) => String(origin.versions[name])));
    return `${name === 'program' ? 'orchestrate' : name} ${values.join(' and ')}`;
  });
  return [
    ...batches.map(({ title, plan, planned }) => {
      return `Batch: ${title} (${amount(planned, 'planned run')}, plan ${plan.slice(0, PLAN_DIGITS)}).`;
    }),
    `Played from ${minuteText(Math.min(...starts))} to ${minuteText(Math.max(...ends))} (UTC) with ${versions.join(', ')}.`,
    ...distinct(runs.map(({ players }) => players)).flatMap((players) =>
      playersText(
        players,
        runs.filter((run) => run.players === players),
      ),
    ),
  ];
}

/** Nothing for players without a model. */
function playersText(players: string, runs: readonly RunMetrics[]): readonly string[] {
  const models = distinct(
    runs.flatMap(({ origin }) =>
      origin.models.map(({ model, server, settings }) => {
        return `model ${model}${server === null ? '' : ` on ${server}`}, ${settings}`;
      }),
    ),
  );
  return models.length === 0 ? [] : [`${players}: ${models.join('; ')}.`];
}

function distinct(list: readonly string[]): readonly string[] {
  return [...new Set(list)].toSorted(compareText);
}

/** "2026-11-26 14:05" */
function minuteText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ');
}
