import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CATAPHORIC, OF_THE_ANSWER, TELLING } from '../../src/parse/frame-words.js';
import { LABEL } from '../../src/parse/labels.js';
import { TwinPattern } from '../../src/parse/twin-pattern.js';
import { readCorpus } from './corpus.js';

const PATTERNS = { CATAPHORIC, OF_THE_ANSWER, TELLING, LABEL };

function told(matches: Iterable<RegExpExecArray>): readonly unknown[] {
  return Array.from(matches, ({ index, groups, 0: found }) => ({ index, found, groups: { ...groups } }));
}

/** What the pattern itself finds, its twin has to find. */
function expectSame(pattern: TwinPattern, text: string): void {
  const { source, flags } = pattern;
  if (flags.includes('g'))
    expect(told(pattern.matchAll(text))).toEqual(told(text.matchAll(new RegExp(source, flags))));
  else expect(pattern.test(text)).toBe(new RegExp(source, flags).test(text));
}

describe.each(Object.entries(PATTERNS))('the twin of %s', (_name, pattern) => {
  test('finds the same in every reply and sentence of the corpora', () => {
    const texts = ['', 'json/', 'react/'].flatMap((folder) =>
      readCorpus(folder).map(({ content }) => content),
    );
    const ascii = texts.map((text) => text.replace(/[^\0-\x7f]/g, 'e'));
    const sentences = [...texts, ...ascii].flatMap((text) => text.split(/(?<=[.!?]) |\n/));
    for (const text of [...texts, ...ascii, ...sentences]) expectSame(pattern, text);
  });

  test('finds the same in any text of ASCII that is made of its words', () => {
    const words = [...new Set(pattern.source.match(/[a-z']+/gi) ?? [])];
    const piece = fc.oneof(
      fc.constantFrom(...words),
      fc.constantFrom(
        ' ',
        ' ',
        ' ',
        '.',
        '!',
        '\n',
        ':',
        '"',
        "'s ",
        'what ',
        'the ',
        'ACTION: ',
        'my answer',
      ),
      fc.string({ maxLength: 3 }).map((text) => text.replace(/[^\0-\x7f]/g, 's')),
    );
    const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
    const cased = fc.tuple(text, fc.boolean()).map(([one, isUpper]) => (isUpper ? one.toUpperCase() : one));
    fc.assert(
      fc.property(cased, (one) => expectSame(pattern, one)),
      { numRuns: 3000 },
    );
  });

  test('leaves a text with other letters to the pattern itself', () => {
    for (const more of ['é', 'ſ', 'K', '说', '😀'])
      for (const word of pattern.source.match(/[a-z']{3,}/gi) ?? [])
        expectSame(pattern, `${word} ${more}. ${word}`);
  });
});

test('every ASCII character is told apart alike, alone and within a class', () => {
  for (const source of [
    '\\p{L}',
    '\\p{N}',
    '[\\p{L}_]',
    '[^\\p{L}]',
    '[^\\p{So}]',
    '\\p{So}',
    '\\w',
    '\\W',
    '\\b',
    '[s-z]',
  ])
    for (let code = 0; code < 128; code++)
      expectSame(new TwinPattern(source, 'iu'), String.fromCharCode(code));
});
