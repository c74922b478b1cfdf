/** Search and checks of answers go by whole words, never by parts of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/base/limits.js';
import type { AnswerCheck } from '../../../src/worlds/toolbox/answer.js';
import { satisfies } from '../../../src/worlds/toolbox/answer.js';
import { search } from '../../../src/worlds/toolbox/knowledge.js';
import { containsPhrase, containsWords, wordsOf } from '../../../src/worlds/toolbox/words.js';

const BASE = [
  { key: 'pi', text: 'Pi is about 3.14159.' },
  { key: 'capital', text: 'Elmstad is the capital.' },
  { key: 'lantern tower', text: 'The lantern tower is 42 metres high.' },
  { key: 'tower', text: 'There are several towers.' },
];
const keys = (query: string) => search(BASE, query).map(({ key }) => key);

describe('search', () => {
  it.each([
    ['pi', ['pi']],
    ['PI', ['pi']],
    ['the value of Pi?', ['pi']],
    ['capital', ['capital']],
    ['Capital City', ['capital']],
    ['lantern tower', ['lantern tower', 'tower']],
    ['how high is the Lantern Tower', ['lantern tower', 'tower']],
    ['lantern', ['lantern tower']],
    ['42', ['lantern tower']],
    ['elmstad', ['capital']],
    ['cap', []],
    ['tal', []],
    ['', []],
    ['?!', []],
    ['of the', []],
  ])('%s finds %j', (query, found) => expect(keys(query)).toEqual(found));

  it('gives so many entries and no more', () => {
    const many = Array.from({ length: LIMITS.searchHits + 5 }, (_, i) => ({
      key: `k${i}`,
      text: 'same words',
    }));
    expect(search(many.slice(0, LIMITS.searchHits), 'same')).toHaveLength(LIMITS.searchHits);
    expect(search(many, 'same')).toHaveLength(LIMITS.searchHits);
  });

  it('finds a word only where the whole word stands', () => {
    const word = fc.stringMatching(/^[a-z]{2,8}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), word, (words, wanted) => {
        const text = words.join(' ');
        expect(containsWords(text, [wanted])).toBe(words.includes(wanted));
        expect(containsPhrase(text, wanted)).toBe(words.includes(wanted));
      }),
    );
  });

  it('reads words the same in any case and composition', () => {
    expect(wordsOf('Ärger CAFE\u0301')).toEqual(wordsOf('ärger café'));
  });
});

describe('an answer', () => {
  const answered = (text: string) => ({
    text,
    tallies: { SEARCH: { given: 1, refused: 0 }, CALCULATE: { given: 0, refused: 2 } },
  });
  it.each<readonly [AnswerCheck, string, boolean]>([
    [{ kind: 'equals', text: 'Orla Venn' }, ' orla  venn. ', true],
    [{ kind: 'equals', text: 'Orla Venn' }, 'It was Orla Venn', false],
    [{ kind: 'contains', text: 'Orla Venn' }, 'It was "Orla Venn".', true],
    [{ kind: 'contains', text: 'pi' }, 'The capital.', false],
    [{ kind: 'contains', text: 'Orla Venn' }, 'Venn, Orla', false],
    [{ kind: 'number', value: '1934' }, 'It was opened in 1934.', true],
    [{ kind: 'number', value: '1934' }, 'in 19345', false],
    [{ kind: 'number', value: '12400' }, 'about 12,400 people', true],
    [{ kind: 'number', value: '0.5' }, 'It is .5 or 0.50 kg', true],
    [{ kind: 'number', value: '3' }, 'It is 3.14', false],
    [{ kind: 'number', value: '42' }, 'It is 42kg', true],
    [{ kind: 'number', value: '-5' }, 'It is -5 degrees', true],
    [{ kind: 'number', value: '-5' }, 'It is −5 degrees', true],
    [{ kind: 'number', value: '5' }, 'from 3-5 days', true],
    [{ kind: 'begins', text: 'UNKNOWN' }, 'Unknown: no letter names her.', true],
    [{ kind: 'begins', text: 'UNKNOWN' }, 'It is not unknown, it was Orla Venn.', false],
    [{ kind: 'begins', text: 'UNKNOWN' }, 'I do not know.', false],
    // As logs made before say it.
    [{ kind: 'admits' }, "I don't know.", true],
    [{ kind: 'admits' }, 'That is not known.', true],
    [{ kind: 'admits' }, 'The calculator refused it.', true],
    [{ kind: 'admits' }, 'It was Orla Venn.', false],
    [{ kind: 'used', tool: 'SEARCH' }, '', true],
    [{ kind: 'used', tool: 'CALCULATE' }, '', false],
    [{ kind: 'refused', tool: 'CALCULATE' }, '', true],
    [{ kind: 'refused', tool: 'READ_FILE' }, '', false],
    [{ kind: 'not', of: { kind: 'admits' } }, 'yes', true],
    [{ kind: 'all', of: [{ kind: 'admits' }, { kind: 'contains', text: 'a' }] }, 'a', false],
    [{ kind: 'any', of: [{ kind: 'admits' }, { kind: 'contains', text: 'a' }] }, 'a', true],
  ])('%j of %j: %s', (check, text, does) => expect(satisfies(check, answered(text))).toBe(does));
});
