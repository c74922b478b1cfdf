/**
 * Time limits for clients that may be silent because this process is busy: what they sent lies unread, and
 * timers that are due run before it is read. Uses the process's timers.
 */

/** Time for reading what has arrived, in milliseconds; part of the limit. */
const READING_MS = 1000;

/**
 * Acts when the limit has passed, and the process had the time to read what arrived within it. Returns a
 * function that cancels it.
 */
export function atDeadline(limitMs: number, act: () => void): () => void {
  const readingMs = Math.min(READING_MS, limitMs / 5);
  let timer = setTimeout(() => {
    timer = setTimeout(act, readingMs);
  }, limitMs - readingMs);
  return () => clearTimeout(timer);
}
