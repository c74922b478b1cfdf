/** How long hostile replies take to read: each family of attacks that the tests know, grown to the size that is still read. */
import { performance } from 'node:perf_hooks';
import type { Vocabulary } from '../src/forms/vocabulary.js';
import { protocolOf } from '../src/parse/protocols.js';
import { ATTACKS } from '../tests/parse/attacks.js';
import { median } from './figures.js';

export interface HostileFigures {
  readonly characters: number;
  readonly families: number;
  readonly medianMs: number;
  /** The slowest family, and its time. */
  readonly worst: string;
  readonly worstMs: number;
}

export function measureHostile(vocabulary: Vocabulary, characters: number): HostileFigures {
  const protocol = protocolOf('command');
  const times = Object.entries(ATTACKS).map(([family, grow]) => {
    const reply = {
      content: grow(characters).slice(0, characters),
      reasoning: null,
      toolCalls: [],
      finishReason: 'stop',
    } as const;
    const took = Array.from({ length: 3 }, () => {
      const from = performance.now();
      protocol.read(reply, vocabulary);
      return performance.now() - from;
    });
    return { family, ms: median(took) };
  });
  const [worst] = times.toSorted((a, b) => b.ms - a.ms);
  return {
    characters,
    families: times.length,
    medianMs: median(times.map(({ ms }) => ms)),
    worst: worst?.family ?? '',
    worstMs: worst?.ms ?? 0,
  };
}
