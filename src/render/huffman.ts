/**
 * Huffman codes for deflate (RFC 1951, 3.2.2): from how often each symbol is expected to how many bits it gets, then the canonical codes, which
 * follow from the lengths alone, bit-reversed as deflate packs them. Every symbol of a weight above zero gets a code, so that a
 * table made for what is usual can also write what is not.
 */
import { at } from '../base/assert.js';

/** Bits per symbol, at most `limit`; 0 for symbols of weight 0. At least two symbols must have a weight. */
export function codeLengths(weights: readonly number[], limit: number): number[] {
  let scaled = weights;
  for (;;) {
    const lengths = huffmanLengths(scaled);
    if (lengths.every((length) => length <= limit)) return lengths;
    // Flatter weights give shorter codes; equal ones would give the shortest of all.
    scaled = scaled.map((weight) => (weight === 0 ? 0 : Math.floor(weight / 2) + 1));
  }
}

interface Node {
  readonly weight: number;
  readonly symbols: readonly number[];
}

/** Joins the two lightest until one is left. Joined nodes come out in the order of their weights, so two queues are enough. */
function huffmanLengths(weights: readonly number[]): number[] {
  const lengths = weights.map(() => 0);
  const leaves: Node[] = [...weights.entries()]
    .filter(([, weight]) => weight > 0)
    .map(([symbol, weight]) => ({ weight, symbols: [symbol] }))
    .toSorted((a, b) => a.weight - b.weight);
  const joined: Node[] = [];
  let [leaf, join] = [0, 0];
  const lightest = () => {
    const isLeaf = (leaves[leaf]?.weight ?? Infinity) <= (joined[join]?.weight ?? Infinity);
    return at(isLeaf ? leaves : joined, isLeaf ? leaf++ : join++);
  };
  for (let left = leaves.length; left > 1; left--) {
    const [first, second] = [lightest(), lightest()];
    const symbols = [...first.symbols, ...second.symbols];
    for (const symbol of symbols) lengths[symbol] = (lengths[symbol] ?? 0) + 1;
    joined.push({ weight: first.weight + second.weight, symbols });
  }
  return lengths;
}

/** The canonical codes of these lengths, bit-reversed. */
export function canonicalCodes(lengths: readonly number[]): number[] {
  const codes = lengths.map(() => 0);
  let code = 0;
  for (let bits = 1; bits <= 15; bits++) {
    for (const [symbol, length] of lengths.entries())
      if (length === bits) codes[symbol] = reversed(code++, bits);
    code *= 2;
  }
  return codes;
}

function reversed(code: number, bits: number): number {
  let out = 0;
  for (let i = 0; i < bits; i++) out |= ((code >>> i) & 1) << (bits - 1 - i);
  return out;
}
