/** Chance for tests: the same numbers on every machine, faster than drawing from the rules' own streams. */

/** Draws integers from 0 up to, not including, `bound` (at most 2³¹). */
export type Below = (bound: number) => number;

/** A stream of its own for every seed (mulberry32 over a hash of the seed). */
export function chance(seed: string): Below {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

/** One of a list that isn't empty. */
export function oneOf<T>(below: Below, list: readonly T[]): T {
  const found = list[below(list.length)];
  if (found === undefined) throw new RangeError('nothing to choose from');
  return found;
}

/** The same in another order. */
export function shuffled<T>(below: Below, list: readonly T[]): readonly T[] {
  const rest = [...list];
  return list.map(() => at(rest.splice(below(rest.length), 1)));
}

function at<T>(taken: readonly T[]): T {
  const [first] = taken;
  if (first === undefined) throw new RangeError('nothing left');
  return first;
}
