/**
 * A time limit for something outside: after it, the call is abandoned and reported as a ConformanceError. It
 * uses the real timer.
 */
import { ConformanceError } from './check.js';

/**
 * The result of `work`. If it takes longer, throws `<message> within N ms` (message: 'the controller did not
 * answer') and aborts its signal.
 */
export async function inTime<T>(
  timeoutMs: number,
  message: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new ConformanceError(`${message} within ${timeoutMs} ms`));
      stop.abort();
    }, timeoutMs);
  });
  try {
    return await Promise.race([work(stop.signal), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
