/**
 * How long something took, as people say it. In: milliseconds; out: words. Below a minute tenths of a second count, from then on
 * whole seconds are enough. Every text that tells a time takes it from here, so that table, page and summary say the same.
 */

/** "0.4 s", "1 min 12 s". */
export function duration(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
