/** "Did you mean" finds a slip of the pen, and stays silent where nothing is like the word. */
import { expect, it } from 'vitest';
import { nearest } from '../../src/base/nearest.js';

it.each([
  ['sigth', ['sight', 'size'], 'sight'],
  ['SIGHT', ['sight'], 'sight'],
  ['qwen3-vl-4b', ['gemma-3', 'qwen3-vl-8b'], 'qwen3-vl-8b'],
  ['ab', ['cd', 'ac', 'ad'], 'ac'],
  ['lantern', ['key', 'door'], undefined],
  ['x', [], undefined],
  ['', ['a'], 'a'],
])('%s', (word, words, expected) => {
  expect(nearest(word, words)).toBe(expected);
});

it('compares the beginnings of endless words', () => {
  expect(nearest('a'.repeat(100_000), ['a'.repeat(50_000)])).toBe('a'.repeat(50_000));
});
