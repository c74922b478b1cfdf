/** Other words for keys: each leads to a key that scenarios have, and to none where no such key is known. */
import { expect, test } from 'vitest';
import { meantBy, OTHER_WORDS } from '../../src/scenario/other-words.js';
import { READERS } from '../../src/worlds/registry.js';
import { schemaText } from '../../src/scenario/schema-document.js';

test('every key of the table is one of a scenario', () => {
  const schema = schemaText(READERS);
  const unknown = Object.keys(OTHER_WORDS).filter((key) => !schema.includes(`"${key}": {`));
  expect(unknown).toEqual([]);
});

test('what is known at the place decides', () => {
  expect(meantBy('says', ['text', 'name'])).toBe('text');
  expect(meantBy('says', ['said', 'holds'])).toBe('said');
  expect(meantBy('says', ['title'])).toBeUndefined();
  expect(meantBy('constructor', ['title'])).toBeUndefined();
});

test('spellings of other languages are those of ours', () => {
  expect(meantBy('maxTokens', ['max_tokens'])).toBe('max_tokens');
  expect(meantBy('free-acts', ['free_acts'])).toBe('free_acts');
});
