/** Captions of a film: one line each, and the lines that are left go to those that are too long. */
import { expect, it } from 'vitest';
import { captionsIn } from '../../src/render/film-sheet.js';

it('breaks a long caption where lines are left, and cuts it where none is', () => {
  const long = 'succeeded: The bell has rung and the sluices are up.';
  expect(captionsIn(['High Water', long], 30, 4)).toEqual([
    'High Water',
    'succeeded: The bell has rung',
    'and the sluices are up.',
  ]);
  expect(captionsIn(['High Water', long], 30, 2)).toEqual(['High Water', 'succeeded: The bell has rung …']);
  expect(captionsIn(['a', 'b', 'c'], 30, 2)).toEqual(['a', 'b']);
});

it('gives the lines that are left to the first that needs them', () => {
  expect(captionsIn(['one two', 'three four', 'five six'], 5, 4)).toEqual(['one', 'two', 'thre…', 'five…']);
});
