/**
 * The symbols of a deflate block (RFC 1951, 3.2.5–3.2.7) under one fixed pair of Huffman tables. Deflate knows two things: a literal byte, and a
 * copy of 3 … 258 bytes from 1 … 32,768 bytes back. Each is a symbol, for copies followed by extra bits. In come how often
 * each symbol is expected; out come their bits, their costs, and the block's header, which tells a decoder the tables.
 */
import { assert, at } from '../base/assert.js';
import type { BitWriter } from './bits.js';
import { canonicalCodes, codeLengths } from './huffman.js';

export const COPY_MIN = 3;
export const COPY_MAX = 258;
export const DISTANCE_MAX = 32_768;
const END_OF_BLOCK = 256;
const LITERAL_SYMBOLS = 286;
const DISTANCE_SYMBOLS = 30;
/** The order in which the header gives the lengths of the code for lengths. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] as const;

/** A symbol with its extra bits for a value of a range: `base` is the range's first value. */
interface Range {
  readonly symbol: number;
  readonly base: number;
  readonly extra: number;
}

/** Extra bits grow by one every `group` symbols, from the second such group on. */
function ranges(count: number, group: number, first: { symbol: number; base: number }): Range[] {
  let { base } = first;
  return Array.from({ length: count }, (_, i) => {
    const extra = Math.max(0, Math.floor(i / group) - 1);
    const range = { symbol: first.symbol + i, base, extra };
    base += 2 ** extra;
    return range;
  });
}

const LENGTHS = ranges(28, 4, { symbol: 257, base: COPY_MIN });
const DISTANCES = ranges(DISTANCE_SYMBOLS, 2, { symbol: 0, base: 1 });
const LENGTH_OF = Array.from({ length: COPY_MAX + 1 }, (_, length) => rangeOf(LENGTHS, length));
// The longest copy has a symbol of its own.
LENGTH_OF[COPY_MAX] = { symbol: 285, base: COPY_MAX, extra: 0 };

/** By distance the number of its range; tiles are coded while a step waits, so nothing is searched for. */
const DISTANCE_OF = new Uint8Array(DISTANCE_MAX + 1);
for (const { symbol, base } of DISTANCES) DISTANCE_OF.fill(symbol, base);
const distanceRange = (distance: number) => at(DISTANCES, at(DISTANCE_OF, distance));

function rangeOf(list: readonly Range[], value: number): Range {
  return list.findLast(({ base }) => base <= value) ?? at(list, 0);
}

/** How often each symbol is expected: literals and lengths, and distances. Counts up from nothing. */
export class SymbolCounts {
  readonly literals: number[] = Array.from({ length: LITERAL_SYMBOLS }, () => 0);
  readonly distances: number[] = Array.from({ length: DISTANCE_SYMBOLS }, () => 0);

  literal(byte: number, times = 1): void {
    this.literals[byte] = (this.literals[byte] ?? 0) + times;
  }

  copy(length: number, distance: number, times = 1): void {
    this.literal(at(LENGTH_OF, length).symbol, times);
    const { symbol } = distanceRange(distance);
    this.distances[symbol] = (this.distances[symbol] ?? 0) + times;
  }
}

/** Costs in bits. */
export interface DeflateCosts {
  literal(byte: number): number;
  /** By length; the first three are not used. */
  readonly lengths: readonly number[];
  distance(distance: number): number;
}

export interface DeflateCodes extends DeflateCosts {
  /** Begins the only block of a stream. */
  header(out: BitWriter): void;
  literalTo(out: BitWriter, byte: number): void;
  copyTo(out: BitWriter, length: number, distance: number): void;
  end(out: BitWriter): void;
}

/** Every symbol can be written, also where it was not counted. */
export function deflateCodes(counts: SymbolCounts): DeflateCodes {
  const literals = codeLengths(
    counts.literals.map((count) => Math.max(1, Math.round(count))),
    15,
  );
  const distances = codeLengths(
    counts.distances.map((count) => Math.max(1, Math.round(count))),
    15,
  );
  const [literalCodes, distanceCodes] = [canonicalCodes(literals), canonicalCodes(distances)];
  const put = (out: BitWriter, symbol: number) => out.append(at(literalCodes, symbol), at(literals, symbol));
  return {
    literal: (byte) => at(literals, byte),
    lengths: LENGTH_OF.map(({ symbol, extra }) => at(literals, symbol) + extra),
    distance: (distance) => {
      const { symbol, extra } = distanceRange(distance);
      return at(distances, symbol) + extra;
    },
    header: (out) => writeHeader(out, literals, distances),
    literalTo: put,
    copyTo: (out, length, distance) => {
      assert(length >= COPY_MIN && length <= COPY_MAX, 'a copy is of 3 to 258 bytes');
      assert(distance >= 1 && distance <= DISTANCE_MAX, 'a copy is from up to 32 KB back');
      const long = at(LENGTH_OF, length);
      put(out, long.symbol);
      out.append(length - long.base, long.extra);
      const far = distanceRange(distance);
      out.append(at(distanceCodes, far.symbol), at(distances, far.symbol));
      out.append(distance - far.base, far.extra);
    },
    end: (out) => put(out, END_OF_BLOCK),
  };
}

/** Last block, own tables; then the lengths of both tables, in a small code of their own without its symbols for repeats. */
function writeHeader(out: BitWriter, literals: readonly number[], distances: readonly number[]): void {
  out.append(0b101, 3);
  out.append(literals.length - 257, 5);
  out.append(distances.length - 1, 5);
  out.append(LENGTH_ORDER.length - 4, 4);
  const all = [...literals, ...distances];
  const weights = Array.from({ length: 19 }, (_, symbol) => all.filter((each) => each === symbol).length);
  const lengths = codeLengths(weights, 7);
  const codes = canonicalCodes(lengths);
  for (const symbol of LENGTH_ORDER) out.append(at(lengths, symbol), 3);
  for (const length of all) out.append(at(codes, length), at(lengths, length));
}
