/** Most replies and names need little of what may be needed: that the short way says what the long one would. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { slotsOf } from '../../src/environment/grammar.js';
import { nounsFor } from '../../src/binding/nouns.js';
import { answerParts } from '../../src/parse/reasoning.js';
import { ATTACKS } from './attacks.js';
import { readCorpus } from './corpus.js';
import { NOUNS, REGISTRY } from './vocabulary.js';

const CORPUS = readCorpus('command').map(({ content }) => content);

test('a reply without a mark of reasoning is whole, as it is with half a mark at its end', () => {
  // Half a mark changes nothing of what is found before it.
  const expectWhole = (content: string) => {
    const marked = answerParts(`${content}<`);
    const parts = marked.parts.map(({ start, end }) => ({ start, end: Math.min(end, content.length) }));
    const filled = parts.filter(({ start, end }) => end > start);
    expect(answerParts(content)).toEqual({ ...marked, parts: filled });
  };
  for (const content of [...CORPUS, ...Object.values(ATTACKS).map((attack) => attack(50))])
    expectWhole(content);
  const pieces = fc.constantFrom(
    '<',
    '[',
    '◁',
    '/',
    'think',
    '>',
    ']',
    '|',
    'assistantFinal',
    'GO',
    ' ',
    '\n',
    'INST',
    '▷',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (all) => expectWhole(all.join(''))),
    { numRuns: 3000 },
  );
});

test('a name in plain words means what it means with a space of another kind behind it', () => {
  // Such a space is trimmed, but only after a closer look.
  const other = NOUNS.map((noun) => ({
    ...noun,
    name: `${noun.name}\u00a0`,
    aliases: noun.aliases.map((one) => `${one}\u00a0`),
  }));
  const idsOf = (written: string, nouns: typeof NOUNS) => nounsFor(written, nouns).map(({ id }) => id);
  const words = [...new Set(NOUNS.flatMap(({ id, name, aliases }) => [id, ...name.split(' '), ...aliases]))];
  const piece = fc.oneof(
    fc.constantFrom(...words),
    fc.constantFrom('the', 'The', 'a', 'my', 'to the north', 'nearby', '(', ')', '#', '_', '-', ' ', "'", ''),
    fc.string({ maxLength: 2 }),
  );
  const written = fc.tuple(fc.array(piece, { maxLength: 5 }), fc.constantFrom(' ', ' ', ' ', '_', '  ', ''));
  fc.assert(
    fc.property(written, ([all, glue]) => {
      const text = all.join(glue);
      expect(idsOf(text, NOUNS)).toEqual(idsOf(`${text}\u00a0`, other));
    }),
    { numRuns: 3000 },
  );
});

test('the slots of a grammar are the same list each time', () => {
  for (const { grammar } of REGISTRY.list())
    if (grammar !== null) {
      expect(slotsOf(grammar)).toBe(slotsOf(grammar));
      expect(slotsOf(grammar)).toEqual(slotsOf(structuredClone(grammar)));
    }
});
