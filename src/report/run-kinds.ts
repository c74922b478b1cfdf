/** What a run in figures counts as: by whom it was played, whether it ended, whether it could be won and was. Pure questions about one run. */
import { compareText } from '../base/ids.js';
import type { RunMetrics } from './run-metrics.js';

/** Who decided, and with which settings where runs differ in some: "qwen · render.channel=text". */
export function playersOf({ players, settings }: Pick<RunMetrics, 'players' | 'settings'>): string {
  return settings === '' ? players : `${players} · ${settings}`;
}

/** For what `playersOf` calls them: who was first played comes first, which is a batch's own order; settings of the same players by name. */
export function inPlayedOrder(runs: readonly RunMetrics[]): (one: string, other: string) => number {
  const first = new Map<string, number>();
  for (const { players, startedAt } of runs)
    first.set(players, Math.min(first.get(players) ?? Infinity, startedAt));
  const starts = new Map(runs.map((run) => [playersOf(run), first.get(run.players) ?? 0]));
  return (one, other) => (starts.get(one) ?? 0) - (starts.get(other) ?? 0) || compareText(one, other);
}

/** A run of more unread replies than read ones measures how it was asked, and not how it was played. */
const MOST = 0.5;

/**
 * How it ended, in words, which group the runs: "failed: the 30 turns are over"; an unsuccessful run with
 * mostly unreadable replies is marked as such.
 */
export function endingOf({ status, reason, replies, unread }: RunMetrics): string {
  const notRead = Object.values(unread).reduce((sum, times) => sum + times, 0);
  const isMost = status !== 'succeeded' && replies > 0 && notRead / replies > MOST;
  return `${outcomeWords({ status, reason })}${isMost ? ', most replies not understood' : ''}`;
}

/** "failed: the 30 turns are over" */
export function outcomeWords({ status, reason }: Pick<RunMetrics, 'status' | 'reason'>): string {
  return `${status}: ${reason.replace(/\.$/, '') || 'incomplete: still running, or killed'}`;
}

/** How an ending's words begin where the run succeeded. */
export const SUCCESS = 'succeeded: ';

/** Whether a run came to an end of its own. */
export function isEnded({ status }: Pick<RunMetrics, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'ended';
}

/** A run whose scenario names no success ends, and neither succeeds nor fails. */
export function isDecided({ status }: Pick<RunMetrics, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed';
}

export function isWon({ status }: Pick<RunMetrics, 'status'>): boolean {
  return status === 'succeeded';
}
