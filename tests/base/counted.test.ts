/** Numbers meet their nouns: one is one, and no text of the program says "1 turns". */
import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { counted } from '../../src/base/counted.js';

it('tells one of a thing as one', () => {
  expect([0, 1, 2].map((n) => counted(n, 'turn'))).toEqual(['0 turns', '1 turn', '2 turns']);
  expect([1, 3].map((n) => counted(n, 'entry', 'entries'))).toEqual(['1 entry', '3 entries']);
});

/** A number put before a plural by hand. Limits are more than one; the rest is told by a test of its own or can't be one. */
const BY_HAND =
  /\$\{(?![^}]*LIMITS)[^}]*\} (?:turns|steps|seconds|tokens|lines|replies|characters|entries|tiles|columns|numbers|messages|mistakes|times|rooms|places|moves|agents|frames|positions)\b/g;
const MORE_THAN_ONE = [
  // A sum of two; the other branch of one; 'a thing on a door turns its lock'.
  "${usage.completionTokens ?? '?'} tokens",
  '${errors.length} mistakes',
  '${on} turns',
  // A map's or a frame's two measures, and repetitions from two up.
  '${lines.length} tiles',
  '${map.height} tiles',
  '${rows} tiles',
  '${height} tiles',
  '${repeats.times} times',
  '${times} times',
  '${placementCount} times',
  '${situation.tries} times',
  '${remaining} times',
];

it('no text counts by hand', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const found = files.flatMap((file) => {
    const text = readFileSync(`src/${file}`, 'utf8').replace(/^\s*(?:assert|\*|\/\*|\/\/).*$/gm, '');
    return [...text.matchAll(BY_HAND)].map(([words]) => ({ file, words }));
  });
  expect(found.filter(({ words }) => !MORE_THAN_ONE.includes(words))).toEqual([]);
});
