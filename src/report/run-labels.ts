/**
 * Labels of runs in reports: their players and the order of these, their endings, and whether they ended,
 * were decided and were won. Pure.
 */
import { compareText } from '../base/ids.js';
import { isServerFault } from '../base/problem.js';
import type { BatchRecord } from '../scenario/batch-record.js';
import { total } from '../trajectory/named-counts.js';
import type { NamedCounts } from '../trajectory/named-counts.js';
import type { RunMetrics } from './run-metrics.js';

/** The players of a run, with its settings if runs differ in some: "qwen · render.channel=text". */
export function playersOf({ players, settings }: Pick<RunMetrics, 'players' | 'settings'>): string {
  return settings === '' ? players : `${players} · ${settings}`;
}

/** The scenario and the players with their settings: what a cell of the report has in common. */
export function cellKey(run: Pick<RunMetrics, 'scenario' | 'players' | 'settings'>): string {
  return JSON.stringify([run.scenario, playersOf(run)]);
}

/**
 * Compares labels of `playersOf`: players come in the order of their batches, others after them, whose runs began
 * first; the same players with other settings by name; players that never began come last.
 */
export function inPlayedOrder(
  runs: readonly RunMetrics[],
  batches: readonly BatchRecord[] = [],
): (one: string, other: string) => number {
  const first = new Map<string, number>();
  const note = (players: string, rank: number): void => {
    first.set(players, Math.min(first.get(players) ?? Infinity, rank));
  };
  const logged = new Map(runs.map(({ run, players }) => [run, players]));
  // Runs that are played at the same time begin in any order. Every moment is after every place in a plan.
  for (const [i, { run, players }] of batches.flatMap((batch) => batch.runs).entries())
    note(logged.get(run) ?? players, i);
  for (const { players, startedAt } of runs) note(players, startedAt);
  const starts = new Map(runs.map((run) => [playersOf(run), first.get(run.players) ?? 0]));
  const startOf = (label: string): number => starts.get(label) ?? Infinity;
  return (one, other) => startOf(one) - startOf(other) || compareText(one, other);
}

/** Above this share of unreadable or missing answers, a run measures its prompt or server rather than its player. */
const SHARE_MAX = 0.5;

/**
 * How a run ended, by which reports group runs: "failed: the 30 turns are over". An unsuccessful run with
 * mostly unreadable or missing answers is marked as such.
 */
export function endingOf({ status, reason, replies, unread, unanswered }: RunMetrics): string {
  const isMost = (counts: NamedCounts): boolean =>
    status !== 'succeeded' && replies > 0 && total(counts) / replies > SHARE_MAX;
  const note = isMost(unanswered)
    ? ', most requests got no answer'
    : isMost(unread)
      ? ', most replies not understood'
      : '';
  return `${outcomeText({ status, reason })}${note}`;
}

/** Temperatures, or lists of them, without duplicates: "0, 0.7"; '' for none. */
export function temperatureText(all: readonly string[]): string {
  return [...new Set(all.filter((one) => one !== ''))].toSorted(compareText).join(', ');
}

/** "failed: the 30 turns are over" */
export function outcomeText({ status, reason }: Pick<RunMetrics, 'status' | 'reason'>): string {
  return `${status}: ${reason.replace(/\.$/, '') || 'incomplete: still running, or killed'}`;
}

/** The beginning of the label of a success. */
export const SUCCESS = 'succeeded: ';

/** Whether a run finished normally. */
export function isEnded({ status }: RunMetrics): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'ended';
}

/** Whether agents lost turns to a model's server. */
export function isHarmed({ waits }: RunMetrics): boolean {
  return Object.keys(waits).some((code) => isServerFault(code));
}

/** A run whose scenario has no success condition ends, and neither succeeds nor fails. */
export function isDecided({ status }: RunMetrics): boolean {
  return status === 'succeeded' || status === 'failed';
}

/** 1 for a success, from which rates follow. */
export function score(run: RunMetrics): number {
  return isWon(run) ? 1 : 0;
}

export function isWon({ status }: RunMetrics): boolean {
  return status === 'succeeded';
}
