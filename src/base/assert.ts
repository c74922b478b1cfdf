/** Assertions about our own code: if one fails, the program has a bug and must stop, with the log intact. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** Marks a branch that the types rule out; a new member of a union then fails to compile here. */
export function assertNever(value: never, what: string): never {
  throw new AssertionError(`unexpected ${what}: ${JSON.stringify(value)}`);
}

/** The element at an index, if the caller knows that there is one. */
export function at<T>(list: ArrayLike<T>, index: number): T {
  const item = list[index];
  if (item === undefined) throw new AssertionError(`index ${index} is outside a list of ${list.length}`);
  return item;
}

/** The value, if the caller knows that it is not null. */
export function known<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new AssertionError(`missing: ${what}`);
  return value;
}
