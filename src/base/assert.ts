/** Assertions about our own code: if one fails, the program has a bug and must stop, with the log intact. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** Marks a branch that the types rule out; a new member of a union then fails to compile here. */
export function assertNever(value: never, description: string): never {
  throw new AssertionError(`unexpected ${description}: ${JSON.stringify(value)}`);
}

/** The element at an index, if the caller knows that there is one. */
export function at<T>(list: ArrayLike<T>, index: number): T {
  const item = list[index];
  if (item === undefined) throw new AssertionError(`index ${index} is outside a list of ${list.length}`);
  return item;
}

/** The value, if the caller knows that it is not null. */
export function known<T>(value: T | null | undefined, description: string): T {
  if (value === undefined || value === null) throw new AssertionError(`missing: ${description}`);
  return value;
}
