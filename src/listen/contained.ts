/**
 * A guard around a listener that a stranger's bytes reach. What it throws, at once or later, would otherwise
 * end the process; here it costs only the connection that caused it.
 */
export interface Containment<Args extends readonly unknown[]> {
  /** Ends what the listener was called for. */
  drop: (...args: Args) => void;
  /** Called for our own errors, not for writing to a connection that the other side has ended. */
  onError: (error: unknown) => void;
}

export function contained<Args extends readonly unknown[]>(
  listener: (...args: Args) => unknown,
  { drop, onError }: Containment<Args>,
): (...args: Args) => void {
  const contain = (error: unknown, args: Args): void => {
    drop(...args);
    const isOfConnection = error instanceof Error && 'code' in error && ENDED.test(String(error.code));
    if (!isOfConnection) onError(error);
  };
  return (...args) => {
    try {
      const result = listener(...args);
      if (result instanceof Promise) result.catch((error: unknown) => contain(error, args));
    } catch (error) {
      contain(error, args);
    }
  };
}

/** Node's codes for an answer that can't be written any more. */
const ENDED = /^ERR_(HTTP2?|STREAM)_/;

/** Closes the connection of an answer that is not complete. After a complete one, the next request may be using it. */
export function endUnanswered(response: { writableEnded: boolean; destroy: () => unknown }): void {
  if (!response.writableEnded) response.destroy();
}
