/**
 * The project's random generator: xoshiro128**, whose state is four unsigned 32-bit integers within the
 * world's state, with one labelled stream per purpose. A draw returns the value and the next state; nothing
 * is hidden. A stream starts from the SHA-256 of seed and label, so that neighbouring seeds share nothing and
 * a draw added to one stream never shifts another.
 */
import { createHash } from 'node:crypto';
import { assert } from './assert.js';

/** The state of a stream: four unsigned 32-bit integers, stored in the state of the world. */
export type RngState = readonly [number, number, number, number];

/** The drawn value, and the state of the stream after it. */
export interface RandomDraw<T> {
  value: T;
  state: RngState;
}

/** The first state of the stream `label` of `seed`. Streams with different labels are independent. */
export function stream(seed: string, label: string): RngState {
  const digest = createHash('sha256').update(`orchestrate-rng-v1\n${seed.length}:${seed}\n${label}`).digest();
  const words: RngState = [
    digest.readUInt32LE(0),
    digest.readUInt32LE(4),
    digest.readUInt32LE(8),
    digest.readUInt32LE(12),
  ];
  // An all-zero state would stay zero for ever; SHA-256 gives it with probability 2^-128.
  return words.every((word) => word === 0) ? [1, 2, 3, 4] : words;
}

function rotateLeft(word: number, bits: number): number {
  return ((word << bits) | (word >>> (32 - bits))) >>> 0;
}

/** An unsigned 32-bit integer. */
export function nextUint32(state: RngState): RandomDraw<number> {
  const [a, b, c, d] = state;
  const value = Math.imul(rotateLeft(Math.imul(b, 5) >>> 0, 7), 9) >>> 0;
  const t = (b << 9) >>> 0;
  const c1 = (c ^ a) >>> 0;
  const d1 = (d ^ b) >>> 0;
  const b1 = (b ^ c1) >>> 0;
  const a1 = (a ^ d1) >>> 0;
  return { value, state: [a1, b1, (c1 ^ t) >>> 0, rotateLeft(d1, 11)] };
}

/** How many values a draw can have. */
const DRAWN_VALUES = 0x1_0000_0000;

/** An unbiased random integer from 0 to bound - 1. Throws AssertionError if `bound` is not from 1 to 2^32. */
export function nextBelow(state: RngState, bound: number): RandomDraw<number> {
  assert(Number.isSafeInteger(bound) && bound >= 1 && bound <= DRAWN_VALUES, `rng bound ${bound}`);
  const limit = DRAWN_VALUES - (DRAWN_VALUES % bound);
  let draw = nextUint32(state);
  while (draw.value >= limit) draw = nextUint32(draw.state);
  return { value: draw.value % bound, state: draw.state };
}

/** The elements of a list in a random order; all orders have the same probability. */
export function shuffled<T>(state: RngState, list: readonly T[]): RandomDraw<readonly T[]> {
  const remaining = [...list];
  const drawn: T[] = [];
  let next = state;
  while (remaining.length > 0) {
    const draw = nextBelow(next, remaining.length);
    next = draw.state;
    drawn.push(...remaining.splice(draw.value, 1));
  }
  return { value: drawn, state: next };
}

/** One element of a list, all with the same probability. Throws AssertionError if the list is empty. */
export function pick<T>(state: RngState, list: readonly T[]): RandomDraw<T> {
  const draw = nextBelow(state, list.length);
  return { value: list[draw.value] as T, state: draw.state };
}
