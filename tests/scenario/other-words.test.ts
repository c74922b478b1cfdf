/** Other words for keys: each leads to a key that scenarios have, and to none where no such key is known. */
import { expect, test } from 'vitest';
import { keyForSynonym, SYNONYMS } from '../../src/scenario/other-words.js';
import { READERS } from '../../src/worlds/registry.js';
import { schemaText } from '../../src/scenario/schema-document.js';

test('every key of the table is one of a scenario', () => {
  const schema = schemaText(READERS);
  const unknown = Object.keys(SYNONYMS).filter((key) => !schema.includes(`"${key}": {`));
  expect(unknown).toEqual([]);
});

test('what is known at the place decides', () => {
  expect(keyForSynonym('says', ['text', 'name'])).toBe('text');
  expect(keyForSynonym('says', ['said', 'holds'])).toBe('said');
  expect(keyForSynonym('says', ['title'])).toBeUndefined();
  expect(keyForSynonym('constructor', ['title'])).toBeUndefined();
});

test('spellings of other languages are those of ours', () => {
  expect(keyForSynonym('maxTokens', ['max_tokens'])).toBe('max_tokens');
  expect(keyForSynonym('free-acts', ['free_acts'])).toBe('free_acts');
});
