/**
 * A guard around a listener that a stranger's bytes reach. What it throws, at once or later, would otherwise
 * end the process; here it costs only the connection that caused it.
 */
export function contained<Args extends readonly unknown[]>(
  listener: (...args: Args) => unknown,
  onError: (error: unknown, ...args: Args) => void,
): (...args: Args) => void {
  return (...args) => {
    try {
      const result = listener(...args);
      if (result instanceof Promise) result.catch((error: unknown) => onError(error, ...args));
    } catch (error) {
      onError(error, ...args);
    }
  };
}
