/** The progress of a long export: a line that is redrawn in a terminal, a line now and then in a file. */
import { expect, it } from 'vitest';
import { progressLine } from '../../src/cli/live/export-progress.js';
import { capturedIo } from '../support/captured-io.js';

it('without a terminal, prints nothing at first and then a line every ten seconds', () => {
  const { io, err } = capturedIo();
  let seconds = 0;
  const progress = progressLine(io, () => seconds * 1000);
  for (; seconds <= 25; seconds++) progress.show({ done: seconds, total: 100, rows: seconds * 2 });
  progress.clear();
  expect(err().split('\n')).toEqual([
    '10 % · 20 rows · 2 rows/s · 1 min 30 s left',
    '20 % · 40 rows · 2 rows/s · 1 min 20 s left',
    '',
  ]);
});
