/** Refusals of the file system are told in words. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { systemWords } from '../../src/base/system-words.js';

function refusalOf(path: string): unknown {
  try {
    return readFileSync(path);
  } catch (error) {
    return error;
  }
}

it.each([
  ['/nowhere/at/all', 'there is no such file or folder'],
  ['/', 'it is a folder'],
  ['/dev/null/x', 'a part of its path is a file, not a folder'],
])('%s: %s', (path, words) => {
  expect(systemWords(refusalOf(path))).toBe(words);
});

it('lets an error without a known code speak for itself', () => {
  expect(systemWords(new Error('it is not a file'))).toBe('it is not a file');
  expect(systemWords(Object.assign(new Error('odd'), { code: 'EODD' }))).toBe('odd');
  expect(systemWords('text')).toBe('text');
});
