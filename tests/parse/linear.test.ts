/**
 * Reading costs time in proportion to the reply's length, whatever stands in it. Growth is compared within one run: ten
 * times the text may cost thirty to forty-five times as much (a full cache, and above all the collection of garbage, whose
 * threads count too), never the hundred of a quadratic pattern. Processor time, so that other work on the machine counts little.
 */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { protocolOf } from '../../src/parse/protocols.js';
import { ATTACKS, NAMED_ATTACKS } from './attacks.js';
import { MORE_VOCABULARY } from './more-vocabulary.js';
import { readReply } from './reading.js';

const SMALL = 90_000;
/** Below this a measurement is noise. */
const FLOOR_MS = 2;

function timeOf(content: string, read: (content: string) => unknown): number {
  const start = process.cpuUsage();
  read(content);
  return process.cpuUsage(start).user / 1000;
}

/** A quadratic pattern is a hundredfold each time; a noisy machine is not. */
const MOST_GROWTH = 60;

/** How many times more ten times the text costs. The large text takes longest: it is read again only where it seemed too slow. */
function growth(family: (size: number) => string, size: number, read: (content: string) => unknown): number {
  const [small, large] = [family(size), family(size * 10)];
  let ratio = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 6; tries++) {
    const best = Math.max(FLOOR_MS, Math.min(...[1, 2, 3].map(() => timeOf(small, read))));
    for (let i = 0; i < 3 && ratio >= MOST_GROWTH; i++) ratio = Math.min(ratio, timeOf(large, read) / best);
    if (ratio < MOST_GROWTH) break;
  }
  return ratio;
}

test.each(Object.keys(ATTACKS))('reading is linear: %s', (name) => {
  const family = ATTACKS[name];
  if (family === undefined) throw new Error(name);
  expect(growth(family, SMALL, readReply)).toBeLessThan(MOST_GROWTH);
});

/** Within the length that is read at all. */
const SHORT = LIMITS.answerCharacters / 10 - 200;

describe.each(['json', 'react', 'tools'] as const)('reading %s', (protocol) => {
  const read = (content: string): unknown =>
    protocolOf(protocol).read(
      { content, reasoning: null, toolCalls: [], finishReason: 'stop' },
      MORE_VOCABULARY,
    );

  test.each(Object.entries({ ...ATTACKS, ...NAMED_ATTACKS }))('is linear: %s', (_, family) => {
    for (const size of [SHORT, SMALL]) expect(growth(family, size, read)).toBeLessThan(MOST_GROWTH);
  });
});
