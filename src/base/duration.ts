/**
 * A duration in words. Below a minute it has tenths of a second, otherwise whole seconds. Every text with a
 * duration uses it, so that table, page and summary agree.
 */

/** "0.4 s", "1 min 12 s". */
export function duration(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
