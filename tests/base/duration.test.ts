/** How long something took: tenths below a minute, whole seconds from then on. */
import { expect, test } from 'vitest';
import { duration } from '../../src/base/duration.js';

test('is told as people say it', () => {
  expect([0, 437, 59_900, 60_000, 72_400, 3_600_000].map(duration)).toEqual([
    '0.0 s',
    '0.4 s',
    '59.9 s',
    '1 min 0 s',
    '1 min 12 s',
    '60 min 0 s',
  ]);
});
