/**
 * Random draws for the map generator: one labelled stream of a seed, drawn in order; the same seed gives the
 * same draws on every machine.
 */
import { at } from '../../../base/assert.js';
import { nextBelow, stream } from '../../../base/rng.js';

export interface Dice {
  /** 0 … bound - 1. */
  below(bound: number): number;
  /** Both ends included; the first if the last is smaller. */
  between(first: number, last: number): number;
  /** One of a list that isn't empty. */
  pick<T>(list: readonly T[]): T;
  shuffled<T>(list: readonly T[]): readonly T[];
}

export function openDice(seed: string, label: string): Dice {
  let state = stream(seed, label);
  const below = (bound: number): number => {
    const draw = nextBelow(state, bound);
    state = draw.state;
    return draw.value;
  };
  const shuffled = <T>(list: readonly T[]): readonly T[] => {
    const result = [...list];
    for (let last = result.length - 1; last > 0; last--) {
      const swapIndex = below(last + 1);
      const [a, b] = [at(result, last), at(result, swapIndex)];
      result[last] = b;
      result[swapIndex] = a;
    }
    return result;
  };
  return {
    below,
    between: (first, last) => first + below(Math.max(1, last - first + 1)),
    pick: (list) => at(list, below(list.length)),
    shuffled,
  };
}
