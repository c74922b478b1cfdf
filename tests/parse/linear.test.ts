/**
 * Reading costs time in proportion to the reply's length, whatever stands in it. Growth is compared within one run: ten
 * times the text may cost some thirty times as much (a full cache, a collection of garbage; processor time, so that other work on the machine counts little), never the hundred of a quadratic pattern.
 */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { protocolOf } from '../../src/parse/protocols.js';
import { ATTACKS, NAMED_ATTACKS } from './attacks.js';
import { MORE_VOCABULARY } from './more-vocabulary.js';
import { readReply } from './reading.js';

const SMALL = 90_000;
const LARGE = 900_000;
/** Below this a measurement is noise. */
const FLOOR_MS = 2;

function bestTime(content: string, read: (content: string) => unknown = readReply): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const start = process.cpuUsage();
    read(content);
    best = Math.min(best, process.cpuUsage(start).user / 1000);
  }
  return best;
}

/** How many times more ten times the text costs. */
function growth(family: (size: number) => string): number {
  return bestTime(family(LARGE)) / Math.max(FLOOR_MS, bestTime(family(SMALL)));
}

test.each(Object.keys(ATTACKS))('reading is linear: %s', (name) => {
  const family = ATTACKS[name];
  if (family === undefined) throw new Error(name);
  // A quadratic pattern is a hundredfold each time; a noisy machine is not.
  let ratio = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 6 && ratio >= 35; tries++) ratio = Math.min(ratio, growth(family));
  expect(ratio).toBeLessThan(35);
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
    for (const size of [SHORT, LARGE / 10]) {
      let ratio = Number.POSITIVE_INFINITY;
      for (let tries = 0; tries < 6 && ratio >= 35; tries++)
        ratio = Math.min(
          ratio,
          bestTime(family(size * 10), read) / Math.max(FLOOR_MS, bestTime(family(size), read)),
        );
      expect(ratio).toBeLessThan(35);
    }
  });
});
