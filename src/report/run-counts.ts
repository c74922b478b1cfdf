/**
 * What became of the runs behind a figure. Every table and plot shows these counts next to its figures, so
 * that none is taken for the result of runs that it does not cover.
 */

export interface RunCounts {
  /** Distinct runs that finished normally: only these have a result. */
  played: number;
  /** Those of them in which agents lost turns to a model's server. */
  harmed: number;
  /** Interrupted, stopped by an error, or in progress. */
  unfinished: number;
  /** Planned by the batch, or played by other players of the scenario, but in no log. */
  notPlayed: number;
  /** Identical to another run, step by step. */
  repeats: number;
}

export const COUNTS_LEGEND =
  "p: distinct runs played to the end, the only ones with a result; s: those of them that lost turns to a model's server; u: unfinished; n: planned or played by others, but not played; r: identical to another run (none where a letter is missing)";

export function countsOf(cell: {
  runs: number;
  harmed: number;
  open: number;
  missing: readonly string[];
  repeats: number;
}): RunCounts {
  const { runs, harmed, open, missing, repeats } = cell;
  return { played: runs, harmed, unfinished: open, notPlayed: missing.length, repeats };
}

export function addCounts(all: readonly RunCounts[]): RunCounts {
  const sum = (of: keyof RunCounts): number => all.reduce((total, counts) => total + counts[of], 0);
  return {
    played: sum('played'),
    harmed: sum('harmed'),
    unfinished: sum('unfinished'),
    notPlayed: sum('notPlayed'),
    repeats: sum('repeats'),
  };
}

/** Whether runs are missing that might have changed the result. */
export function hasLosses({ unfinished, notPlayed }: RunCounts): boolean {
  return unfinished + notPlayed > 0;
}

/** `10p`, `2p 1s 3u 10n`; '0p' for none. */
export function countsText({ played, harmed, unfinished, notPlayed, repeats }: RunCounts): string {
  const others = [
    [harmed, 's'],
    [unfinished, 'u'],
    [notPlayed, 'n'],
    [repeats, 'r'],
  ] as const;
  return [
    `${played}p`,
    ...others.flatMap(([count, letter]) => (count === 0 ? [] : `${count}${letter}`)),
  ].join(' ');
}
